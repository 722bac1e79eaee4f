//! Random corpora with vectors: searches by meaning, by words and meaning, and packs.

use super::{Session, questions};
use crate::embed::server::EmbeddingServer;
use crate::material;
use crate::support::Dice;
use std::fs;

/// A session of a corpus with vectors.
pub fn play(session: &mut Session, dice: &mut Dice) {
    let server = EmbeddingServer::new();
    for number in 0..10 + dice.below(10) {
        let (extension, bytes) = material::file(dice);
        session.place.write(format!("{}{number}.{extension}", dice.pick(&["", "log/"])), bytes);
    }
    let format = dice.pick(&["f16", "f32", "i8"]);
    let prefixes = dice.pick(&["", "prefix_document = \"text: \"\nprefix_query = \"asked: \""]);
    let settings = format!(
        "[embedding]\nendpoint = \"{}\"\nmodel = \"words\"\nformat = \"{format}\"\nbatch = {}\nconcurrency = 1\n{prefixes}\n\
         price_per_million = 20\n[search]\nmode = \"{}\"\n",
        server.endpoint,
        1 + dice.below(9),
        dice.pick(&["words", "vectors", "hybrid"])
    );
    fs::write(session.place.path("e.toml"), settings).unwrap();
    session.place.ingest(&["--chunk-size", dice.pick(&["32", "64"]), "--chunk-overlap", "0"]);
    let embed = ["embed", "corpus.db", "--config", "e.toml"];
    session.run(&[&embed[..], &["--dry-run"]].concat());
    session.run(&[&embed[..], &["--json", "--quiet"]].concat());
    for _ in 0..2 {
        let (_, bytes) = material::file(dice);
        session.place.write(format!("{}.md", dice.below(10)), bytes);
    }
    session.place.ingest(&["--chunk-size", "32", "--chunk-overlap", "0"]);
    session.run(&["stats", "corpus.db"]);
    ask(session, dice);
    session.run(&[&embed[..], &["--json", "--quiet"]].concat());
    ask(session, dice);
    session.run(&["export", "corpus.db", "--vectors", "words"]);
    session.run(&["changes", "corpus.db", "--vectors", "words", "--limit", "5"]);
    session.run(&["verify", "corpus.db"]);
}

fn ask(session: &mut Session, dice: &mut Dice) {
    for _ in 0..8 {
        let command = dice.pick(&["search", "search", "pack"]);
        let mut words = vec![command.to_owned(), "corpus.db".to_owned(), questions::query(dice)];
        questions::maybe(&mut words, dice, 80, "--mode", &["words", "vectors", "hybrid"]);
        questions::maybe(&mut words, dice, 30, "--path", &["*.txt", "log/**", "!log"]);
        if command == "search" {
            questions::maybe(&mut words, dice, 40, "--limit", &["1", "3", "30"]);
            questions::maybe(&mut words, dice, 20, "--offset", &["1", "5"]);
            questions::maybe(&mut words, dice, 30, "--expand", &["section", "neighbours"]);
            questions::maybe(&mut words, dice, 40, "--json", &[]);
        }
        words.extend(["--config".to_owned(), "e.toml".to_owned()]);
        session.run(&words);
    }
}
