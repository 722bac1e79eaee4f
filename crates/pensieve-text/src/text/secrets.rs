//! Secret values in environment files: names, comments and harmless values stay, the rest of such a file is shown as it is.
//!
//! A value is secret if its name says so (`DB_PASSWORD`), or if it has the form of a known token whatever its name; of an
//! address with a user and a password, the password is secret.

use super::edits::Edits;
use crate::model::Segment;

/// What stands in the place of a secret.
const MASK: &str = "***";

/// Parts of names of secret values, as frameworks and services call them in their own examples.
const SECRET_WORDS: &[&str] = &[
    "apikey",
    "auth",
    "bearer",
    "cert",
    "cookie",
    "cred",
    "creds",
    "credential",
    "credentials",
    "dsn",
    "jwt",
    "key",
    "keys",
    "mnemonic",
    "otp",
    "pass",
    "passcode",
    "passphrase",
    "passwd",
    "password",
    "passwords",
    "pat",
    "pin",
    "private",
    "psk",
    "pw",
    "pwd",
    "salt",
    "secret",
    "secrets",
    "seed",
    "session",
    "sid",
    "signature",
    "token",
    "tokens",
    "webhook",
];

/// Endings of names in which no separator divides the words, as in `PGPASSWORD` and `AUTHTOKEN`.
const SECRET_ENDS: &[&str] = &["apikey", "passphrase", "passwd", "password", "secret", "token"];

/// Beginnings of tokens, with the fewest characters that follow them: those that the services document, so that their tokens
/// can be found when they leak. The counts are a little below what is issued, and above any word.
const TOKENS: &[(&str, usize)] = &[
    ("AKIA", 16),
    ("ASIA", 16),
    ("AIza", 30),
    ("EAAC", 30),
    ("SG.", 30),
    ("dckr_pat_", 16),
    ("dop_v1_", 32),
    ("eyJ", 30),
    ("gho_", 20),
    ("ghp_", 20),
    ("ghr_", 20),
    ("ghs_", 20),
    ("ghu_", 20),
    ("github_pat_", 20),
    ("glpat-", 16),
    ("glrt-", 16),
    ("hf_", 20),
    ("hvs.", 20),
    ("lin_api_", 20),
    ("npm_", 30),
    ("ntn_", 20),
    ("pypi-", 30),
    ("rk_live_", 16),
    ("rk_test_", 16),
    ("secret_", 30),
    ("shpat_", 20),
    ("sk-", 20),
    ("sk_live_", 16),
    ("sk_test_", 16),
    ("whsec_", 16),
    ("xapp-", 16),
    ("xoxa-", 10),
    ("xoxb-", 10),
    ("xoxp-", 10),
    ("xoxr-", 10),
    ("xoxs-", 10),
    ("ya29.", 20),
];

/// Values of which none is a secret, whatever its name.
const HARMLESS: &[&str] = &["true", "false", "yes", "no", "on", "off", "null", "none"];

/// Masks the secret values of an environment file, which must be whole.
///
/// Cost: one pass over the text.
pub fn mask_secrets(segment: Segment) -> Segment {
    let (text, mut edits, mut at) = (segment.text.as_str(), Edits::default(), 0);
    while at < text.len() {
        let end = text[at..].find('\n').map_or(text.len(), |length| at + length);
        at = match assignment(&text[at..end]) {
            Some((name, value)) => mask_value(text, at + value, is_secret_name(name), &mut edits),
            None => mask_words(text, at, end, &mut edits),
        };
    }
    edits.apply(segment)
}

/// The name of a line that sets a variable, commented out or not, and where its value begins.
fn assignment(line: &str) -> Option<(&str, usize)> {
    let mut rest = line.trim_start_matches(|c: char| c.is_whitespace() || c == '#' || c == ';');
    for word in ["export", "set", "setenv", "SET"] {
        let after = rest.strip_prefix(word).filter(|after| after.starts_with([' ', '\t']));
        rest = after.map_or(rest, str::trim_start);
    }
    let length =
        rest.find(|c: char| !c.is_alphanumeric() && !matches!(c, '_' | '-' | '.')).unwrap_or(rest.len());
    let (name, rest) = rest.split_at(length);
    let value = rest.trim_start_matches([' ', '\t']).strip_prefix(['=', ':'])?;
    let value = value.strip_prefix('=').unwrap_or(value).trim_start_matches([' ', '\t']);
    (!name.is_empty()).then_some((name, line.len() - value.len()))
}

/// True for a name that speaks of a secret.
fn is_secret_name(name: &str) -> bool {
    let mut words = vec![String::new()];
    let mut before = '_';
    for c in name.chars() {
        // A capital begins a word after a small letter: `dbPassword`.
        if !c.is_alphanumeric() || c.is_uppercase() && before.is_lowercase() {
            words.push(String::new());
        }
        before = c;
        words
            .last_mut()
            .into_iter()
            .for_each(|word| word.extend(c.to_lowercase().filter(|c| c.is_alphanumeric())));
    }
    let bare = |word: &String| word.trim_end_matches(|c: char| c.is_ascii_digit()).to_owned();
    words.iter().map(bare).any(|word| {
        SECRET_WORDS.contains(&word.as_str()) || SECRET_ENDS.iter().any(|end| word.ends_with(end))
    })
}

/// Masks a value, which may be in quotes and have several lines, or only its tokens. Returns where the next line begins.
fn mask_value(text: &str, start: usize, is_secret: bool, edits: &mut Edits) -> usize {
    let line_end = text[start..].find('\n').map_or(text.len(), |length| start + length);
    let quote = text[start..line_end].chars().next().filter(|c| matches!(c, '"' | '\'' | '`'));
    let (from, to) = match quote {
        Some(quote) => (start + 1, closing(text, start + 1, quote).unwrap_or(line_end)),
        None => {
            let value = &text[start..line_end];
            let comment = value.find(" #").or_else(|| value.find("\t#")).unwrap_or(value.len());
            (start, start + value[..comment].trim_end().len())
        }
    };
    let value = &text[from..to];
    let is_key = value.contains("PRIVATE KEY");
    if (is_secret || is_key) && !is_harmless(value) {
        edits.replace(from, to, MASK);
    } else {
        mask_words(text, from, to, edits);
    }
    let end = text[to..].find('\n').map_or(text.len(), |length| to + length);
    mask_words(text, to, end, edits)
}

/// Where a quote ends: at the same mark without a backslash before it.
fn closing(text: &str, start: usize, quote: char) -> Option<usize> {
    let mut is_escaped = false;
    text[start..].char_indices().find_map(|(at, c)| {
        let ends = c == quote && !is_escaped;
        is_escaped = c == '\\' && !is_escaped && quote != '\'';
        ends.then_some(start + at)
    })
}

/// True for a value that says nothing: an empty one, a word for yes or no, another variable.
fn is_harmless(value: &str) -> bool {
    let value = value.trim();
    let variable = value.strip_prefix('$').map(|name| name.trim_start_matches('{').trim_end_matches('}'));
    let is_name = |name: &str| !name.is_empty() && name.chars().all(|c| c.is_alphanumeric() || c == '_');
    value.is_empty()
        || HARMLESS.iter().any(|word| value.eq_ignore_ascii_case(word))
        || variable.is_some_and(is_name)
}

/// Masks the tokens and the passwords of addresses in part of a line. Returns where the next line begins.
fn mask_words(text: &str, start: usize, end: usize, edits: &mut Edits) -> usize {
    let is_edge = |c: char| {
        c.is_whitespace() || matches!(c, '"' | '\'' | '`' | '=' | ',' | ';' | '(' | ')' | '<' | '>')
    };
    let mut at = start;
    for word in text[start..end].split(is_edge) {
        if let Some((from, to)) = password_of(word) {
            edits.replace(at + from, at + to, MASK);
        } else if is_token(word) {
            edits.replace(at, at + word.len(), MASK);
        }
        at += word.len();
        at += text[at..end].chars().next().map_or(0, char::len_utf8);
    }
    if end < text.len() { end + 1 } else { end }
}

/// True for a word with the form of a token that a known service gives.
fn is_token(word: &str) -> bool {
    TOKENS.iter().any(|(start, length)| {
        word.strip_prefix(start).is_some_and(|rest| {
            let known = |c: char| c.is_ascii_alphanumeric() || matches!(c, '_' | '-' | '.' | '/' | '+');
            rest.len() >= *length && rest.chars().all(known)
        })
    })
}

/// The place of the password in an address such as `postgres://user:password@host/`.
fn password_of(word: &str) -> Option<(usize, usize)> {
    let start = word.find("://")? + 3;
    let authority = word[start..].find(['/', '?', '#']).map_or(word.len(), |length| start + length);
    // A password may have an `@` and even a slash, if it was not written as it should be.
    let at = start + word[start..authority].rfind('@').or_else(|| word[start..].rfind('@'))?;
    let colon = start + word[start..at].find(':')?;
    (colon + 1 < at && !word[colon + 1..at].starts_with('$')).then_some((colon + 1, at))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::model::{LineAnchor, SpanMap};

    fn check(text: &str, expected: &str) {
        let segment = Segment {
            text: text.to_owned(),
            map: SpanMap::identity(text.len(), 0),
            lines: vec![LineAnchor { out: 0, line: 1 }],
            ..Segment::default()
        };
        assert_eq!(mask_secrets(segment).text, expected);
    }

    #[test]
    fn values_of_secret_names_are_masked() {
        check("DB_PASSWORD=a b # of the server\nPORT=80\n", "DB_PASSWORD=*** # of the server\nPORT=80\n");
        check(
            "export API_KEY='x'\r\nPGPASSWORD = \"a\\\"b\" # c\n",
            "export API_KEY='***'\r\nPGPASSWORD = \"***\" # c\n",
        );
        check("dbPassword: x\nTOKEN2=y", "dbPassword: ***\nTOKEN2=***");
        check("# SECRET=old\n## just a note\n", "# SECRET=***\n## just a note\n");
        check(
            "SECRET=\nAUTH=true\nTOKEN=${OTHER}\nKEY=$OTHER",
            "SECRET=\nAUTH=true\nTOKEN=${OTHER}\nKEY=$OTHER",
        );
        check("KEYBOARD=us\nAUTHOR=me\nMONKEY=x", "KEYBOARD=us\nAUTHOR=me\nMONKEY=x");
    }

    #[test]
    fn a_value_in_quotes_may_have_several_lines() {
        check("CERT=\"a\nb=c\nd\" # e\nF=g", "CERT=\"***\" # e\nF=g");
        check("PEM=\"-----BEGIN PRIVATE KEY-----\nMII\"\nA=b", "PEM=\"***\"\nA=b");
        check("TOKEN=\"never closed\nA=b", "TOKEN=\"***\nA=b");
    }

    #[test]
    fn tokens_are_masked_whatever_their_name() {
        let token = format!("ghp_{}", "a1".repeat(18));
        check(&format!("X={token}\nuse a --with {token}, b"), "X=***\nuse a --with ***, b");
        check(&format!("# {token}"), "# ***");
        check("X=sk-short\nREGION=eu-west-1", "X=sk-short\nREGION=eu-west-1");
    }

    #[test]
    fn an_address_keeps_all_but_its_password() {
        check("URL=postgres://me:p@ss@db:5432/x?y=1", "URL=postgres://me:***@db:5432/x?y=1");
        check("URL=redis://:p@h\nB=http://a.b/c:d@e", "URL=redis://:***@h\nB=http://a.b/c:***@e");
        check("URL=https://me@h/x\nC=https://u:$P@h", "URL=https://me@h/x\nC=https://u:$P@h");
    }
}
