//! The findings about the text around a book.

use crate::model::names;

names! {
    /// A finding of the search for the header and the footer.
    GutenbergFinding {
        /// The text has no header of the project.
        NoHeader = "no_header",
        /// The text has no footer of the project.
        NoFooter = "no_footer",
        /// The header has no marker at its end; its end was found by its wording.
        HeaderByWords = "header_by_words",
        /// The words around a header marker are not the project's: nothing was cut there.
        DoubtfulHeader = "doubtful_header",
        /// The words around a footer marker are not the project's: nothing was cut there.
        DoubtfulFooter = "doubtful_footer",
        /// Hardly any text would have been left: nothing was cut.
        NothingLeft = "nothing_left",
        /// The text is too large to be examined as a whole: nothing was cut.
        TooLarge = "too_large",
        /// Words of the project remain at the beginning or the end.
        Leftover = "leftover",
    }
}

impl GutenbergFinding {
    /// True if a person should review the text, because the cut was uncertain and the text was kept.
    pub fn needs_review(self) -> bool {
        !matches!(
            self,
            GutenbergFinding::NoHeader | GutenbergFinding::NoFooter | GutenbergFinding::HeaderByWords
        )
    }
}
