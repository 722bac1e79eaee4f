//! Tables as data: what they are called, the value and the place of each cell, the same after any history, and questions that can change
//! nothing.

use crate::support::Workshop;
use serde_json::Value;

const REPORT: &str = "# Report\n\n## Income\n\n| (Millions) | 2018 | 2017 |\n| --- | --- | --- |\n| Revenue: | | |\n| Goods | $ 1,577 | $ (26) |\n\
    | Services | (13) | — |\n\n## Words\n\n| Name | Place |\n| --- | --- |\n| Ann | Rome |\n";

fn workshop() -> Workshop {
    let workshop = Workshop::new();
    workshop.write("report.md", REPORT);
    workshop
        .write("stock.csv", "item,price,since\n\"Lamp, old\",\"1,200.50\",2021-03-04\nRope,5,2020-01-31\n");
    workshop.write("prices.csv", "Ware;Preis\nOel;1.234,50\nSeil;36.000\n");
    workshop.write("notes.txt", "a | b\n- | -\n1 | 2\n");
    workshop.ingest(&[]);
    workshop
}

/// The rows of a statement, as JSON.
#[track_caller]
fn asked(workshop: &Workshop, sql: &str) -> Value {
    workshop.run(["sql", "corpus.db", sql, "--json"]).expect(0).json()["rows"].clone()
}

fn json(text: &str) -> Value {
    serde_json::from_str(text).unwrap()
}

/// The name of the table of a file.
fn named(workshop: &Workshop, file: &str, number: usize) -> String {
    let id = workshop.one(&format!(
        "SELECT table_id FROM tables JOIN files USING(file_id) WHERE relative_path = '{file}' AND number = {number}"
    ));
    format!("t{id}")
}

const ROWS: &str =
    "SELECT relative_path, t.number, title, t.columns, t.rows, header_rows, locator FROM tables t
    JOIN files USING(file_id) ORDER BY 1, 2";

#[test]
fn tables_of_every_kind_of_text_are_found() {
    let workshop = workshop();
    assert_eq!(
        workshop.rows(ROWS),
        [
            "prices.csv|1||2|2|1|{\"line\":[1,3]}",
            "report.md|1|Income|3|3|1|{\"line\":[5,9]}",
            "report.md|2|Words|2|1|1|{\"line\":[13,15]}",
            "stock.csv|1||3|2|1|{\"line\":[1,3]}",
        ]
    );
    let found = workshop.run(["tables", "corpus.db", "goods", "2018"]).expect(0).stdout;
    assert!(found.starts_with(&named(&workshop, "report.md", 1)), "{found}");
    workshop.verify();
}

#[test]
fn cells_have_values_places_and_citations_that_hold() {
    let workshop = workshop();
    let income = named(&workshop, "report.md", 1);
    let table = workshop.run(["table", "corpus.db", &income, "--json"]).expect(0).json();
    assert_eq!(
        table["columns"][1],
        json(r#"{"name":"2018","type":"number","unit":"$","scale":1000000,"cells":[1,1]}"#)
    );
    let cell = &table["cells"][1]["cells"][1];
    assert_eq!(
        (&cell["text"], &cell["value"], &cell["locator"]),
        (&json("\"$ 1,577\""), &json("1577"), &json("{\"line\":[8,8]}"))
    );
    assert_eq!(table["cells"][1]["section"], "Revenue");
    let citation = cell["citation"].as_str().unwrap();
    assert_eq!(workshop.run(["cite", "corpus.db", citation, "--json"]).expect(0).json()["text"], "$ 1,577");
    let csv = workshop.run(["table", "corpus.db", &income, "--format", "csv"]).expect(0).stdout;
    assert_eq!(csv, "label,2018,2017\nRevenue:,,\nGoods,1577,-26\nServices,-13,\n");
    let stock = named(&workshop, "stock.csv", 1);
    let sql = format!("SELECT item, price, since FROM {stock} ORDER BY price");
    assert_eq!(
        asked(&workshop, &sql),
        json(r#"[["Rope",5,"2020-01-31"],["Lamp, old",1200.5,"2021-03-04"]]"#)
    );
    // The document decides how `36.000` is read.
    let prices = named(&workshop, "prices.csv", 1);
    assert_eq!(asked(&workshop, &format!("SELECT sum(Preis) FROM {prices}")), json("[[37234.5]]"));
    let hit = workshop.run(["search", "corpus.db", "services", "--json"]).expect(0).json();
    assert_eq!(hit["hits"][0]["sources"][0]["table"], income);
}

#[test]
fn answers_name_the_cells_that_have_their_values() {
    let workshop = workshop();
    let income = named(&workshop, "report.md", 1);
    let sql =
        format!("WITH own AS (SELECT * FROM {income}) SELECT \"2018\" FROM own WHERE label LIKE 'serv%'");
    let answer = workshop.run(["sql", "corpus.db", &sql, "--json"]).expect(0).json();
    assert_eq!(answer["rows"], json("[[-13]]"));
    assert_eq!((&answer["cells"][0]["text"], &answer["cells"][0]["row"]), (&json("\"(13)\""), &json("3")));
}

#[test]
fn tables_are_a_function_of_the_text_after_any_history() {
    let workshop = workshop();
    let before = workshop.rows(ROWS);
    let longer = REPORT.replace("| Ann | Rome |\n", "| Ann | Rome |\n| Bea | Bonn |\n");
    workshop.write("report.md", &longer);
    workshop.write("copy.md", REPORT);
    workshop.remove("stock.csv");
    workshop.ingest(&[]);
    workshop.verify();
    assert!(workshop.rows(ROWS).iter().any(|row| row.starts_with("report.md|2|Words|2|2")));
    assert!(!workshop.rows(ROWS).iter().any(|row| row.starts_with("stock.csv")));
    workshop.run(["clean", "corpus.db", "--version", "clean_v0"]).expect(0);
    workshop.verify();
    workshop.run(["clean", "corpus.db", "--rollback", "clean_v1"]).expect(0);
    workshop.verify();
    workshop.write("report.md", REPORT);
    workshop.remove("copy.md");
    workshop
        .write("stock.csv", "item,price,since\n\"Lamp, old\",\"1,200.50\",2021-03-04\nRope,5,2020-01-31\n");
    workshop.ingest(&[]);
    workshop.verify();
    assert_eq!(workshop.rows(ROWS), before);
    assert_eq!(
        workshop.one(
            "SELECT count(*) FROM text_versions WHERE is_current AND variant = 'clean' AND tables IS NULL"
        ),
        "0"
    );
}

#[test]
fn a_row_that_was_altered_is_a_violation() {
    let workshop = workshop();
    workshop.corpus().execute_batch("UPDATE tables SET rows = 99 WHERE number = 2").unwrap();
    let verified = workshop.run(["verify", "corpus.db"]).expect(1);
    assert!(verified.stdout.contains("report.md: table 2 is not that of the text"), "{verified:?}");
}

#[test]
fn a_statement_can_only_ask() {
    let workshop = workshop();
    let name = named(&workshop, "report.md", 1);
    let before = std::fs::read(workshop.database()).unwrap();
    let forbidden = [
        "DROP TABLE {T}",
        "DELETE FROM {T}",
        "UPDATE {T} SET label = 'x'",
        "INSERT INTO {T}(label) VALUES('x')",
        "REPLACE INTO {T}(label) VALUES('x')",
        "INSERT INTO {T} SELECT * FROM {T}",
        "DELETE FROM {T} RETURNING *",
        "UPDATE {T} SET label = 'x' RETURNING label",
        "WITH a AS (SELECT 1) DELETE FROM {T}",
        "CREATE TABLE x(y)",
        "CREATE TEMP TABLE x(y)",
        "CREATE TABLE x AS SELECT * FROM {T}",
        "CREATE VIEW v AS SELECT 1",
        "CREATE TEMP VIEW v AS SELECT 1",
        "CREATE INDEX i ON {T}(label)",
        "CREATE TRIGGER g AFTER INSERT ON {T} BEGIN SELECT 1; END",
        "CREATE VIRTUAL TABLE f USING fts5(x)",
        "DROP VIEW v",
        "DROP INDEX i",
        "ALTER TABLE {T} RENAME TO x",
        "ALTER TABLE {T} ADD COLUMN x",
        "ALTER TABLE {T} DROP COLUMN label",
        "REINDEX",
        "ANALYZE",
        "VACUUM",
        "VACUUM INTO 'copy.db'",
        "ATTACH 'corpus.db' AS c",
        "ATTACH ':memory:' AS c",
        "DETACH main",
        "PRAGMA table_info({T})",
        "PRAGMA writable_schema = ON",
        "PRAGMA user_version = 5",
        "PRAGMA journal_mode = WAL",
        "PRAGMA temp_store_directory = '/tmp'",
        "BEGIN",
        "COMMIT",
        "ROLLBACK",
        "SAVEPOINT s",
        "RELEASE s",
        "SELECT 1; DROP TABLE {T}",
        "SELECT load_extension('x.so')",
        "SELECT readfile('/etc/passwd')",
        "SELECT writefile('x', 'y')",
        "SELECT fts3_tokenizer('simple')",
        "SELECT randomblob(1000000)",
        "SELECT zeroblob(1000000000)",
        "SELECT * FROM sqlite_master",
        "SELECT count(*) FROM sqlite_schema",
        "SELECT * FROM main.sqlite_schema",
        "SELECT * FROM sqlite_temp_master",
        "SELECT * FROM pragma_database_list",
        "SELECT * FROM pragma_table_info('{T}')",
        "SELECT * FROM files",
        "SELECT content FROM chunks",
        "SELECT * FROM texts",
        "SELECT * FROM meta",
        "EXPLAIN SELECT * FROM chunks",
        "SELECT sqlite_source_id()",
        "SELECT * FROM t999999",
        "",
        "not sql",
    ];
    assert!(forbidden.len() >= 50);
    for statement in forbidden {
        let statement = statement.replace("{T}", &name);
        let ran = workshop.run(["sql", "corpus.db", &statement]);
        assert_eq!((ran.code, ran.stdout.as_str()), (Some(2), ""), "{statement}: {ran:?}");
    }
    assert!(std::fs::read(workshop.database()).unwrap() == before);
}

#[test]
fn a_statement_that_never_ends_is_ended() {
    let workshop = workshop();
    let endless = [
        "WITH RECURSIVE c(x) AS (SELECT 1 UNION ALL SELECT x + 1 FROM c) SELECT count(*) FROM c",
        "WITH RECURSIVE c(x) AS (SELECT 1 UNION ALL SELECT x + 1 FROM c) SELECT max(length(y)) FROM (SELECT group_concat(x) y FROM c)",
        "WITH RECURSIVE c(x) AS (SELECT 1 UNION SELECT x + 1 FROM c) SELECT x FROM c ORDER BY -x",
    ];
    for statement in endless {
        let ran = workshop.run(["sql", "corpus.db", statement, "--timeout", "1"]).expect(2);
        assert!(ran.stderr.contains("no answer within 1 s") || ran.stderr.contains("too big"), "{ran:?}");
    }
    let many = workshop.run([
        "sql",
        "corpus.db",
        "WITH RECURSIVE c(x) AS (SELECT 1 UNION ALL SELECT x + 1 FROM c) SELECT x FROM c",
        "--limit",
        "3",
    ]);
    assert_eq!(many.expect(0).stdout, "| x |\n| - |\n| 1 |\n| 2 |\n| 3 |\n");
}
