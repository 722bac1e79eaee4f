//! Members while their container is read, changed and deleted.

use crate::store::testing::{add, entry, read, read_member, root, run, store, task, texts, write};
use crate::store::{Outcome, Store, TaskKind, Writer};
use pensieve_text::model::ProcessingStatus;

/// Files, each as `path status place`.
fn files(store: &Store) -> Vec<String> {
    let sql = "SELECT relative_path || ' ' || processing_status || ' ' || coalesce(duplicate_status, '-')
               FROM files ORDER BY relative_path";
    texts(store, sql)
}

#[test]
fn members_live_and_go_with_their_container() {
    let mut store = store();
    let read_mail = |writer: &mut Writer<'_>, file_id: i64| {
        let task = task(writer, file_id, TaskKind::Read);
        assert!(writer.start(task.file.file_id, &task.kind).unwrap());
        write(writer, &["letter"]);
        let members = [
            read_member(writer, None, "2/inner.eml", &["inner"]),
            read_member(writer, Some("2/inner.eml"), "1/deep.txt", &["deep"]),
            read_member(writer, Some("nowhere"), "1/lost.txt", &["lost"]),
            read_member(writer, None, "3/copy.txt", &["deep"]),
        ];
        let status = Some(ProcessingStatus::Processed);
        writer.finish(&Outcome { status, ..Outcome::default() }).unwrap();
        members
    };
    let members = run(&mut store, |writer| {
        let file_id = add(writer, "m.eml", "bytes");
        read_mail(writer, file_id)
    });
    assert_eq!(members, [true, true, false, false]);
    let paths =
        "SELECT relative_path || ' ' || depth_level || ' ' || is_canonical FROM files ORDER BY relative_path";
    let expected =
        ["m.eml 1 1", "m.eml/2/inner.eml 3 1", "m.eml/2/inner.eml/1/deep.txt 5 1", "m.eml/3/copy.txt 3 0"];
    assert_eq!(texts(&store, paths), expected);
    let uids = "SELECT doc_uid FROM files ORDER BY relative_path";
    let before = texts(&store, uids);
    let moved = entry("box/n.eml", 5);
    run(&mut store, |writer| writer.rename(1, &root(), &moved).unwrap());
    let expected = [
        "box/n.eml 2 1",
        "box/n.eml/2/inner.eml 4 1",
        "box/n.eml/2/inner.eml/1/deep.txt 6 1",
        "box/n.eml/3/copy.txt 4 0",
    ];
    assert_eq!(texts(&store, paths), expected);
    run(&mut store, |writer| read_mail(writer, 1));
    assert_eq!((texts(&store, paths), texts(&store, uids)), (expected.map(str::to_owned).to_vec(), before));
    run(&mut store, |writer| writer.delete_file(1).unwrap());
    assert_eq!(files(&store), ["box/n.eml Deleted -"]);
    assert_eq!(texts(&store, "SELECT content FROM chunks"), [""; 0]);
}

#[test]
fn a_member_without_its_bytes_on_disk_has_its_container_read_again() {
    let mut store = store();
    run(&mut store, |writer| {
        let (copy, mail) = (add(writer, "a.md", "deep"), add(writer, "m.eml", "bytes"));
        read(writer, copy, &["deep"], Outcome::default());
        let read = task(writer, mail, TaskKind::Read);
        assert!(writer.start(read.file.file_id, &read.kind).unwrap());
        assert!(!read_member(writer, None, "1/b.txt", &["deep"]));
        let (status, settings_hash) = (Some(ProcessingStatus::Processed), Some("s".to_owned()));
        writer.finish(&Outcome { status, settings_hash, ..Outcome::default() }).unwrap();
    });
    let settings =
        "SELECT relative_path || ' ' || coalesce(settings_hash, '-') FROM files ORDER BY relative_path";
    assert_eq!(texts(&store, settings), ["a.md s", "m.eml s", "m.eml/1/b.txt -"]);
    run(&mut store, |writer| writer.delete_file(1).unwrap());
    assert_eq!(texts(&store, settings), ["a.md -", "m.eml -", "m.eml/1/b.txt -"]);
    assert_eq!(files(&store), ["a.md Deleted -", "m.eml Processed unique", "m.eml/1/b.txt Pending unique"]);
}
