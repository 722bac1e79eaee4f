//! The table of all tools: names, descriptions, schemas.

use super::parameters::{ToolParameter, input_schema};
use super::{corpus_info, fetch, list_documents, pack, search, tables};
use rmcp::model::{JsonObject, Tool, ToolAnnotations};
use serde_json::{Value, json};
use std::sync::Arc;

/// The names of the tools.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum ToolName {
    /// Chunks by their words.
    Search,
    /// The text of a document, or of a citation.
    Fetch,
    /// Context for a question.
    Pack,
    /// Documents by path and format.
    ListDocuments,
    /// Tables of documents.
    FindTables,
    /// Values of tables.
    QueryTable,
    /// The corpora in numbers.
    CorpusInfo,
}

/// One tool.
pub struct ToolDefinition {
    /// Which one.
    pub tool: ToolName,
    /// Its name in the protocol.
    pub name: &'static str,
    about: &'static str,
    /// What it takes.
    pub parameters: &'static [ToolParameter],
    /// The fields of its result that are always there, with their types.
    fields: &'static [(&'static str, &'static str)],
}

/// Every tool.
pub const TOOLS: &[ToolDefinition] = &[
    ToolDefinition {
        tool: ToolName::Search,
        name: "search",
        about: "Find passages in the user's documents, best first, each with its places and a citation, to be quoted \
                when you use the text. Notes say how the words were understood and what is missing.",
        parameters: search::PARAMETERS,
        fields: &[("hits", "array"), ("total", "integer"), ("match", "string"), ("notes", "array")],
    },
    ToolDefinition {
        tool: ToolName::Fetch,
        name: "fetch",
        about: "Read a document, its outline or a part of it, or the words of a citation with the text around them. \
                Where there is a `next_offset`, continue with it as `offset`.",
        parameters: fetch::PARAMETERS,
        fields: &[("text", "string"), ("total_chars", "integer")],
    },
    ToolDefinition {
        tool: ToolName::Pack,
        name: "pack",
        about: "The best context for a question within a budget of tokens: passages of several documents, without \
                repetition, each with a citation.",
        parameters: pack::PARAMETERS,
        fields: &[
            ("question", "string"),
            ("budget", "integer"),
            ("tokens", "integer"),
            ("notes", "array"),
            ("pieces", "array"),
        ],
    },
    ToolDefinition {
        tool: ToolName::ListDocuments,
        name: "list_documents",
        about: "List documents by path, with tokens and date. Continue with `cursor`.",
        parameters: list_documents::PARAMETERS,
        fields: &[("documents", "array")],
    },
    ToolDefinition {
        tool: ToolName::FindTables,
        name: "find_tables",
        about: "Find tables of documents (sheets, CSV, tables of reports): columns, units, labels of rows.",
        parameters: tables::FIND_PARAMETERS,
        fields: &[("tables", "array")],
    },
    ToolDefinition {
        tool: ToolName::QueryTable,
        name: "query_table",
        about: "Exact values of a table, with the citation of each cell. Columns are SQL names in double quotes; also \
                `row`, and `section` where rows have group labels. `x 1000000`: numbers are in millions.",
        parameters: tables::QUERY_PARAMETERS,
        fields: &[("columns", "array"), ("rows", "array"), ("cells", "array")],
    },
    ToolDefinition {
        tool: ToolName::CorpusInfo,
        name: "corpus_info",
        about: "The corpora: folders, formats, numbers of documents, chunks and tokens, last update.",
        parameters: corpus_info::PARAMETERS,
        fields: &[("corpora", "array")],
    },
];

impl ToolDefinition {
    /// The tool of this name.
    pub fn named(name: &str) -> Option<&'static ToolDefinition> {
        TOOLS.iter().find(|tool| tool.name == name)
    }

    /// The tool as the protocol lists it.
    pub fn listed(&self) -> Tool {
        let annotations = ToolAnnotations::new().read_only(true).open_world(false);
        Tool::new(self.name, self.about, Arc::new(input_schema(self.parameters)))
            .with_raw_output_schema(Arc::new(self.output_schema()))
            .with_annotations(annotations)
    }

    fn output_schema(&self) -> JsonObject {
        let fields = self.fields.iter();
        let properties = fields.clone().map(|(name, kind)| {
            let schema = match *kind {
                "array" if *name == "rows" => json!({ "type": "array", "items": { "type": "array" } }),
                "array" if matches!(*name, "notes" | "columns") => {
                    json!({ "type": "array", "items": { "type": "string" } })
                }
                "array" => json!({ "type": "array", "items": { "type": "object" } }),
                kind => json!({ "type": kind }),
            };
            ((*name).to_owned(), schema)
        });
        let mut schema = JsonObject::new();
        schema.insert("type".to_owned(), "object".into());
        schema.insert("properties".to_owned(), Value::Object(properties.collect()));
        schema.insert("required".to_owned(), fields.map(|(name, _)| *name).collect::<Vec<_>>().into());
        schema
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use pensieve_text::text::tokens::Tokenizer;

    /// The tokens of all tools as a client receives them.
    const MAX_TOKENS: usize = 1800;

    #[test]
    fn all_tools_together_are_short() {
        let tools: Vec<Tool> = TOOLS.iter().map(ToolDefinition::listed).collect();
        let listed = serde_json::to_string(&tools).unwrap();
        let tokens = Tokenizer::named("cl100k_base").unwrap().counter().count(&listed);
        assert!(tokens < MAX_TOKENS, "{tokens} tokens: {listed}");
    }
}
