//! Languages of strings: decisions beside those of prefixes, operations beside compiling the same patterns with
//! `regex-automata`.

use plantime::language::Language;
use plantime::rule::{Request, Rule};
use plantime::{Refinement, Type, Value};
use regex_automata::dfa::dense::DFA;

use super::work::Work;

/// A pattern of 23 states, and one of 33.
const ID: &str = "^vpc-[0-9a-f]{17}$";
const NAME: &str = "^[a-z][a-z0-9-]{2,30}$";

/// As the first one, with capital letters too: one that is not within the second.
const ANY_ID: &str = "^[A-Za-z]{2,6}-[0-9a-f]{17}$";

/// The first and the second, one after the other.
const BOTH: &str = "^vpc-[0-9a-f]{17}[a-z][a-z0-9-]{2,30}$";

/// Whether an unknown of a shape of about thirty states can be a text, beside an unknown with a prefix.
pub fn language_decides(n: usize) -> Work {
    let of = |refinement: Refinement| {
        Value::refined(Type::String, refinement.and_not_null()).expect("a refinement of strings")
    };
    let (shape, prefix) = (of(Refinement::pattern(NAME).expect("a pattern")), of(Refinement::prefix("web-")));
    let texts = ["web-1", "Web", "db-0a1b2c3d", "x"].map(Value::from);
    let (ours, theirs) = (texts.clone(), texts);
    let work = Work::each(n, move |i| shape.equals(&ours[i % ours.len()]));
    let beside = Work::each(n, move |i| prefix.equals(&theirs[i % theirs.len()]));
    work.beside_with("an unknown with a prefix", beside)
}

/// Whether a rule with a pattern holds for all strings of a shape, beside all strings with a prefix.
pub fn language_within(n: usize) -> Work {
    let of = |refinement: Refinement| {
        Value::refined(Type::String, refinement.and_not_null()).expect("a refinement of strings")
    };
    let rule = || Rule::matches(NAME.parse().expect("a pattern"));
    let (shape, prefix) = (of(Refinement::pattern(ID).expect("a pattern")), of(Refinement::prefix("vpc-")));
    let (ours, theirs) = (rule(), rule());
    let work = Work::each(n, move |_| ours.check(&Request::new(&shape)));
    let beside = Work::each(n, move |_| theirs.check(&Request::new(&prefix)));
    work.beside_with("an unknown with a prefix", beside)
}

/// The intersection of two shapes, of which neither is within the other.
pub fn language_meet(n: usize) -> Work {
    let (id, name) = (language(ANY_ID), language(NAME));
    let work = Work::each(n, move |_| id.meet(&name));
    work.beside_with("both patterns compiled by regex-automata", compiled(n, &[ANY_ID, NAME]))
}

/// The concatenation of two shapes.
pub fn language_concat(n: usize) -> Work {
    let (id, name) = (language(ID), language(NAME));
    let work = Work::each(n, move |_| id.concat(&name));
    work.beside_with("its pattern compiled by regex-automata", compiled(n, &[BOTH]))
}

fn language(pattern: &str) -> Language {
    let refinement = Refinement::pattern(pattern).expect("a pattern");
    refinement.string_language().expect("no prefix").language().clone()
}

/// Patterns compiled to deterministic automata, which are not made minimal.
fn compiled(n: usize, patterns: &'static [&str]) -> Work {
    Work::each(n, move |_| {
        patterns.iter().map(|pattern| DFA::new(pattern).expect("a pattern")).collect::<Vec<_>>()
    })
}
