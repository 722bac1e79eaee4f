//! Random requests to a server of a random corpus: the API, the pages, and the Model Context Protocol.

use super::{Session, questions};
use crate::http::{Answer, Server};
use crate::material;
use crate::support::Dice;
use percent_encoding::{NON_ALPHANUMERIC, utf8_percent_encode};

/// A session of a service.
pub fn play(session: &mut Session, dice: &mut Dice) {
    for number in 0..24 {
        let (extension, bytes) = material::file(dice);
        let folder = dice.pick(&["", "log/", "log/older/"]);
        session.place.write(format!("{folder}{number}.{extension}"), bytes);
    }
    session.place.ingest(&["--chunk-size", "40", "--chunk-overlap", "8"]);
    let server = Server::start(&session.place, &[]);
    let documents =
        session.place.rows("SELECT doc_uid FROM files WHERE file_type <> 'folder' ORDER BY relative_path");
    let chunks = session.place.rows("SELECT content_hash FROM chunks ORDER BY content_hash");
    let threads = session.place.rows("SELECT thread_uid FROM mails ORDER BY thread_uid");
    let mut cursor = None;
    for _ in 0..60 {
        let target = target(dice, &documents, &chunks, &threads, cursor.take());
        let answer = if dice.chance(50) && !target.starts_with("/api") {
            server.send("GET", &target, &[("Accept", "text/html")], b"")
        } else {
            server.get(&target)
        };
        if answer.header("content-type") == "application/json" {
            let next = answer.json()["next_cursor"].as_str().map(str::to_owned);
            cursor = next.map(|next| (target.clone(), next));
        }
        note(session, &target, &answer);
    }
}

fn note(session: &mut Session, target: &str, answer: &Answer) {
    session.note(
        &format!("GET {target}: {}", answer.status),
        &format!("{}\n{}", answer.header("content-type"), answer.text()),
    );
}

fn encoded(text: &str) -> String {
    utf8_percent_encode(text, NON_ALPHANUMERIC).to_string()
}

/// Something to ask for: the next page of the list before, or anything else.
fn target(
    dice: &mut Dice,
    documents: &[String],
    chunks: &[String],
    threads: &[String],
    cursor: Option<(String, String)>,
) -> String {
    if let Some((target, cursor)) = cursor.filter(|_| dice.chance(70)) {
        let target = target.split("&cursor=").next().unwrap().to_owned();
        return format!(
            "{target}{}cursor={}",
            if target.contains('?') { "&" } else { "?&" },
            encoded(&cursor)
        );
    }
    let document = dice.pick(documents);
    let question = encoded(&questions::query(dice));
    let limit = dice.pick(&["", "&limit=1", "&limit=2", "&limit=7", "&limit=0"]);
    let path = dice.pick(&["", "&path=log", "&path=%2A.md", "&format=markdown", "&format=none"]);
    let expand = dice.pick(&["", "&expand=section", "&expand=neighbours", "&expand=page", "&context=1"]);
    match dice.below(20) {
        0 => format!(
            "/api/v3/docs?{}{limit}",
            dice.pick(&["", "status=Processed", "format=markdown", "query=1", "folder=log", "status=Error"])
        ),
        1 => format!("/api/v3/folders?{}{limit}", dice.pick(&["", "folder=log", "root=1", "root=9"])),
        2 => format!("/api/v3/docs/{document}"),
        3 => format!("/api/v3/docs/{document}/text?offset={}&limit={}", dice.below(300), 1 + dice.below(90)),
        4 => format!("/api/v3/docs/{document}/chunks?{limit}"),
        5 => format!("/api/v3/chunks/{}", dice.pick(chunks)),
        6..=8 => format!("/api/v3/search?query={question}{limit}{path}{expand}"),
        9 | 10 => {
            format!("/api/v3/pack?question={question}&budget={}{path}", dice.pick(&["30", "100", "400", "9"]))
        }
        11 => format!("/api/v3/changes?since={}{limit}", dice.below(3)),
        12 if !threads.is_empty() => format!("/api/v3/threads/{}", dice.pick(threads)),
        12 | 13 => format!("/{}threads?{limit}", dice.pick(&["", "api/v3/"])),
        14 => format!(
            "/docs?{}{limit}&sort={}&order={}&page={}",
            dice.pick(&["", "query=1", "folder=log", "format=text", "status=Skipped_Binary"]),
            dice.pick(&["name", "size", "tokens", "path", "status", "modified"]),
            dice.pick(&["asc", "desc", "up"]),
            1 + dice.below(3)
        ),
        15 => format!(
            "/docs/{document}?page={}&at={}-{}",
            1 + dice.below(2),
            dice.below(30),
            30 + dice.below(50)
        ),
        16 => format!("/search?query={question}{limit}{path}"),
        17 => format!("/pack?question={question}&budget={}{path}", dice.pick(&["30", "100", "400"])),
        18 => dice
            .pick(&[
                "/",
                "/review",
                "/errors",
                "/errors?type=Encrypted",
                "/api/v3/stats",
                "/nothing",
                "/api/v3/docs?limit=x",
            ])
            .to_owned(),
        _ => format!("/pack.md?question={question}&budget=200"),
    }
}
