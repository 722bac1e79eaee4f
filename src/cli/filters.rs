//! Flags that narrow a search or a list to some documents.

use crate::store::{DocumentFilters, NoDate};
use clap::Args;

/// Which documents.
#[derive(Debug, Args, Default)]
pub struct FilterArgs {
    /// Only below these paths: a pattern as in .gitignore, below the ingested folder; a leading ! excludes them.
    #[arg(long, value_name = "GLOB")]
    path: Vec<String>,
    /// Only what this person wrote or sent: words of the name or address, in any order.
    #[arg(long, value_name = "NAME")]
    author: Vec<String>,
    /// Only mails from this person, with what is attached.
    #[arg(long, value_name = "NAME")]
    from: Vec<String>,
    /// Only mails to this person, with what is attached.
    #[arg(long, value_name = "NAME")]
    to: Vec<String>,
    /// Only documents from this day, month or year on: 2024-05-31, 2024-05, 2024.
    #[arg(long, value_name = "DATE", value_parser = after)]
    after: Option<String>,
    /// Only documents before this day, month or year.
    #[arg(long, value_name = "DATE", value_parser = before)]
    before: Option<String>,
    /// Only documents with this tag, or with one below it; of several all.
    #[arg(long, value_name = "TAG")]
    tag: Vec<String>,
    /// Only documents in this language: de, German.
    #[arg(long = "lang", value_name = "LANGUAGE", visible_alias = "language")]
    lang: Vec<String>,
}

fn after(value: &str) -> Result<String, NoDate> {
    DocumentFilters::default().add("after", value).map(|()| value.to_owned())
}

fn before(value: &str) -> Result<String, NoDate> {
    DocumentFilters::default().add("before", value).map(|()| value.to_owned())
}

impl FilterArgs {
    /// The filters, with these formats.
    pub fn filters(&self, formats: &[String]) -> DocumentFilters {
        let mut filters = DocumentFilters::new(self.path.clone(), formats.to_vec());
        let FilterArgs { path: _, author, from, to, after, before, tag, lang } = self;
        let lists = [("author", author), ("from", from), ("to", to), ("tag", tag), ("lang", lang)];
        let lists =
            lists.into_iter().flat_map(|(name, values)| values.iter().map(move |value| (name, value)));
        let dates = [("after", after), ("before", before)];
        for (name, value) in
            lists.chain(dates.into_iter().flat_map(|(name, date)| Some((name, date.as_ref()?))))
        {
            // Dates were checked when the flags were read.
            let _ = filters.add(name, value);
        }
        filters
    }
}
