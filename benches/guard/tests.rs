//! What the guard of instruction counts says of a change; `cargo bench --bench guard` counts.

#![allow(
    clippy::arithmetic_side_effects,
    clippy::indexing_slicing,
    dead_code,
    missing_docs,
    unreachable_pub,
    reason = "a part of a program"
)]

mod table;

use table::{Change, Row, Table};

const COMMITTED: &str = include_str!("instructions.txt");

fn row(name: &str, instructions: u64) -> Row {
    Row { name: name.to_owned(), n: 20, instructions }
}

#[track_caller]
fn change(table: u64, now: u64) -> Change {
    let table = Table { setting: Vec::new(), rows: vec![row("walk", table)] };
    let now = [row("walk", now)];
    table.changes(&now)[0].2
}

#[test]
fn the_guard_fails_on_more_than_five_in_a_hundred_more_and_passes_less() {
    assert_eq!(change(100_000 * 94 / 100, 100_000), Change::Slower);
    assert_eq!(change(100_000 * 96 / 100, 100_000), Change::None);
    assert_eq!(change(100_000, 105_000), Change::None);
    assert_eq!(change(100_000, 105_001), Change::Slower);
    assert_eq!(change(0, 1), Change::Slower);
    assert_eq!(change(0, 0), Change::None);
    assert_eq!(change(u64::MAX, u64::MAX), Change::None);
}

#[test]
fn the_guard_asks_for_a_new_table_where_this_one_would_hide_a_slowdown() {
    assert_eq!(change(100_000 * 104 / 100, 100_000), Change::None);
    assert_eq!(change(100_000 * 106 / 100, 100_000), Change::Faster);
    assert_eq!(change(100_000, 95_000), Change::None);
    assert_eq!(change(100_000, 94_999), Change::Faster);
}

#[test]
fn the_guard_knows_a_workload_by_name_and_size() {
    let table = Table { setting: Vec::new(), rows: vec![row("walk", 7), row("drop", 8)] };
    let now = [Row { n: 21, ..row("walk", 7) }, row("clone", 7)];
    assert!(table.changes(&now).iter().all(|(_, before, change)| before.is_none() && *change == Change::New));
    assert_eq!(table.gone(&now), ["drop"]);
}

#[test]
fn the_table_of_instructions_is_read_as_it_was_written() {
    let table = Table::read(COMMITTED).unwrap();
    assert!(table.rows.len() > 50 && table.setting.iter().any(|line| line.starts_with("rustc ")));
    assert_eq!(table.to_string(), COMMITTED);
    for broken in ["walk", "walk 20", "walk 20 many", "walk some 7"] {
        assert_eq!(Table::read(broken), None);
    }
}
