//! The cost of a group depends on its changes, not on its size. It is counted in steps of SQLite, which do not depend
//! on the load of the machine.

use super::*;
use crate::store::testing::connection as database;
use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering::Relaxed};

/// The name does not matter: equal bytes are the same document.
struct Same;

impl Recipes for Same {
    fn are_equal(&self, _owner: &FileState, _heir: &FileState) -> bool {
        true
    }
}

fn hash() -> ContentHash {
    ContentHash::of(b"")
}

/// Adds an empty file and settles its group.
fn add(connection: &Connection, number: usize, deferred: &mut DeferredWrites) {
    connection
        .execute(
            "INSERT INTO files(root_id, doc_uid, full_filepath, relative_path, folder_path, filename, file_extension,
                               file_type, size_bytes,
                               hash, depth_level, is_hidden, is_symlink, processing_status)
             VALUES(1, ?1, ?1, ?1, '/r', ?1, '', 'file', 0, ?2, 1, 0, 0, 'Processed')",
            params![format!("{number:06}"), hash().to_hex()],
        )
        .unwrap();
    DuplicateGroups::new(connection, &Same, deferred).settle(&hash()).unwrap();
}

fn delete(connection: &Connection, number: usize, deferred: &mut DeferredWrites) {
    let id = "SELECT file_id FROM files WHERE full_filepath = ?1";
    let id: i64 = connection.query_row(id, [format!("{number:06}")], |row| row.get(0)).unwrap();
    let file = state_of(connection, id).unwrap().unwrap();
    DuplicateGroups::new(connection, &Same, deferred).delete_file(&file).unwrap();
}

/// Every living row as `path place leader`.
fn stored(connection: &Connection) -> Vec<String> {
    let query = "SELECT f.relative_path || ' ' || f.duplicate_status || ' ' || f.is_canonical || ' ' ||
                        coalesce(g.relative_path, '-')
                 FROM files f LEFT JOIN files g ON g.file_id = f.duplicate_group_id
                 WHERE f.processing_status <> 'Deleted' ORDER BY f.relative_path";
    let mut statement = connection.prepare(query).unwrap();
    statement.query_map([], |row| row.get(0)).unwrap().map(Result::unwrap).collect()
}

/// The rows of a group after a flush.
fn expected(numbers: &[usize]) -> Vec<String> {
    let place = |at: usize| match (at, numbers.len()) {
        (0, 1) => "unique 1 -".to_owned(),
        (0, _) => format!("canonical 1 {:06}", numbers[0]),
        _ => format!("duplicate 0 {:06}", numbers[0]),
    };
    numbers.iter().enumerate().map(|(at, number)| format!("{number:06} {}", place(at))).collect()
}

#[test]
fn any_order_of_coming_and_going_ends_in_the_same_group() {
    for (come, go) in [
        (vec![1, 2, 3, 4], vec![1, 2]),
        (vec![4, 3, 2, 1], vec![1, 2, 3]),
        (vec![3, 1, 4, 2], vec![4, 1]),
        (vec![2, 1], vec![1]),
        (vec![5, 9, 7], vec![9, 7]),
    ] {
        for flush_between in [true, false] {
            let (connection, mut deferred) = (database(), DeferredWrites::default());
            come.iter().for_each(|&number| add(&connection, number, &mut deferred));
            if flush_between {
                deferred.flush(&connection, &Same).unwrap();
                let mut all = come.clone();
                all.sort_unstable();
                assert_eq!(stored(&connection), expected(&all));
            }
            go.iter().for_each(|&number| delete(&connection, number, &mut deferred));
            deferred.flush(&connection, &Same).unwrap();
            let mut rest: Vec<usize> = come.iter().copied().filter(|number| !go.contains(number)).collect();
            rest.sort_unstable();
            assert_eq!(stored(&connection), expected(&rest), "{come:?} without {go:?}");
        }
    }
}

/// The number of SQLite steps for `work` on a group of `size` files.
fn steps(size: usize, work: impl FnOnce(&Connection, &mut DeferredWrites)) -> u64 {
    let (mut connection, mut deferred) = (database(), DeferredWrites::default());
    (0..size).for_each(|number| add(&connection, 2 * number, &mut deferred));
    deferred.flush(&connection, &Same).unwrap();
    let count = Arc::new(AtomicU64::new(0));
    let counter = Arc::clone(&count);
    let handler = move || {
        counter.fetch_add(1, Relaxed);
        false
    };
    connection.progress_handler(10, Some(handler)).unwrap();
    work(&connection, &mut deferred);
    deferred.flush(&connection, &Same).unwrap();
    count.load(Relaxed)
}

#[track_caller]
fn check_linear(work: fn(&Connection, &mut DeferredWrites, usize)) {
    let [small, large] =
        [100, 800].map(|size| steps(size, |connection, deferred| work(connection, deferred, size)));
    assert!(large < small * 8 * 3 / 2, "8 times the files took {small} and {large} times ten steps");
}

#[test]
fn equal_files_that_go_one_by_one_cost_what_each_of_them_costs() {
    check_linear(|connection, deferred, size| {
        (0..size).for_each(|number| delete(connection, 2 * number, deferred));
    });
    check_linear(|connection, deferred, size| {
        (0..size).rev().for_each(|number| delete(connection, 2 * number, deferred));
    });
}

#[test]
fn equal_files_that_come_one_by_one_cost_what_each_of_them_costs() {
    check_linear(|connection, deferred, size| {
        (0..size).for_each(|number| add(connection, 2 * number + 1, deferred));
    });
}
