//! Threads do not depend on the history of changes.

use super::settle;
use crate::store::testing::connection as database;
use crate::store::write::mails::write_mail;
use pensieve_text::model::MailFacts;
use proptest::prelude::*;
use rusqlite::Connection;
use std::collections::BTreeMap;

/// A mail by its number; it answers the mails of these numbers. Number 0 has no identifier.
#[derive(Debug, Clone)]
struct NumberedMail {
    number: u8,
    refs: Vec<u8>,
    answers: Option<u8>,
}

impl NumberedMail {
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

fn mails() -> impl Strategy<Value = Vec<NumberedMail>> {
    let mail = (0..12_u8, prop::collection::vec(1..14_u8, 0..4), prop::option::of(1..14_u8));
    let mail = mail.prop_map(|(number, refs, answers)| NumberedMail { number, refs, answers });
    prop::collection::vec(mail, 1..14).prop_map(|mut mails| {
        mails.sort_by_key(NumberedMail::name);
        mails.dedup_by_key(|mail| mail.name());
        mails
    })
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 64, failure_persistence: None, ..ProptestConfig::default() })]

    #[test]
    fn any_history_ends_in_the_threads_of_a_clean_start(
        (mails, order, gone) in mails().prop_flat_map(|mails| {
            let indexes: Vec<usize> = (0..mails.len()).collect();
            let gone = prop::collection::vec(any::<bool>(), mails.len());
            (Just(mails), Just(indexes).prop_shuffle(), gone)
        })
    ) {
        let changed = database();
        for &at in &order {
            mails[at].add(&changed);
            settle(&changed).unwrap();
        }
        for (at, _) in gone.iter().enumerate().filter(|(_, gone)| **gone) {
            mails[at].remove(&changed);
            settle(&changed).unwrap();
        }
        let fresh = database();
        for (mail, _) in mails.iter().zip(&gone).filter(|(_, gone)| !**gone) {
            mail.add(&fresh);
        }
        settle(&fresh).unwrap();
        prop_assert_eq!(threads(&changed), threads(&fresh));
        let unsettled: i64 =
            changed.query_row("SELECT count(*) FROM mail_unsettled", [], |row| row.get(0)).unwrap();
        prop_assert_eq!(unsettled, 0);
    }
}

#[test]
fn answers_do_not_rename_a_thread_and_strangers_stay_apart() {
    let mail = |number, refs: &[u8], answers| NumberedMail { number, refs: refs.to_vec(), answers };
    let connection = database();
    let (root, answer) = (mail(1, &[], None), mail(2, &[1], None));
    answer.add(&connection);
    settle(&connection).unwrap();
    let before = threads(&connection).0[&answer.name()].clone();
    let later = [root.clone(), mail(3, &[], Some(2)), mail(4, &[], None), mail(0, &[1, 2], None)];
    later.iter().for_each(|mail| mail.add(&connection));
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
