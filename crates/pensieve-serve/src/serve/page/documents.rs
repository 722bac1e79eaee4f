//! The documents: folders opened step by step, or a filtered list, in any order.

use super::crumbs::{crumbs, folder_link};
use super::paging::NumberedPage;
use super::template::page_template;
use super::words::{address, day, document, name, readable};
use crate::serve::api::ApiRequest;
use crate::serve::problem::Problem;
use crate::serve::reply::Reply;
use crate::serve::routes::STATUS;
use maud::{Markup, html};
use pensieve_store::store::{DocumentFilter, DocumentRow, DocumentSort, FolderPath, FolderRow, ListPart};
use pensieve_text::model::numbers::{bytes, count, counted};
use std::cmp::Reverse;
use std::collections::HashMap;

/// The directions of an order in addresses.
pub const DIRECTIONS: &[&str] = &["ascending", "descending"];

/// What the address asks for.
struct ListRequest<'a> {
    query: &'a str,
    format: &'a str,
    status: &'a str,
    /// The folder; without one, every root.
    folder: Option<FolderPath>,
    root: String,
    sort: &'a str,
    direction: &'a str,
    limit: usize,
    number: usize,
}

/// One page of the list.
struct ListPage {
    folders: Vec<FolderLine>,
    documents: Vec<DocumentRow>,
    members: HashMap<i64, u64>,
    /// Titles by the row that has the text.
    titles: HashMap<i64, String>,
    folder_total: usize,
    document_total: usize,
    number: usize,
    pages: usize,
}

/// A folder of the list with its link.
struct FolderLine {
    link: String,
    row: FolderRow,
}

/// `/docs`
pub fn page(ask: &ApiRequest<'_>) -> Result<Reply, Problem> {
    let request = ListRequest::of(ask)?;
    let list = request.list(ask)?;
    let path = request.folder.as_ref().map_or("", |folder| folder.relative_path.as_str());
    let here = path.rsplit('/').next().unwrap_or_default();
    let container =
        request.folder.as_ref().map(|folder| ask.store.documents().uid_at(folder)).transpose()?.flatten();
    let parameters = request.parameters();
    let pages = NumberedPage {
        label: "Pages of the list",
        path: "/docs",
        parameters: &parameters,
        number: list.number,
        total: list.pages,
    };
    let main = html! {
        @if path.is_empty() { h1 { "Documents" } } @else {
            nav .crumbs aria-label="Folders above" { (crumbs(request.root_id(), path, true)) }
            h1 .path { bdi { (here) } }
        }
        (request.form())
        p .count role="status" {
            (list.summary(request.is_filtered()))
            @if let Some(uid) = &container { " inside " a href=(document(uid)) { "this document" } }
        }
        (request.table(&list))
        (pages.links_and_form())
    };
    Ok(page_template(ask.site, if here.is_empty() { "Documents" } else { here }, "/docs", main))
}

impl<'a> ListRequest<'a> {
    fn of(ask: &'a ApiRequest<'_>) -> Result<ListRequest<'a>, Problem> {
        let value = |name: &str| ask.values.text(name).unwrap_or_default();
        let roots = ask.store.roots().all()?;
        let root_id = match (ask.values.number("root"), roots.as_slice()) {
            (0, [only]) => Some(only.root_id),
            (0, [first, ..]) if !value("folder").is_empty() => Some(first.root_id),
            (0, _) => None,
            (given, _) => Some(given as i64),
        };
        let relative_path = value("folder").trim_matches('/').to_owned();
        Ok(ListRequest {
            query: value("query"),
            format: value("format"),
            status: value("status"),
            folder: root_id.map(|root_id| FolderPath { root_id, relative_path }),
            root: root_id.filter(|_| roots.len() > 1).map(|id| id.to_string()).unwrap_or_default(),
            sort: value("sort"),
            direction: value("order"),
            limit: ask.values.number("limit"),
            number: ask.values.number("page"),
        })
    }

    fn root_id(&self) -> i64 {
        self.folder.as_ref().map_or(0, |folder| folder.root_id)
    }

    /// True if documents at any depth are listed.
    fn is_filtered(&self) -> bool {
        [self.query, self.format, self.status].iter().any(|value| !value.trim().is_empty())
    }

    fn sort(&self) -> DocumentSort {
        DocumentSort::from_name(self.sort).unwrap_or_default()
    }

    /// As requested; else the largest and latest come first, and names from A to Z.
    fn is_descending(&self) -> bool {
        match self.direction {
            "" => !matches!(self.sort(), DocumentSort::Name | DocumentSort::Status),
            direction => direction == DIRECTIONS[1],
        }
    }

    /// The parameters that lead to this list.
    fn parameters(&self) -> Vec<(&str, &str)> {
        let folder = self.folder.as_ref().map_or("", |folder| folder.relative_path.as_str());
        vec![
            ("query", self.query),
            ("format", self.format),
            ("status", self.status),
            ("root", &self.root),
            ("folder", folder),
            ("sort", self.sort),
            ("order", self.direction),
        ]
    }

    /// Folders come first, then documents; a page may have both.
    fn list(&self, ask: &ApiRequest<'_>) -> Result<ListPage, Problem> {
        let given = |value: &str| Some(value.trim().to_owned()).filter(|value| !value.is_empty());
        let filter = DocumentFilter {
            query: given(self.query),
            format: given(self.format),
            status: given(self.status),
            folder: self.folder.clone(),
            is_direct: !self.is_filtered(),
            ..DocumentFilter::default()
        };
        let mut folders = if self.is_filtered() { Vec::new() } else { self.folders(ask)? };
        let lists_documents = self.is_filtered() || self.folder.is_some();
        let document_total = if lists_documents { ask.store.documents().count(&filter)? } else { 0 };
        let folder_total = folders.len();
        let pages = (folder_total + document_total).div_ceil(self.limit).max(1);
        let number = self.number.min(pages);
        let start = (number - 1) * self.limit;
        folders = folders.into_iter().skip(start).take(self.limit).collect();
        let part = ListPart {
            sort: self.sort(),
            is_descending: self.is_descending(),
            offset: start.saturating_sub(folder_total),
            limit: if lists_documents { self.limit - folders.len() } else { 0 },
        };
        let documents = ask.store.documents().part(&filter, &part)?;
        let members = ask.store.documents().member_counts(documents.iter().map(|row| row.file_id))?;
        let titles = ask.store.documents().titles(documents.iter().map(|row| row.text_id))?;
        Ok(ListPage { folders, documents, members, titles, folder_total, document_total, number, pages })
    }

    /// The folders directly in the folder; of several roots, the roots.
    fn folders(&self, ask: &ApiRequest<'_>) -> Result<Vec<FolderLine>, Problem> {
        let Some(folder) = &self.folder else { return roots(ask) };
        let rows = ask.store.documents().folders(folder)?;
        let line = |row: FolderRow| FolderLine {
            link: self.in_order(&folder_link(folder.root_id, &row.relative_path)),
            row,
        };
        let mut lines: Vec<FolderLine> = rows.into_iter().map(line).collect();
        match self.sort() {
            DocumentSort::Size => lines.sort_by_key(|line| Reverse(line.row.size_bytes)),
            DocumentSort::Tokens => lines.sort_by_key(|line| Reverse(line.row.estimated_tokens)),
            _ => lines.sort_by(|a, b| b.row.name.cmp(&a.row.name)),
        }
        let is_name = !matches!(self.sort(), DocumentSort::Size | DocumentSort::Tokens);
        let largest_first = if is_name {
            self.sort() == DocumentSort::Name && self.is_descending()
        } else {
            self.is_descending()
        };
        if !largest_first {
            lines.reverse();
        }
        Ok(lines)
    }

    /// The address of a folder in the same order.
    fn in_order(&self, link: &str) -> String {
        let order = address("", &[("sort", self.sort), ("order", self.direction)]);
        format!("{link}{}", order.replacen('?', "&", 1))
    }

    fn form(&self) -> Markup {
        let path = self.folder.as_ref().map_or("", |folder| folder.relative_path.as_str());
        html! {
            form .filters action="/docs" {
                @for (name, value) in [("root", self.root.as_str()), ("folder", path)] {
                    @if !value.is_empty() { input type="hidden" name=(name) value=(value); }
                }
                div .wide {
                    label for="query" { "Name or text" @if !path.is_empty() { ", in this folder" } }
                    input #query name="query" type="search" value=(self.query);
                }
                div { label for="format" { "Format" } input #format name="format" value=(self.format) placeholder="any" size="10"; }
                div {
                    label for="status" { "Status" }
                    select #status name="status" {
                        option value="" { "any" }
                        @for known in STATUS {
                            option value=(known) selected[*known == self.status] { (readable(known)) }
                        }
                    }
                }
                div {
                    label for="sort" { "Sorted by" }
                    select #sort name="sort" {
                        @for known in DocumentSort::NAMES {
                            option value=(known) selected[DocumentSort::from_name(known) == Some(self.sort())] { (known) }
                        }
                    }
                }
                button { "Show" }
            }
        }
    }

    fn table(&self, list: &ListPage) -> Markup {
        if list.folders.is_empty() && list.documents.is_empty() {
            return html! { p .quiet { (if self.is_filtered() { "No document is like this." } else { "There are no documents here." }) } };
        }
        html! {
            table .list {
                thead { tr {
                    (self.heading("Name", "name", false)) th scope="col" { "Format" } (self.heading("Status", "status", false))
                    (self.heading("Changed", "date", false)) (self.heading("Tokens", "tokens", true)) (self.heading("Size", "size", true))
                } }
                tbody {
                    @for folder in &list.folders { (folder_line(folder)) }
                    @for row in &list.documents {
                        (line(row, list, self.is_filtered()))
                    }
                }
            }
        }
    }

    /// The heading of a column, which sorts by it; of the current one, in the other direction.
    fn heading(&self, title: &str, sort: &str, is_number: bool) -> Markup {
        let is_current = DocumentSort::from_name(sort) == Some(self.sort());
        let current = if self.is_descending() { DIRECTIONS[1] } else { DIRECTIONS[0] };
        let other = if self.is_descending() { DIRECTIONS[0] } else { DIRECTIONS[1] };
        let mut parameters = self.parameters();
        parameters.retain(|(name, _)| !matches!(*name, "sort" | "order"));
        parameters.extend([("sort", sort), ("order", if is_current { other } else { "" })]);
        html! {
            th .number[is_number] scope="col" aria-sort=[is_current.then_some(current)] {
                a href=(address("/docs", &parameters)) {
                    (title) @if is_current { span aria-hidden="true" { (if self.is_descending() { " ↓" } else { " ↑" }) } }
                }
            }
        }
    }
}

/// The roots as folders. Their paths are those of this machine, and are shown only where paths are.
fn roots(ask: &ApiRequest<'_>) -> Result<Vec<FolderLine>, Problem> {
    let redactor = ask.redactor()?;
    let line = |row: FolderRow, root_id: i64| {
        let root = redactor.roots().iter().find(|root| root.root_id == root_id);
        let name =
            root.and_then(|root| redactor.path(&root.path)).unwrap_or_else(|| format!("Root {root_id}"));
        FolderLine { link: folder_link(root_id, ""), row: FolderRow { name, ..row } }
    };
    let rows = ask.store.documents().root_folders()?;
    Ok(rows.into_iter().map(|(root_id, row)| line(row, root_id)).collect())
}

impl ListPage {
    fn summary(&self, is_filtered: bool) -> String {
        let documents = counted(self.document_total as u64, "document");
        match self.folder_total {
            0 => documents,
            _ if is_filtered => documents,
            folders if self.document_total == 0 => counted(folders as u64, "folder"),
            folders => format!("{}, {documents}", counted(folders as u64, "folder")),
        }
    }
}

fn folder_line(folder: &FolderLine) -> Markup {
    let row = &folder.row;
    html! {
        tr .is-folder {
            td .name { a href=(folder.link) { bdi { (row.name) } span .folder { "/" } } }
            td .below colspan="3" { (counted(row.documents, "document")) }
            td .number .tokens { (count(row.estimated_tokens)) }
            td .number { (bytes(row.size_bytes)) }
        }
    }
}

/// A document: in a folder by its own name, in a filtered list by its path; the title after it.
fn line(row: &DocumentRow, list: &ListPage, is_filtered: bool) -> Markup {
    let own_name = html! { bdi { (row.filename) } };
    html! {
        tr {
            td .name {
                a href=(document(&row.doc_uid)) { (if is_filtered { name(&row.name) } else { own_name }) }
                @if let Some(members) = list.members.get(&row.file_id) {
                    " " a .tag href=(folder_link(row.root_id, &row.relative_path)) { (count(*members)) " inside" }
                }
                @if let Some(title) = list.titles.get(&row.text_id) { " " bdi .subtitle { (title) } }
            }
            td .none[row.format.is_none()] { (row.format.as_deref().unwrap_or("–")) }
            td {
                span .status .{ "s-" (row.status) } { (readable(&row.status)) }
                @if row.canonical_uid.is_some() { " " span .tag { "duplicate" } }
                @if row.needs_review { " " span .tag .warn { "review" } }
            }
            td .date .none[row.modified.is_none()] { (row.modified.as_deref().map_or("–", day)) }
            td .number .tokens .none[row.tokens.is_none()] { (row.tokens.map_or_else(|| "–".to_owned(), count)) }
            td .number { (bytes(row.size)) }
        }
    }
}
