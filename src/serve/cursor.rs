//! Opaque cursors: the place behind which a page begins, so that rows that come and go shift nothing.
//!
//! A cursor holds the name of its list and the key of the last row, in base64. It holds nothing that a client may not
//! see, so it is not signed; what does not read back is refused.

use super::problem::{Kind, Problem};
use base64::Engine;
use base64::prelude::BASE64_URL_SAFE_NO_PAD;
use serde::Serialize;
use serde::de::DeserializeOwned;

/// The cursor behind a row of a list.
pub fn write(list: &str, key: &impl Serialize) -> String {
    let text = serde_json::to_string(&(list, key)).unwrap_or_default();
    BASE64_URL_SAFE_NO_PAD.encode(text)
}

/// The key of a cursor of this list.
///
/// # Errors
/// It is none of this list.
pub fn read<K: DeserializeOwned>(list: &str, cursor: &str) -> Result<K, Problem> {
    let parsed = BASE64_URL_SAFE_NO_PAD.decode(cursor).ok();
    let parsed = parsed.and_then(|bytes| serde_json::from_slice::<(String, K)>(&bytes).ok());
    let Some((_, key)) = parsed.filter(|(name, _)| name == list) else {
        let detail = "Give back `next_cursor` as it came, or leave `cursor` out to begin at the start.";
        return Err(Problem { parameter: Some("cursor"), ..Problem::new(Kind::BadCursor, detail) });
    };
    Ok(key)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn cursors_read_back_in_their_own_list() {
        let cursor = write("docs", &(7, "a/ä b.txt"));
        assert_eq!(read::<(i64, String)>("docs", &cursor).unwrap(), (7, "a/ä b.txt".to_owned()));
        assert!(read::<(i64, String)>("chunks", &cursor).is_err());
        assert!(read::<(i64, i64)>("docs", &cursor).is_err());
        for wrong in ["", "x", "%%%", "e30"] {
            assert_eq!(read::<(i64, String)>("docs", wrong).unwrap_err().kind, Kind::BadCursor);
        }
    }
}
