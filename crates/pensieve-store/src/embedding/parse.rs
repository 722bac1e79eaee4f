//! From the body of an answer to vectors.

use serde::Deserialize;

/// The vectors of an answer.
#[derive(Debug, Clone, PartialEq)]
pub(super) struct ParsedAnswer {
    /// One for each text, in order; what is no number became NaN.
    pub vectors: Vec<Vec<f32>>,
    /// Tokens that the service counted.
    pub tokens: Option<u64>,
}

#[derive(Deserialize)]
struct Body {
    data: Vec<Item>,
    usage: Option<Usage>,
}

#[derive(Deserialize)]
struct Item {
    index: Option<usize>,
    /// Services write NaN as `null`.
    embedding: Vec<Option<f32>>,
}

#[derive(Deserialize)]
struct Usage {
    total_tokens: Option<u64>,
    prompt_tokens: Option<u64>,
}

/// Reads the answer to a request with so many texts; the error says what is wrong with it.
pub(super) fn parse(body: &[u8], texts: usize) -> Result<ParsedAnswer, String> {
    let body = read(body)?;
    if body.data.len() != texts {
        return Err(format!("the answer has {} vectors for {texts} texts", body.data.len()));
    }
    let mut vectors: Vec<Option<Vec<f32>>> = vec![None; texts];
    for (at, item) in body.data.into_iter().enumerate() {
        let place = vectors.get_mut(item.index.unwrap_or(at)).filter(|place| place.is_none());
        let place = place.ok_or("the answer does not say which vector belongs to which text")?;
        *place = Some(item.embedding.into_iter().map(|number| number.unwrap_or(f32::NAN)).collect());
    }
    let tokens = body.usage.and_then(|usage| usage.total_tokens.or(usage.prompt_tokens));
    Ok(ParsedAnswer { vectors: vectors.into_iter().flatten().collect(), tokens })
}

fn read(body: &[u8]) -> Result<Body, String> {
    let text = std::str::from_utf8(body).map_err(|_| "the answer is no text".to_owned())?;
    let error = match serde_json::from_str(text) {
        Ok(body) => return Ok(body),
        Err(error) => error,
    };
    // JSON has no word for what is no number, but some services write one.
    if text.contains("NaN") || text.contains("Infinity") {
        let text = text.replace("-Infinity", "null").replace("Infinity", "null").replace("NaN", "null");
        if let Ok(body) = serde_json::from_str(&text) {
            return Ok(body);
        }
    }
    Err(match text.trim_start().starts_with('<') {
        true => "the answer is a page, not vectors".to_owned(),
        false => format!("the answer has no vectors: {error}"),
    })
}

/// What a service says about a failure: its message, or the beginning of its text.
pub(super) fn failure_message(body: &[u8]) -> String {
    const MAX_CHARS: usize = 300;
    let text = String::from_utf8_lossy(body);
    if text.trim_start().starts_with('<') {
        return "a page".to_owned();
    }
    let value: Option<serde_json::Value> = serde_json::from_str(&text).ok();
    let message = value.as_ref().and_then(|value| {
        let error = value.get("error").unwrap_or(value);
        ["message", "detail"].iter().find_map(|key| error.get(key)?.as_str()).or(error.as_str())
    });
    let message = message.unwrap_or(text.trim()).split_whitespace().collect::<Vec<_>>().join(" ");
    match message.char_indices().nth(MAX_CHARS) {
        Some((end, _)) => format!("{}…", &message[..end]),
        None if message.is_empty() => "no reason given".to_owned(),
        None => message,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn vectors_are_put_in_order_by_their_index() {
        let body = br#"{"data":[{"index":1,"embedding":[3,4]},{"index":0,"embedding":[1,2e-1]}],"usage":{"total_tokens":7}}"#;
        let parsed = parse(body, 2).unwrap();
        assert_eq!((parsed.vectors, parsed.tokens), (vec![vec![1.0, 0.2], vec![3.0, 4.0]], Some(7)));
        let plain = br#"{"data":[{"embedding":[1]},{"embedding":[2]}]}"#;
        assert_eq!(parse(plain, 2).unwrap().vectors, [[1.0], [2.0]]);
    }

    #[test]
    fn what_is_no_number_is_nan_and_spares_the_others() {
        for word in ["NaN", "null", "Infinity", "-Infinity"] {
            let body = format!(r#"{{"data":[{{"embedding":[1,{word}]}},{{"embedding":[2,3]}}]}}"#);
            let vectors = parse(body.as_bytes(), 2).unwrap().vectors;
            assert!(vectors[0][1].is_nan() && vectors[1] == [2.0, 3.0], "{word}");
        }
    }

    #[test]
    fn answers_that_do_not_fit_say_why() {
        let check = |body: &str, expected: &str| {
            let error = parse(body.as_bytes(), 2).unwrap_err();
            assert!(error.starts_with(expected), "{error}");
        };
        check("<!DOCTYPE html><p>Sorry", "the answer is a page, not vectors");
        check("{}", "the answer has no vectors: missing field `data`");
        check(r#"{"data":[{"embedding":[1]}]}"#, "the answer has 1 vectors for 2 texts");
        check(
            r#"{"data":[{"index":0,"embedding":[1]},{"index":0,"embedding":[1]}]}"#,
            "the answer does not say",
        );
        check(
            r#"{"data":[{"index":0,"embedding":[1]},{"index":9,"embedding":[1]}]}"#,
            "the answer does not say",
        );
        check("{\"data\":", "the answer has no vectors: EOF");
    }

    #[test]
    fn messages_of_services_are_found() {
        let check = |body: &str, expected: &str| assert_eq!(failure_message(body.as_bytes()), expected);
        check(r#"{"error":{"message":"too  long"}}"#, "too long");
        check(r#"{"error":"model not found"}"#, "model not found");
        check(r#"{"detail":"no"}"#, "no");
        check("busy\n", "busy");
        check("<html>", "a page");
        check("", "no reason given");
    }
}
