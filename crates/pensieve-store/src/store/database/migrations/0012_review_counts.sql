-- The counts that the reasons for a review of a clean text follow from, as JSON: other thresholds need neither text nor source.
ALTER TABLE text_versions ADD COLUMN review_counts TEXT;
