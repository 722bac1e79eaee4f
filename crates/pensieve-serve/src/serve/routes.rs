//! The endpoints of the API, one row each: the router, the check of parameters, the OpenAPI document and the tests read
//! this table.

use super::api::{self, ApiRequest};
use super::cursor::{self, List};
use super::parameter::{Parameter, ParameterKind};
use super::problem::{Kind, Problem};
use super::reply::Reply;
use crate::access::joined;
use pensieve_store::retrieval::{Expansion, PackOptions};
use pensieve_store::store::{
    DOCUMENT_FILTERS, FilterParameter, LastWord, RepeatedHits, SearchMode, WordMatch,
};
use pensieve_text::model::ProcessingStatus;
use pensieve_text::text::tokens::Tokenizer;

/// One endpoint.
pub struct Endpoint {
    /// Its path; names in braces are variable parts.
    pub path: &'static str,
    /// Its name in generated clients.
    pub name: &'static str,
    /// What it returns, in one line.
    pub about: &'static str,
    /// The parameters that can follow `?`.
    pub parameters: &'static [Parameter],
    /// Name of the schema of its answer.
    pub answer: &'static str,
    /// Answers a request.
    pub run: fn(&ApiRequest<'_>) -> Result<Reply, Problem>,
}

/// A variable part of a path.
#[derive(Debug, Clone, Copy)]
pub struct Part {
    /// Its name in braces.
    pub name: &'static str,
    /// What it is.
    pub about: &'static str,
}

/// Every variable part of a path.
const PARTS: &[Part] = &[
    Part { name: "doc_uid", about: "`doc_uid` of a document." },
    Part { name: "uid", about: "`doc_uid` of a mail; of a thread, its `thread_uid`." },
    Part { name: "id", about: "`content_hash` of a chunk, or its `chunk_id`." },
];

impl Endpoint {
    /// The variable parts of its path.
    pub fn parts(&self) -> impl Iterator<Item = &'static Part> {
        PARTS.iter().filter(|part| self.path.contains(&format!("{{{}}}", part.name)))
    }

    /// The kinds of problems that it may answer with.
    pub fn problems(&self) -> Vec<Kind> {
        let mut kinds = vec![Kind::WrongHost, Kind::TooLarge, Kind::LongAddress, Kind::WrongMethod];
        kinds.extend([Kind::Busy, Kind::Bug, Kind::BadParameter]);
        if self.path != HEALTH {
            kinds.push(Kind::NoToken);
        }
        if matches!(self.name, "search" | "pack") {
            kinds.extend([Kind::BadQuery, Kind::NoSearch]);
        }
        if self.answer == LINES {
            kinds.push(Kind::Expired);
        }
        if self.parts().next().is_some() {
            kinds.push(Kind::NotFound);
        }
        kinds
    }
}

/// The only endpoint that needs no token.
const HEALTH: &str = "/healthz";

/// The number of rows on a page of a list.
const LIMIT: Parameter = Parameter {
    name: "limit",
    about: "Rows at most; more than 500 are given as 500.",
    kind: ParameterKind::Number { least: 1, most: 500, default: 50 },
};

/// Which chunks a question finds.
const MATCH: Parameter = Parameter {
    name: "match",
    about: "What a query of words alone finds: chunks with `all` words, with `any`, or `auto`: those with \
            any follow where few have all.",
    kind: ParameterKind::OneOf(&WordMatch::NAMES),
};

/// What becomes of hits that mostly repeat an earlier one.
const REPEATS: Parameter = Parameter {
    name: "repeats",
    about: "Hits that mostly repeat an earlier one, in a database with a ledger of repetition: `fold` lists their places \
            with that one (`also`), `show` leaves them where they are.",
    kind: ParameterKind::OneOf(&RepeatedHits::NAMES),
};

/// What a question is compared with.
const MODE: Parameter = Parameter {
    name: "mode",
    about: "How chunks are found: by `words`, by `vectors` (their meaning), or `hybrid`, by both. Without it as the \
            configuration or the database says; where vectors cannot be used, words answer and `notes` says why.",
    kind: ParameterKind::OneOf(&SearchMode::NAMES),
};

/// Which documents.
const FILTERS: &[Parameter] = &{
    let mut all = [LIMIT; DOCUMENT_FILTERS.len()];
    let mut at = 0;
    while at < all.len() {
        let FilterParameter { name, about, .. } = DOCUMENT_FILTERS[at];
        all[at] = Parameter { name, about, kind: ParameterKind::Text };
        at += 1;
    }
    all
};

const fn cursor_of(list: List) -> Parameter {
    Parameter {
        name: "cursor",
        about: "`next_cursor` of the page before: the list continues after that page, whatever came or went meanwhile.",
        kind: ParameterKind::Cursor(list),
    }
}

/// A folder.
const FOLDER: Parameter = Parameter {
    name: "folder",
    about: "A folder by its path below its root (`notes/2024`), or a document that contains others.",
    kind: ParameterKind::Path,
};

/// The root of a folder.
const ROOT: Parameter = Parameter {
    name: "root",
    about: "`root_id` of that root; without it, the first.",
    kind: ParameterKind::Number { least: 0, most: 1 << 31, default: 0 },
};

/// The `answer` of endpoints whose answer is lines of JSON.
pub const LINES: &str = "Lines";

/// Every status by its stored name.
pub const STATUS: &[&str] = &{
    let mut names = [""; ProcessingStatus::ALL.len()];
    let mut at = 0;
    while at < names.len() {
        names[at] = ProcessingStatus::ALL[at].as_str();
        at += 1;
    }
    names
};

/// Every endpoint.
pub const ENDPOINTS: &[Endpoint] = &[
    Endpoint {
        path: HEALTH,
        name: "health",
        about: "Whether the database can be read; needs no token.",
        parameters: &[],
        answer: "Health",
        run: api::stats::health,
    },
    Endpoint {
        path: "/api/v3/docs",
        name: "listDocuments",
        about: "Documents by path.",
        parameters: &[
            Parameter {
                name: "query",
                about: "Words that the path, the title or the text has, all of them; each is taken as it is.",
                kind: ParameterKind::Text,
            },
            Parameter {
                name: "format",
                about: "Name of a format (`pdf`, `markdown`) or an extension (`md`).",
                kind: ParameterKind::Text,
            },
            Parameter {
                name: "status",
                about: "What became of the document; without it, every one that still exists.",
                kind: ParameterKind::OneOf(STATUS),
            },
            FOLDER,
            ROOT,
            LIMIT,
            cursor_of(cursor::DOCUMENTS),
        ],
        answer: "DocumentList",
        run: api::documents::list,
    },
    Endpoint {
        path: "/api/v3/folders",
        name: "listFolders",
        about: "The folders in a folder, each with what is below it.",
        parameters: &[FOLDER, ROOT],
        answer: "FolderList",
        run: api::folders::list,
    },
    Endpoint {
        path: "/api/v3/docs/{doc_uid}",
        name: "getDocument",
        about: "One document: where it is, what it is, how its text begins.",
        parameters: &[],
        answer: "Document",
        run: api::documents::one,
    },
    Endpoint {
        path: "/api/v3/docs/{doc_uid}/text",
        name: "getText",
        about: "The clean text of a document, or a part of it.",
        parameters: &[
            Parameter {
                name: "offset",
                about: "Characters to skip.",
                kind: ParameterKind::Number { least: 0, most: u64::MAX, default: 0 },
            },
            Parameter {
                name: "limit",
                about: "Characters at most; more than 1000000 are given as 1000000.",
                kind: ParameterKind::Number {
                    least: 1,
                    most: api::documents::MAX_PART_CHARACTERS,
                    default: api::documents::MAX_PART_CHARACTERS,
                },
            },
        ],
        answer: "TextPart",
        run: api::documents::text,
    },
    Endpoint {
        path: "/api/v3/docs/{doc_uid}/chunks",
        name: "listChunks",
        about: "The chunks of a document, in the order of its text.",
        parameters: &[LIMIT, cursor_of(cursor::CHUNKS)],
        answer: "ChunkList",
        run: api::chunks::list,
    },
    Endpoint {
        path: "/api/v3/chunks/{id}",
        name: "getChunk",
        about: "One chunk with its places.",
        parameters: &[],
        answer: "Chunk",
        run: api::chunks::one,
    },
    Endpoint {
        path: "/api/v3/search",
        name: "search",
        about: "Chunks by their words, best first.",
        parameters: &joined::<_, 18>(&[
            &[
                Parameter {
                    name: "query",
                    about: "Words and operators, as for `pensieve search`.",
                    kind: ParameterKind::RequiredText,
                },
                MODE,
                MATCH,
                REPEATS,
                Parameter {
                    name: "last_word",
                    about: "Whether the last of words alone is `whole`, or the beginning (`prefix`) of a word that is \
                        still being typed.",
                    kind: ParameterKind::OneOf(&LastWord::NAMES),
                },
            ],
            FILTERS,
            &[
                Parameter {
                    name: "limit",
                    about: "Hits at most; more than 100 are given as 100.",
                    kind: ParameterKind::Number { least: 1, most: 100, default: 10 },
                },
                Parameter {
                    name: "context",
                    about: "Neighbouring chunks on each side; more than 10 are given as 10.",
                    kind: ParameterKind::Number { least: 0, most: 10, default: 0 },
                },
                Parameter {
                    name: "expand",
                    about: "Adds the text around each hit as `expanded`: its section, its pages, or the chunks next to it.",
                    kind: ParameterKind::OneOf(&Expansion::NAMES),
                },
                cursor_of(cursor::HITS),
            ],
        ]),
        answer: "SearchResult",
        run: api::search::search,
    },
    Endpoint {
        path: "/api/v3/pack",
        name: "pack",
        about: "The best context for a question that fits a budget of tokens, each piece with its place and citation.",
        parameters: &joined::<_, 15>(&[
            &[
                Parameter {
                    name: "question",
                    about: "A question, or words and operators, as for `pensieve pack`.",
                    kind: ParameterKind::RequiredText,
                },
                Parameter {
                    name: "budget",
                    about: "Tokens of the pack as Markdown at most; more than 200000 are given as 200000.",
                    kind: ParameterKind::Number {
                        least: 1,
                        most: 200_000,
                        default: PackOptions::DEFAULT_BUDGET as u64,
                    },
                },
                Parameter {
                    name: "tokenizer",
                    about: "The encoding that counts tokens; without it, the one that the corpus was chunked by.",
                    kind: ParameterKind::OneOf(Tokenizer::NAMES),
                },
                MODE,
                MATCH,
            ],
            FILTERS,
            &[Parameter {
                name: "max_per_document",
                about: "Pieces of one document at most.",
                kind: ParameterKind::Number { least: 1, most: 1_000, default: 1_000 },
            }],
        ]),
        answer: "Pack",
        run: api::pack::pack,
    },
    Endpoint {
        path: "/api/v3/cite",
        name: "checkCitation",
        about: "The words of a citation, and whether their document still has them.",
        parameters: &[Parameter {
            name: "citation",
            about: "`pensieve:<doc_uid>/<start>-<end>/<8 to 12 hex digits>`.",
            kind: ParameterKind::RequiredText,
        }],
        answer: "CitedWords",
        run: api::citations::cite,
    },
    Endpoint {
        path: "/api/v3/changes",
        name: "listChanges",
        about: "What an outside index must do to be in step: lines of JSON, as `pensieve changes` prints them.",
        parameters: &[
            Parameter {
                name: "since",
                about: "The number of a run, or the `cursor` of any line; 0 is the whole state.",
                kind: ParameterKind::Text,
            },
            Parameter {
                name: "limit",
                about: "Lines before the last one at most, which then has `more`; more than 10000 are given as 10000, and fewer with long vectors.",
                kind: ParameterKind::Number { least: 1, most: 10_000, default: 1_000 },
            },
            Parameter {
                name: "vectors",
                about: "The name of a model: chunks come with its vectors, where they are stored.",
                kind: ParameterKind::Text,
            },
            Parameter {
                name: "dimensions",
                about: "Vectors of this many numbers, of a model that has several; 0 is as many as the model gives itself.",
                kind: ParameterKind::Number { least: 0, most: 1 << 31, default: 0 },
            },
        ],
        answer: LINES,
        run: api::changes::list,
    },
    Endpoint {
        path: "/api/v3/mails/{uid}",
        name: "getMail",
        about: "One mail with what is attached to it.",
        parameters: &[],
        answer: "Mail",
        run: api::mails::one,
    },
    Endpoint {
        path: "/api/v3/threads",
        name: "listThreads",
        about: "Threads of mails, the latest first.",
        parameters: &[LIMIT, cursor_of(cursor::THREADS)],
        answer: "ThreadList",
        run: api::mails::threads,
    },
    Endpoint {
        path: "/api/v3/threads/{uid}",
        name: "getThread",
        about: "One thread with its mails in order of date.",
        parameters: &[
            Parameter {
                name: "limit",
                about: "Mails at most, fewer where they are large; more than 100 are given as 100.",
                kind: ParameterKind::Number { least: 1, most: 100, default: 100 },
            },
            cursor_of(cursor::MAILS),
        ],
        answer: "Thread",
        run: api::mails::thread,
    },
    Endpoint {
        path: "/api/v3/stats",
        name: "getStatistics",
        about: "The corpus in numbers.",
        parameters: &[],
        answer: "Statistics",
        run: api::stats::stats,
    },
];
