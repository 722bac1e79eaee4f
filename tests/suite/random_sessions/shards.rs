//! Random trees cut into shards, each read into a database of its own; the shards are merged.

use super::{Session, corpus};
use crate::material;
use crate::support::Dice;

/// A session of shards.
pub fn play(session: &mut Session, dice: &mut Dice) {
    corpus::write_settings(session, dice);
    for number in 0..10 + dice.below(14) {
        let (extension, bytes) = material::file(dice);
        let name = format!("{}{number}.{extension}", dice.pick(&["", "log/", "log/older/", "letters/"]));
        if dice.chance(25) {
            session.place.write(format!("copies/{number}.{extension}"), &bytes);
        }
        session.place.write(name, bytes);
    }
    let count = 2 + dice.below(3);
    let shards = count.to_string();
    let plan = [
        "plan",
        "tree",
        "--shards",
        &shards,
        "--out",
        "plan",
        "--config",
        "s.toml",
        "--json",
        "--progress",
        "off",
    ];
    let hash: &[&str] = if dice.chance(60) { &["--hash"] } else { &[] };
    session.run(&[&plan[..], hash].concat());
    session.files("plan");
    let databases: Vec<String> = (0..count).map(|number| format!("shard-{number:04}.db")).collect();
    for (number, database) in databases.iter().enumerate() {
        let list = format!("plan/shard-{number:04}.list");
        session.run(&[
            "ingest",
            "--root",
            "tree",
            "--files-from",
            &list,
            database,
            "--config",
            "s.toml",
            "--json",
            "--quiet",
        ]);
    }
    let named: Vec<&str> = databases.iter().map(String::as_str).collect();
    session.run(&[&["merge", "corpus.db", "--json", "--progress", "off"][..], &named].concat());
    corpus::note_rows(session);
    session.run(&["fingerprint", "corpus.db", "--buckets"]);
    session.run(&["verify", "corpus.db"]);
}
