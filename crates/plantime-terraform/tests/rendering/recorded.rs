//! Each recorded plan, rendered_plan, and the text that Terraform drew of it.
//!
//! `PLANTIME_DIFFERENCES=FILE` writes every line that differs.

use std::collections::BTreeMap;
use std::fmt::Write as _;

use plantime_terraform::plan::{Colour, Plan, RenderStyle, UnknownDetail};

use super::recordings::{Recording, recordings};

/// What two texts have in common.
#[derive(Default)]
struct Score {
    plans: usize,
    equal_plans: usize,
    lines: usize,
    equal_lines: usize,
    marked: usize,
    equal_marked: usize,
}

impl Score {
    fn add(&mut self, other: &Score) {
        self.plans += other.plans;
        self.equal_plans += other.equal_plans;
        self.lines += other.lines;
        self.equal_lines += other.equal_lines;
        self.marked += other.marked;
        self.equal_marked += other.equal_marked;
    }

    fn shares(&self) -> [f64; 3] {
        let share = |part: usize, whole: usize| 100.0 * part as f64 / whole.max(1) as f64;
        [
            share(self.equal_lines, self.lines),
            share(self.equal_marked, self.marked),
            share(self.equal_plans, self.plans),
        ]
    }
}

/// Whether a line says that something changes, or is a comment.
fn is_marked(line: &str) -> bool {
    ["+", "-", "~", "<=", "#"].iter().any(|mark| line.trim_start().starts_with(mark))
}

/// The pairs of lines in which two texts differ, aligned by their longest common subsequence: after a missing or additional
/// line, equal lines still count as equal.
pub(crate) fn differences<'a>(expected: &'a str, drawn: &'a str) -> Vec<(Option<&'a str>, Option<&'a str>)> {
    let (a, b): (Vec<&str>, Vec<&str>) = (expected.lines().collect(), drawn.lines().collect());
    let mut found = Vec::new();
    let (mut i, mut j) = (0, 0);
    while i < a.len() || j < b.len() {
        if i < a.len() && j < b.len() && a[i] == b[j] {
            (i, j) = (i + 1, j + 1);
            continue;
        }
        // The nearest place at which two lines in a row are the same again.
        let rejoins = |i: usize, j: usize| {
            i <= a.len() && j <= b.len() && a[i..].iter().take(2).eq(b[j..].iter().take(2))
        };
        let step = (1..400).find_map(|distance| {
            (0..=distance)
                .map(|right| (distance - right, right))
                .find(|(down, right)| rejoins(i + down, j + right))
        });
        let (down, right) = step.unwrap_or((a.len() - i, b.len() - j));
        for at in 0..down.max(right) {
            let line =
                |lines: &[&'a str], start: usize, count: usize| (at < count).then(|| lines[start + at]);
            found.push((line(&a, i, down), line(&b, j, right)));
        }
        (i, j) = (i + down, j + right);
    }
    found
}

/// Renders a plan as Terraform does.
fn render(recording: &Recording) -> String {
    let plan = Plan::read(&recording.plan, &recording.schemas).unwrap();
    let style = RenderStyle::new(Colour::Never).unknown_detail(UnknownDetail::Omitted);
    plan.rendered(&recording.schemas, style)
}

#[test]
fn plans_are_rendered_as_terraform_renders_them() {
    let (recordings, is_collection) = recordings();
    let mut report = String::new();
    let mut scores: BTreeMap<String, Score> = BTreeMap::new();
    let mut all = Score::default();
    for recording in &recordings {
        let drawn = render(recording);
        let found = differences(&recording.text, &drawn);
        let differing: Vec<&str> = found.iter().filter_map(|(expected, _)| *expected).collect();
        let lines = recording.text.lines().count();
        let marked = recording.text.lines().filter(|line| is_marked(line)).count();
        let score = Score {
            plans: 1,
            equal_plans: usize::from(drawn == recording.text),
            lines,
            equal_lines: lines - differing.len(),
            marked,
            equal_marked: marked - differing.iter().filter(|line| is_marked(line)).count(),
        };
        if drawn != recording.text {
            writeln!(report, "== {}", recording.name).unwrap();
            for (expected, drawn) in found {
                expected.iter().for_each(|line| writeln!(report, "-{line}").unwrap());
                drawn.iter().for_each(|line| writeln!(report, "+{line}").unwrap());
            }
        }
        let folder = recording.name.split('/').take(2).collect::<Vec<_>>().join("/");
        scores.entry(folder).or_default().add(&score);
        all.add(&score);
    }
    println!("{:28} {:>6} {:>8} {:>8} {:>8}", "", "plans", "lines", "marked", "equal");
    for (folder, score) in scores.iter().chain([(&"all".to_owned(), &all)]) {
        let [lines, marked, plans] = score.shares();
        println!("{folder:28} {:>6} {lines:>7.2}% {marked:>7.2}% {plans:>7.2}%", score.plans);
    }
    if let Some(file) = std::env::var_os("PLANTIME_DIFFERENCES") {
        std::fs::write(file, &report).unwrap();
    }
    let [lines, marked, plans] = all.shares();
    assert!(all.plans > if is_collection { 300 } else { 50 }, "{} recordings", all.plans);
    let least = if is_collection { (99.9, 99.9, 98.5) } else { (99.0, 99.0, 90.0) };
    assert!(lines >= least.0 && marked >= least.1 && plans >= least.2, "{lines} {marked} {plans}\n{report}");
}

/// Plans of `terraform_data` with random values (strings of several lines, JSON, sets, nulls, sensitive and unknown parts) that are
/// created, changed and replaced, of outputs that appear, change and go, and of resources that move, are tainted, imported,
/// forgotten, or whose module goes: made with Terraform 1.11.4.
#[test]
fn random_values_are_rendered_as_terraform_renders_them() {
    const FILE: &str = concat!(env!("CARGO_MANIFEST_DIR"), "/tests/rendering/updates.jsonl.gz");
    let schemas = plantime_schema::ProviderSchemas::new();
    let mut count = 0;
    for line in crate::packed::lines(std::fs::File::open(FILE).unwrap()) {
        let row: serde_json::Value = serde_json::from_str(&line).unwrap();
        let plan = Plan::read(row["plan"].to_string().as_bytes(), &schemas).unwrap();
        let style = RenderStyle::new(Colour::Never).unknown_detail(UnknownDetail::Omitted);
        let drawn = plan.rendered(&schemas, style);
        assert_eq!(row["text"].as_str(), Some(drawn.as_str()), "plan {count}");
        count += 1;
    }
    assert_eq!(count, 240);
}
