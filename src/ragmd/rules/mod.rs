//! The cleaning of `rag_v1`.

/// Cleans a Markdown text. What is clean stays as it is.
pub fn clean(text: &str) -> String {
    let mut cleaned = String::with_capacity(text.len());
    let mut blank = 0;
    for line in text.lines() {
        let line = line.trim_end();
        blank = if line.is_empty() { blank + 1 } else { 0 };
        if blank < 2 && !(cleaned.is_empty() && line.is_empty()) {
            cleaned.push_str(line);
            cleaned.push('\n');
        }
    }
    while cleaned.ends_with("\n\n") {
        cleaned.pop();
    }
    cleaned
}
