//! Messages in JSON, read by the shape of their export.

use super::conversation::{Conversation, Message};
use super::json::{JsonValue, parse};
use super::mapped_string::MappedString;
use super::shapes::{ChatShape, MessageOrder, SHAPES, TextMarkup};
use super::times::{is_later, time};
use crate::markdown::{TextRun, TextStyle, Words};
use rustc_hash::{FxHashMap, FxHashSet};
use std::sync::Arc;

/// The conversations of an export, none if it is no export that is known, and whether the text ends early.
pub(super) fn read(source: &str) -> (Vec<Conversation>, bool) {
    let Some((root, is_cut)) = parse(source) else { return (Vec::new(), false) };
    let of_shape = |shape: &'static ChatShape| {
        let reader = ShapeReader { source, shape, names: names_of(source, &root, shape) };
        let found: Vec<Conversation> =
            conversations(source, &root, shape).into_iter().filter_map(|value| reader.read(value)).collect();
        (!found.is_empty()).then_some(found)
    };
    (SHAPES.iter().find_map(of_shape).unwrap_or_default(), is_cut)
}

/// What may be conversations: the elements of lists of them, and the document.
fn conversations<'j>(source: &str, root: &'j JsonValue, shape: &ChatShape) -> Vec<&'j JsonValue> {
    let lists = shape.conversations.iter().filter_map(|path| root.at(source, path));
    let list = lists.filter(|value| matches!(value, JsonValue::List(_))).map(JsonValue::elements).next();
    list.unwrap_or_else(|| vec![root])
}

/// The names of people by what messages call them, as far as the messages have both.
fn names_of<'s>(source: &'s str, root: &JsonValue, shape: &ChatShape) -> FxHashMap<&'s str, &'s str> {
    let mut names = FxHashMap::default();
    if shape.markup == TextMarkup::Slack {
        for message in root.elements() {
            let key = message.get(source, "user").and_then(|user| user.written(source));
            let paths = shape.author.iter().filter(|path| path.contains('/'));
            let mut found = paths.filter_map(|path| message.at(source, path)?.written(source));
            if let (Some(key), Some(name)) = (key, found.find(|name| !name.is_empty())) {
                names.insert(key, name);
            }
        }
    }
    names
}

/// Reads conversations of one shape.
struct ShapeReader<'s> {
    source: &'s str,
    shape: &'static ChatShape,
    names: FxHashMap<&'s str, &'s str>,
}

impl<'s> ShapeReader<'s> {
    fn read(&self, conversation: &JsonValue) -> Option<Conversation> {
        let list = conversation.at(self.source, self.shape.messages)?;
        if !matches!(list, JsonValue::List(_) | JsonValue::Map(_)) {
            return None;
        }
        let messages: Vec<Message> =
            self.ordered(list).into_iter().filter_map(|element| self.message(element)).collect();
        let title = self.first(conversation, self.shape.title);
        (!messages.is_empty()).then(|| Conversation {
            title: title.map(|value| self.string(value).words()).unwrap_or_default(),
            messages,
            is_markdown: self.shape.markup == TextMarkup::Markdown,
        })
    }

    /// The elements of a list of messages in the order of the conversation.
    fn ordered<'j>(&self, list: &'j JsonValue) -> Vec<&'j JsonValue> {
        let elements = list.elements();
        match self.shape.order {
            MessageOrder::Listed => self.oldest_first(elements),
            MessageOrder::Tree(parent) => match list {
                JsonValue::Map(fields) => {
                    let keys = fields.iter().map(|(key, _)| &self.source[key.range()]).collect();
                    self.branches(elements, keys, parent, usize::MAX)
                }
                _ => elements,
            },
            MessageOrder::Threads(first, own) => {
                let elements = self.oldest_first(elements);
                let key = |element: &&JsonValue| element.at(self.source, own)?.written(self.source);
                let keys = elements.iter().map(|element| key(element).unwrap_or_default()).collect();
                self.branches(elements, keys, first, 1)
            }
        }
    }

    fn oldest_first<'j>(&self, mut elements: Vec<&'j JsonValue>) -> Vec<&'j JsonValue> {
        let time = |element: &JsonValue| self.first(element, self.shape.time)?.written(self.source);
        let ends = elements.first().zip(elements.last());
        let times = ends.and_then(|(first, last)| time(first).zip(time(last)));
        if times.is_some_and(|(first, last)| is_later(first, last)) {
            elements.reverse();
        }
        elements
    }

    /// Each element followed by those that name it as the one above, at most so many levels deep.
    fn branches<'j>(
        &self,
        elements: Vec<&'j JsonValue>,
        keys: Vec<&'s str>,
        above: &str,
        levels: usize,
    ) -> Vec<&'j JsonValue> {
        let known: FxHashMap<&str, usize> = keys.iter().copied().zip(0..).collect();
        let mut below: FxHashMap<usize, Vec<usize>> = FxHashMap::default();
        let mut waiting = Vec::new();
        for (at, element) in elements.iter().enumerate() {
            let parent = element.at(self.source, above).and_then(|value| value.written(self.source));
            match parent.and_then(|parent| known.get(parent)).filter(|&&parent| parent != at) {
                Some(&parent) => below.entry(parent).or_default().push(at),
                None => waiting.push((at, 0)),
            }
        }
        waiting.reverse();
        let mut ordered = Vec::with_capacity(elements.len());
        let mut seen = FxHashSet::default();
        while let Some((at, level)) = waiting.pop() {
            if seen.insert(at) {
                ordered.push(elements[at]);
                let children = below.remove(&at).unwrap_or_default();
                waiting.extend(
                    children.into_iter().rev().filter(|_| level < levels).map(|child| (child, level + 1)),
                );
            }
        }
        // Those that name each other in a circle are where they are written.
        ordered.extend((0..elements.len()).filter(|at| !seen.contains(at)).map(|at| elements[at]));
        ordered
    }

    fn message(&self, element: &JsonValue) -> Option<Message> {
        let message = element.at(self.source, self.shape.message)?;
        if self.shape.required.iter().any(|path| message.at(self.source, path).is_none()) {
            return None;
        }
        let mut text = Words::default();
        for path in self.shape.text {
            if let Some(value) = message.at(self.source, path)
                && text.is_blank()
            {
                text = Words::default();
                self.add_text(value, &mut text);
            }
        }
        self.add_files(message, &mut text);
        let author = self.first(message, self.shape.author);
        let sent = self.first(message, self.shape.time).and_then(|value| value.written(self.source));
        (!text.is_blank()).then(|| Message {
            author: author.map(|value| self.name(value)).unwrap_or_default(),
            time: sent.map(time).unwrap_or_default(),
            text: trimmed(text),
        })
    }

    /// The first of these paths with a value that says something.
    fn first<'j>(&self, value: &'j JsonValue, paths: &[&str]) -> Option<&'j JsonValue> {
        let found = paths.iter().filter_map(|path| value.at(self.source, path));
        found.into_iter().find(|value| value.written(self.source).is_some_and(|word| !word.is_empty()))
    }

    fn string(&self, value: &JsonValue) -> MappedString {
        match value {
            JsonValue::Text(span) => MappedString::of(self.source, *span, self.shape.mends_bytes),
            JsonValue::Word(span) => MappedString::literal(self.source, *span),
            _ => MappedString::default(),
        }
    }

    fn name(&self, value: &JsonValue) -> Words {
        let known = value.written(self.source).and_then(|key| self.names.get(key));
        known.map_or_else(|| self.string(value).words(), |name| Words::plain(*name))
    }

    /// Adds a text: a string, a list of parts, or an object with the text of a part.
    fn add_text(&self, value: &JsonValue, words: &mut Words) {
        match value {
            JsonValue::Text(_) if self.shape.markup == TextMarkup::Slack => {
                self.add_slack(&self.string(value), words);
            }
            JsonValue::Text(_) => {
                self.string(value).words().0.into_iter().for_each(|run| words.push(run));
            }
            JsonValue::Word(_) => {}
            JsonValue::List(parts) => parts.iter().for_each(|part| self.add_part(part, words)),
            JsonValue::Map(_) => self.add_part(value, words),
        }
    }

    /// Adds a part of a text, with the look that it declares.
    fn add_part(&self, part: &JsonValue, words: &mut Words) {
        if self.shape.markup == TextMarkup::Markdown && !words.is_blank() {
            words.push_plain("\n\n");
        }
        let Some(text) = part.get(self.source, "text") else {
            if matches!(part, JsonValue::Text(_)) {
                self.add_text(part, words);
            }
            return;
        };
        let value = |key: &str| part.get(self.source, key).and_then(|value| value.written(self.source));
        let style = match value("type") {
            Some("bold") => TextStyle { strong: true, ..TextStyle::default() },
            Some("italic") => TextStyle { emphasis: true, ..TextStyle::default() },
            Some("strikethrough") => TextStyle { strike: true, ..TextStyle::default() },
            Some("code" | "pre") => TextStyle { code: true, ..TextStyle::default() },
            _ => TextStyle::default(),
        };
        let link = part.get(self.source, "href").map(|href| Arc::from(self.string(href).text.as_str()));
        let text = self.string(text);
        text.push_to(words, 0..text.text.len(), style, link.as_ref());
    }

    /// Adds the names of files that came with a message.
    fn add_files(&self, message: &JsonValue, words: &mut Words) {
        for (list, key) in self.shape.files {
            let files = message.at(self.source, list).map(JsonValue::elements).unwrap_or_default();
            for name in files.into_iter().filter_map(|file| file.get(self.source, key)) {
                if !words.is_blank() {
                    words.push_plain(if self.shape.markup == TextMarkup::Markdown { "\n\n" } else { " " });
                }
                words.push_plain("[");
                self.string(name).words().0.into_iter().for_each(|run| words.push(run));
                words.push_plain("]");
            }
        }
    }

    /// Adds a text of Slack: names for people and channels, words for links.
    fn add_slack(&self, string: &MappedString, words: &mut Words) {
        let (text, plain) = (string.text.as_str(), TextStyle::default());
        let mut at = 0;
        while let Some(found) = text[at..].find(['<', '&']).map(|found| at + found) {
            string.push_to(words, at..found, plain, None);
            let close = text[found..].find('>').map(|end| found + end);
            let entity = ENTITIES.iter().find(|(written, _)| text[found..].starts_with(written));
            at = match (entity, close.filter(|_| text[found..].starts_with('<'))) {
                (Some((written, sign)), _) => {
                    words.push_plain(sign);
                    found + written.len()
                }
                (None, Some(close)) => {
                    self.add_reference(string, found + 1, close, words);
                    close + 1
                }
                (None, None) => {
                    string.push_to(words, found..found + 1, plain, None);
                    found + 1
                }
            };
        }
        string.push_to(words, at..text.len(), plain, None);
    }

    /// Adds what stands between `<` and `>`: a person, a channel, a call, or a link.
    fn add_reference(&self, string: &MappedString, start: usize, end: usize, words: &mut Words) {
        let inside = &string.text[start..end];
        let (target, label) = match inside.split_once('|') {
            Some((target, label)) => {
                (target, Some(start + target.len() + 1..end).filter(|_| !label.is_empty()))
            }
            None => (inside, None),
        };
        let sign = match target.chars().next() {
            Some('@' | '!') => "@",
            Some('#') => "#",
            _ => {
                let link: Arc<str> = target.replace("&amp;", "&").into();
                let shown = label.unwrap_or(start..start + target.len());
                return string.push_to(words, shown, TextStyle::default(), Some(&link));
            }
        };
        let name = self.names.get(&target[1..]);
        words.push_plain(if target.starts_with("!date") { "" } else { sign });
        match (label, name) {
            (Some(label), _) => string.push_to(words, label, TextStyle::default(), None),
            (None, Some(name)) => words.push_plain(name),
            (None, None) => string.push_to(words, start + 1..end, TextStyle::default(), None),
        }
    }
}

/// The signs that Slack escapes.
const ENTITIES: &[(&str, &str)] = &[("&amp;", "&"), ("&lt;", "<"), ("&gt;", ">")];

/// Words without line ends around them.
fn trimmed(mut words: Words) -> Words {
    let cut = |run: &mut TextRun, start: usize, end: usize| {
        run.source = run.source.map(|mut span| {
            (span.start, span.end) = (span.start + start, span.start + end);
            span
        });
        run.text = run.text[start..end].to_owned();
    };
    while let Some(run) = words.0.first_mut() {
        let start = run.text.len() - run.text.trim_start_matches('\n').len();
        let end = run.text.len();
        cut(run, start, end);
        if !run.text.is_empty() {
            break;
        }
        words.0.remove(0);
    }
    while let Some(run) = words.0.last_mut() {
        let end = run.text.trim_end().len();
        cut(run, 0, end);
        if !run.text.is_empty() {
            break;
        }
        words.0.pop();
    }
    words
}
