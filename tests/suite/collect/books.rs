//! Books that nobody wrote, in the dress of Project Gutenberg, and manifests for them.

use std::fmt::Write;

const WORDS: &[&str] = &[
    "heron",
    "reed",
    "grey",
    "river",
    "stood",
    "water",
    "slowly",
    "under",
    "bridge",
    "morning",
    "nobody",
    "window",
    "letter",
    "garden",
    "road",
    "behind",
    "stone",
    "quiet",
    "miller",
    "wheel",
    "boat",
    "yellow",
    "lantern",
    "door",
    "walked",
    "carried",
    "folded",
    "answered",
    "remembered",
    "painted",
    "seldom",
    "always",
    "together",
    "against",
];

/// A chain of words that is the same for the same seed and different for others.
struct Chain(u64);

impl Chain {
    fn next(&mut self) -> &'static str {
        self.0 = self.0.wrapping_mul(6364136223846793005).wrapping_add(1442695040888963407);
        WORDS[(self.0 >> 33) as usize % WORDS.len()]
    }
}

/// A paragraph of sentences; `keyword` stands in the middle of it.
fn paragraph(chain: &mut Chain, words: usize, keyword: Option<&str>) -> String {
    let mut all: Vec<String> = Vec::new();
    for at in 0..words {
        let word = if at == words / 2 { keyword.unwrap_or_else(|| chain.next()) } else { chain.next() };
        let mut word = word.to_owned();
        if at % 11 == 0 {
            word = word[..1].to_uppercase() + &word[1..];
        }
        if at % 11 == 10 || at + 1 == words {
            word.push('.');
        }
        all.push(word);
    }
    all.chunks(11).map(|line| line.join(" ")).collect::<Vec<_>>().join("\n")
}

/// What a book is made of.
pub struct Book<'b> {
    pub id: u32,
    pub title: &'b str,
    pub author: &'b str,
    pub seed: u64,
    pub chapters: usize,
}

impl Book<'_> {
    /// Header, contents, chapters, licence.
    pub fn text(&self) -> String {
        let Book { id, title, author, .. } = self;
        let mut text = format!(
            "\u{feff}The Project Gutenberg EBook of {title}, by {author}\n\nThis eBook is for the use of anyone anywhere at no cost\n\n\
             Title: {title}\n\nAuthor: {author}\n\nRelease Date: May 1, 2001 [EBook #{id}]\n\nLanguage: English\n\n\
             Character set encoding: UTF-8\n\n*** START OF THIS PROJECT GUTENBERG EBOOK {} ***\n\n\n\nProduced by Ann Onym\n\n\n\n\n",
            title.to_uppercase()
        );
        text += &self.body();
        let _ = write!(
            text,
            "\n\n\n\n*** END OF THIS PROJECT GUTENBERG EBOOK {} ***\n\nUpdated editions will replace the previous one--the old \
             editions will be\nrenamed under the Project Gutenberg license.\n",
            title.to_uppercase()
        );
        text.replace('\n', "\r\n")
    }

    fn body(&self) -> String {
        let mut chain = Chain(self.seed);
        let mut text = format!("{}\n\n\n\n\nCONTENTS\n\n", self.title.to_uppercase());
        for chapter in 1..=self.chapters {
            let _ = write!(text, "CHAPTER {chapter}. Of herons\n\n");
        }
        for chapter in 1..=self.chapters {
            let _ = write!(text, "\n\n\nCHAPTER {chapter}\n\n");
            for at in 0..12 {
                let keyword = [None, Some("rain"), None, None, Some("jest"), None][at % 6];
                text += &paragraph(&mut chain, 90, keyword);
                text += "\n\n";
                if at == 2 {
                    text += "[Illustration: The heron,\nstanding]\n\n";
                }
                if at == 5 {
                    text += "“It is the _rain_,” said Tom. “I never saw the like of it in all my days\nof standing here.”\n\n";
                }
            }
        }
        text
    }
}

/// A manifest for books, with settings that make no test wait.
pub fn manifest(books: &[(&Book<'_>, &str)], sources: &str, rules: &str) -> String {
    let mut text = format!(
        "[collection]\nname = \"herons\"\nextraction_date = \"2026-02-03\"\n\n[sources]\ndelay_seconds = 0.0\n\
         retry_seconds = 0.01\nlongest_wait_seconds = 3.0\n{sources}\n\n[rules]\n{rules}\n\n[keywords.weather]\nwords = [\"rain\"]\n\n\
         [keywords.humor]\nwords = [\"jest\"]\n"
    );
    for (book, slug) in books {
        let _ = write!(
            text,
            "\n[[works]]\nauthor = \"{}\"\nauthor_id = \"other\"\ntitle = \"{}\"\nslug = \"{slug}\"\ngutenberg_id = {}\n\
             publication_year = 1899\ngenre_tags = [\"herons\"]\n",
            book.author, book.title, book.id
        );
    }
    text
}
