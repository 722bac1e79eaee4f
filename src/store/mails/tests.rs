//! Threads do not depend on the way that led to them.

use super::threads::settle;
use super::*;
use crate::store::migrate::{Kind, migrate};
use proptest::prelude::*;
use std::collections::BTreeMap;

fn database() -> Connection {
    let mut connection = Connection::open_in_memory().unwrap();
    migrate(&mut connection, Kind::Empty).unwrap();
    connection.execute("INSERT INTO roots(root_id, path) VALUES(1, '/r')", []).unwrap();
    connection
}

/// A mail by its number; it answers the mails of these numbers. Number 0 has no identifier.
#[derive(Debug, Clone)]
struct Letter {
    number: u8,
    refs: Vec<u8>,
    answers: Option<u8>,
}

impl Letter {
    fn add(&self, connection: &Connection) {
        let id = |number: u8| format!("{number}@example.org");
        connection
            .execute(
                "INSERT INTO files(root_id, doc_uid, full_filepath, relative_path, folder_path, filename,
                     file_extension, file_type, size_bytes, hash, depth_level, is_hidden, is_symlink)
                 VALUES(1, ?1, ?1, ?1, '/r', ?1, 'eml', 'file', 1, ?1, 1, 0, 0)",
                [self.name()],
            )
            .unwrap();
        let mut refs: Vec<String> = Vec::new();
        for &number in self.refs.iter().filter(|number| **number != self.number) {
            if !refs.contains(&id(number)) {
                refs.push(id(number));
            }
        }
        let mail = MailFacts {
            message_id: Some(id(self.number)).filter(|_| self.number > 0),
            in_reply_to: self.answers.filter(|number| *number != self.number).map(id),
            refs,
            date: Some(format!("2024-01-{:02}T00:00:00.000Z", self.number + 1)),
            ..MailFacts::default()
        };
        write_mail(connection, connection.last_insert_rowid(), &mail).unwrap();
    }

    fn remove(&self, connection: &Connection) {
        connection.execute("DELETE FROM files WHERE relative_path = ?1", [self.name()]).unwrap();
    }

    fn name(&self) -> String {
        format!("{self:?}")
    }
}

/// Every mail with its thread, and every thread with its size.
fn threads(connection: &Connection) -> (BTreeMap<String, String>, BTreeMap<String, i64>) {
    let pairs = |query: &str| -> Vec<(String, String)> {
        let mut statement = connection.prepare(query).unwrap();
        let rows = statement.query_map([], |row| Ok((row.get(0)?, row.get(1)?))).unwrap();
        rows.map(Result::unwrap).collect()
    };
    let mails = pairs("SELECT relative_path, thread_uid FROM mails JOIN files USING(file_id)");
    let sizes = pairs("SELECT thread_uid, CAST(mails AS TEXT) FROM mail_threads");
    (mails.into_iter().collect(), sizes.into_iter().map(|(uid, size)| (uid, size.parse().unwrap())).collect())
}

fn letters() -> impl Strategy<Value = Vec<Letter>> {
    let letter = (0..12_u8, prop::collection::vec(1..14_u8, 0..4), prop::option::of(1..14_u8));
    let letter = letter.prop_map(|(number, refs, answers)| Letter { number, refs, answers });
    prop::collection::vec(letter, 1..14).prop_map(|mut letters| {
        letters.sort_by_key(Letter::name);
        letters.dedup_by_key(|letter| letter.name());
        letters
    })
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 64, failure_persistence: None, ..ProptestConfig::default() })]

    #[test]
    fn any_history_ends_in_the_threads_of_a_clean_start(
        (letters, order, gone) in letters().prop_flat_map(|letters| {
            let indexes: Vec<usize> = (0..letters.len()).collect();
            let gone = prop::collection::vec(any::<bool>(), letters.len());
            (Just(letters), Just(indexes).prop_shuffle(), gone)
        })
    ) {
        let worn = database();
        for &at in &order {
            letters[at].add(&worn);
            settle(&worn).unwrap();
        }
        for (at, _) in gone.iter().enumerate().filter(|(_, gone)| **gone) {
            letters[at].remove(&worn);
            settle(&worn).unwrap();
        }
        let fresh = database();
        for (letter, _) in letters.iter().zip(&gone).filter(|(_, gone)| !**gone) {
            letter.add(&fresh);
        }
        settle(&fresh).unwrap();
        prop_assert_eq!(threads(&worn), threads(&fresh));
        let unsettled: i64 =
            worn.query_row("SELECT count(*) FROM mail_unsettled", [], |row| row.get(0)).unwrap();
        prop_assert_eq!(unsettled, 0);
    }
}

#[test]
fn answers_do_not_rename_a_thread_and_strangers_stay_apart() {
    let letter = |number, refs: &[u8], answers| Letter { number, refs: refs.to_vec(), answers };
    let connection = database();
    let (root, answer) = (letter(1, &[], None), letter(2, &[1], None));
    answer.add(&connection);
    settle(&connection).unwrap();
    let before = threads(&connection).0[&answer.name()].clone();
    let later = [root.clone(), letter(3, &[], Some(2)), letter(4, &[], None), letter(0, &[1, 2], None)];
    later.iter().for_each(|letter| letter.add(&connection));
    settle(&connection).unwrap();
    let (mails, sizes) = threads(&connection);
    assert_eq!(mails[&root.name()], before);
    assert_eq!(mails[&later[1].name()], before);
    assert_eq!(mails[&later[3].name()], before);
    assert_ne!(mails[&later[2].name()], before);
    assert_eq!(sizes[&before], 4);
    root.remove(&connection);
    settle(&connection).unwrap();
    assert_eq!(threads(&connection).0[&answer.name()], before);
}
