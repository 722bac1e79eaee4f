//! The token that a client must send, and the cookie that a browser keeps instead.

use axum::http::{HeaderMap, header};
use sha2::{Digest, Sha256};
use std::fmt;

/// Name of the cookie that replaces the token in a browser.
const COOKIE: &str = "pensieve_session";

/// A token, as hashes: a comparison of hashes takes the same time for any input.
#[derive(Clone)]
pub struct Token {
    token: [u8; 32],
    session: String,
}

impl Token {
    /// A token; `None` if it cannot be sent in a header.
    pub fn new(token: &str) -> Option<Token> {
        let is_valid = !token.is_empty() && token.bytes().all(|byte| (0x21..0x7f).contains(&byte));
        is_valid.then(|| Token {
            token: hash(&[token.as_bytes()]),
            session: hash(&[b"pensieve session\0", token.as_bytes()])
                .iter()
                .map(|b| format!("{b:02x}"))
                .collect(),
        })
    }

    /// True for the token itself.
    pub fn is(&self, shown: &str) -> bool {
        same(&self.token, &hash(&[shown.as_bytes()]))
    }

    /// True if a request has the token, or the cookie that replaces it.
    pub fn is_shown(&self, headers: &HeaderMap) -> bool {
        let text = |name| headers.get(name).and_then(|value| value.to_str().ok());
        let bearer = text(header::AUTHORIZATION).and_then(|value| value.split_once(' '));
        if let Some((scheme, shown)) = bearer {
            return scheme.eq_ignore_ascii_case("bearer") && self.is(shown.trim());
        }
        let cookies = headers.get_all(header::COOKIE).into_iter().filter_map(|value| value.to_str().ok());
        let mut pairs =
            cookies.flat_map(|value| value.split(';')).filter_map(|pair| pair.trim().split_once('='));
        pairs.any(|(name, value)| {
            name == COOKIE && same(&hash(&[value.as_bytes()]), &hash(&[self.session.as_bytes()]))
        })
    }

    /// The `Set-Cookie` for a browser that has sent the token. Scripts cannot read it, other sites cannot send it.
    pub fn cookie(&self) -> String {
        format!("{COOKIE}={}; Path=/; HttpOnly; SameSite=Strict", self.session)
    }
}

/// A hash of a short token is as good as the token.
impl fmt::Debug for Token {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("Token(***)")
    }
}

fn hash(parts: &[&[u8]]) -> [u8; 32] {
    let mut hash = Sha256::new();
    parts.iter().for_each(|part| hash.update(part));
    hash.finalize().into()
}

/// Compares in constant time, so that the time does not reveal where the first difference is.
fn same(one: &[u8; 32], other: &[u8; 32]) -> bool {
    one.iter().zip(other).fold(0, |difference, (a, b)| difference | (a ^ b)) == 0
}

#[cfg(test)]
mod tests {
    use super::*;

    fn shows(name: header::HeaderName, value: &str) -> bool {
        let mut headers = HeaderMap::new();
        headers.insert(name, value.parse().unwrap());
        Token::new("abc-123").unwrap().is_shown(&headers)
    }

    #[test]
    fn the_token_or_its_cookie_opens() {
        assert!(shows(header::AUTHORIZATION, "Bearer abc-123"));
        assert!(shows(header::AUTHORIZATION, "bearer abc-123"));
        assert!(!shows(header::AUTHORIZATION, "Bearer abc-1234"));
        assert!(!shows(header::AUTHORIZATION, "Basic abc-123"));
        assert!(!shows(header::AUTHORIZATION, "Bearer"));
        let cookie = Token::new("abc-123").unwrap().cookie();
        let pair = cookie.split(';').next().unwrap();
        assert!(shows(header::COOKIE, &format!("theme=dark; {pair}")));
        assert!(!shows(header::COOKIE, "pensieve_session=abc-123"));
        assert!(!cookie.contains("abc-123"));
    }

    #[test]
    fn a_token_can_be_shown_in_a_header() {
        assert!(Token::new("").is_none());
        assert!(Token::new("a b").is_none());
        assert!(Token::new("ä").is_none());
        assert!(Token::new("x").is_some());
    }
}
