//! Laws and bounds of packages, which the ordinary tests and the fuzz targets share.
#![allow(missing_docs, clippy::unwrap_used, clippy::expect_used, clippy::panic, clippy::indexing_slicing)]
#![allow(dead_code, reason = "each program uses a part")]

use std::collections::{BTreeMap, BTreeSet};

use plantime_ytt::{Evaluation, Package};

/// What a target does with an input.
pub type Check = fn(&[u8]);

/// Name and check of each fuzz target.
pub const TARGETS: [(&str, Check); 2] = [("ytt_schema", schema), ("ytt_values", values)];

/// The longest time that an evaluation may take where nothing is optimised.
const LONGEST: std::time::Duration = std::time::Duration::from_secs(20);

/// Runs a part and fails if it takes too long.
pub fn soon<T>(part: impl FnOnce() -> T) -> T {
    let (start, on_processor) = (std::time::Instant::now(), thread_processor_time());
    let result = part();
    // Where it is known, the time on a processor is what counts: other programs may run beside this one.
    let taken = match (on_processor, thread_processor_time()) {
        (Some(before), Some(after)) => after.saturating_sub(before),
        _ => start.elapsed(),
    };
    assert!(taken < LONGEST, "{taken:?}");
    result
}

/// The processor time of this thread; `None` where the system does not tell it.
fn thread_processor_time() -> Option<std::time::Duration> {
    let text = std::fs::read_to_string("/proc/thread-self/schedstat").ok()?;
    text.split(' ').next()?.parse().ok().map(std::time::Duration::from_nanos)
}

/// A text as a schema: it is evaluated or refused, in the same way each time, with its data values as those of its output.
fn schema(input: &[u8]) {
    let text = String::from_utf8_lossy(input);
    let text = format!("#@data/values-schema\n---\n{text}");
    let package = Package::new().template("s.yml", &text);
    let first = soon(|| package.evaluate());
    let again = soon(|| package.evaluate());
    assert_eq!(first.values, again.values);
    assert_eq!(first.undetermined, again.undetermined);
    let _ = soon(|| package.openapi_schema());
    // The rules are all that an evaluation without validation leaves out.
    if first.values.is_ok() {
        assert_eq!(soon(|| package.clone().without_validation().evaluate()).values, first.values);
    }
}

/// A text as data values and as a template, and the law of unknown values for a package that its bytes choose.
fn values(input: &[u8]) {
    let text = String::from_utf8_lossy(input);
    let package = Package::new().template("s.yml", SCHEMA);
    let _ = soon(|| package.clone().values_file("v.yml", &text).evaluate());
    let overlay = format!("#@data/values\n---\n{text}");
    let _ = soon(|| package.clone().template("v.yml", &overlay).evaluate());
    let _ = soon(|| package.clone().template("t.yml", &text).output());
    let _ = soon(|| package.data_value_yaml("service", &text).strict().evaluate());
    let seed = input.iter().fold(7_u64, |seed, byte| seed.wrapping_mul(31).wrapping_add(u64::from(*byte)));
    weakened_answers_agree(&mut Random(seed), 3);
}

pub const SCHEMA: &str = r#"#@ load("@ytt:assert", "assert")
#@ load("@ytt:json", "json")
#@ def port_of_kind(v):
#@   if v["kind"] == "web":
#@     return v["port"] > 5 or fail("port {}".format(v["port"]))
#@   end
#@   return v["kind"] in ["db", "job"]
#@ end
#@ def names_differ(v):
#@   seen = {}
#@   for item in v:
#@     if item["name"] in seen:
#@       return fail("twice " + item["name"])
#@     end
#@     seen[item["name"]] = item
#@   end
#@   return True
#@ end
#@ def either(v):
#@   a, err = assert.try_to(lambda: 1 // v["port"])
#@   return err != None or v["extra"] == None or len(json.encode(v)) > 60
#@ end
#@data/values-schema
#@schema/validation ("r0", lambda v: v["service"]["port"] != v["limit"]), ("r1", lambda v: len(v) == 3)
---
#@schema/validation ("r2", port_of_kind), ("r3", either), ("r4", lambda v: fail("always")), when=lambda v: v["kind"] != "off"
service:
  #@schema/validation min_len=2, one_of=["web", "db", "off"]
  kind: web
  #@schema/validation ("r5", lambda v: v % 2 == 0), min=1, max=8
  port: 4
  #@schema/nullable
  #@schema/validation ("r6", lambda v: False), not_null=True, when=lambda v, ctx: ctx.parent["port"] > 3
  extra: ""
#@schema/validation ("r7", names_differ), max_len=2
list:
#@schema/validation ("r8", lambda v: "a" in v["name"] or v["size"] < 5), when=lambda v, ctx: ctx.root["limit"] > 2
- name: ""
  #@schema/nullable
  #@schema/validation min=3
  size: 1
#@schema/validation ("r9", lambda v: sorted([v, 3])[0] == 3), ("r10", lambda v: bool(v) and v < 100)
limit: 3
"#;

/// A random number generator, so that failures can be repeated.
pub struct Random(pub u64);

impl Random {
    pub fn below(&mut self, bound: usize) -> usize {
        self.0 = self.0.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        usize::try_from(self.0 >> 33).unwrap().checked_rem(bound).unwrap()
    }

    pub fn one<'a>(&mut self, choices: &[&'a str]) -> &'a str {
        choices[self.below(choices.len())]
    }
}

/// The values of a package: a scalar or flow collection at each path.
pub type Values = BTreeMap<&'static str, String>;

pub fn random_values(random: &mut Random) -> Values {
    let mut values = Values::new();
    values.insert("kind", random.one(&["web", "db", "\"off\"", "x"]).to_owned());
    values.insert("port", random.one(&["0", "2", "7", "12"]).to_owned());
    values.insert("extra", random.one(&["null", "\"\"", "\"some text\""]).to_owned());
    values.insert("limit", random.one(&["0", "2", "3", "7"]).to_owned());
    for (name, size) in [("name0", "size0"), ("name1", "size1")] {
        values.insert(name, random.one(&["a", "b", "\"\""]).to_owned());
        values.insert(size, random.one(&["null", "2", "9"]).to_owned());
    }
    values
}

/// Evaluates a package in which some values are unknown. `service`, `list` and `item` name whole collections.
pub fn evaluate(values: &Values, unknown: &BTreeSet<&'static str>) -> Evaluation {
    let value = |name: &str| if unknown.contains(name) { "!unknown" } else { values[name].as_str() };
    let item = |i: usize| match unknown.contains("item") && i == 0 {
        true => "- !unknown\n".to_owned(),
        false => {
            let (name, size) = (value(["name0", "name1"][i]), value(["size0", "size1"][i]));
            format!("- {{name: {name}, size: {size}}}\n")
        }
    };
    let service = match unknown.contains("service") {
        true => "service: !unknown\n".to_owned(),
        false => {
            let (kind, port, extra) = (value("kind"), value("port"), value("extra"));
            format!("service: {{kind: {kind}, port: {port}, extra: {extra}}}\n")
        }
    };
    let list = match unknown.contains("list") {
        true => "list: !unknown\n".to_owned(),
        false => format!("list:\n{}{}", item(0), item(1)),
    };
    let text = format!("{service}{list}limit: {}\n", value("limit"));
    Package::new().template("s.yml", SCHEMA).values_file("v.yml", &text).evaluate()
}

/// The rules that are violated and those without an answer, each as its path and its description.
pub fn answers(evaluation: &Evaluation) -> [BTreeSet<(String, String)>; 2] {
    let mut violated = BTreeSet::new();
    if let Err(error) = &evaluation.values {
        let (text, mut path) = (error.to_string(), String::new());
        let blocks = text.strip_prefix("Validating final data values:\n").expect(&text);
        for line in blocks.lines() {
            if let Some(rest) = line.strip_prefix("    - must be: ") {
                violated.insert((path.clone(), rest.rsplit_once(" (by: ").unwrap().0.to_owned()));
            } else if line.starts_with("  ") && !line.starts_with("   ") {
                line.trim().clone_into(&mut path);
            }
        }
    }
    let open = evaluation.undetermined.iter().map(|open| (open.path.clone(), open.rule.clone()));
    [violated, open.collect()]
}

/// Whether a rule is among those without an answer; a rule of an item of an unknown array has the path `list[]`.
pub fn is_open(open: &BTreeSet<(String, String)>, rule: &(String, String)) -> bool {
    let anonymous = (rule.0.replace("[0]", "[]").replace("[1]", "[]"), rule.1.clone());
    open.contains(rule) || open.contains(&anonymous)
}

/// Evaluates a random package with more and more unknown values: what is answered with less knowledge is answered in the same
/// way with more. Returns the numbers of open and of violated rules that were met.
pub fn weakened_answers_agree(random: &mut Random, steps: usize) -> [usize; 2] {
    let names =
        ["kind", "port", "extra", "limit", "name0", "name1", "size0", "size1", "service", "list", "item"];
    let mut met = [0, 0];
    let values = random_values(random);
    let mut unknown = BTreeSet::new();
    let mut chain = vec![answers(&evaluate(&values, &unknown))];
    for _ in 0..steps {
        unknown.insert(names[random.below(names.len())]);
        chain.push(answers(&evaluate(&values, &unknown)));
    }
    assert!(chain[0][1].is_empty(), "{:?}", chain[0][1]);
    // Each step knows less than the one before: what it answers, the one before answers in the same way.
    for pair in chain.windows(2) {
        let ([violated, open], [weak_violated, weak_open]) = (&pair[0], &pair[1]);
        for rule in violated {
            assert!(
                weak_violated.contains(rule) || is_open(weak_open, rule),
                "{rule:?} {values:?} {unknown:?}"
            );
        }
        for rule in weak_violated {
            assert!(violated.contains(rule), "{rule:?} {values:?} {unknown:?}");
        }
        for rule in open {
            assert!(is_open(weak_open, rule), "{rule:?} {values:?} {unknown:?}");
        }
        met[0] += weak_open.len();
        met[1] += weak_violated.len();
    }
    met
}
