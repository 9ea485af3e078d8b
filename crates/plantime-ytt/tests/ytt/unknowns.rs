//! The laws of unknown data values: a rule that passes or fails does so for every value that the unknown may become, and a data
//! value that becomes known changes no answer but undetermined ones.

use std::collections::{BTreeMap, BTreeSet};

use plantime_ytt::{Evaluation, Package};

/// A schema with rules of every kind: named, functions that read a part or all, guards, rules of the parent.
const SCHEMA: &str = r#"#@ load("@ytt:assert", "assert")
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
struct Random(u64);

impl Random {
    fn below(&mut self, bound: usize) -> usize {
        self.0 = self.0.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        usize::try_from(self.0 >> 33).unwrap().checked_rem(bound).unwrap()
    }

    fn one<'a>(&mut self, choices: &[&'a str]) -> &'a str {
        choices[self.below(choices.len())]
    }
}

/// The values of a package: a scalar or flow collection at each path.
type Values = BTreeMap<&'static str, String>;

fn random_values(random: &mut Random) -> Values {
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
fn evaluate(values: &Values, unknown: &BTreeSet<&'static str>) -> Evaluation {
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
fn answers(evaluation: &Evaluation) -> [BTreeSet<(String, String)>; 2] {
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
fn is_open(open: &BTreeSet<(String, String)>, rule: &(String, String)) -> bool {
    let anonymous = (rule.0.replace("[0]", "[]").replace("[1]", "[]"), rule.1.clone());
    open.contains(rule) || open.contains(&anonymous)
}

#[test]
fn answers_with_unknown_values_are_those_of_every_known_value() {
    let names =
        ["kind", "port", "extra", "limit", "name0", "name1", "size0", "size1", "service", "list", "item"];
    let mut random = Random(7);
    let (mut open_rules, mut closed_rules) = (0_usize, 0_usize);
    for _ in 0..400 {
        let values = random_values(&mut random);
        let mut unknown = BTreeSet::new();
        let mut chain = vec![answers(&evaluate(&values, &unknown))];
        for _ in 0..3 {
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
            open_rules += weak_open.len();
            closed_rules += weak_violated.len();
        }
    }
    // The law says nothing if all is open or nothing is.
    assert!(open_rules > 2_000 && closed_rules > 2_000, "{open_rules} {closed_rules}");
}

#[test]
fn a_function_that_does_not_read_an_unknown_value_has_its_answer() {
    let of = |function: &str| {
        let schema = format!(
            "#@data/values-schema\n---\n#@schema/validation (\"rule\", lambda v: {function})\nm:\n  a: 1\n  b: 2\n"
        );
        let evaluation =
            Package::new().template("s.yml", &schema).values_file("v.yml", "m: {a: !unknown}\n").evaluate();
        let [violated, open] = answers(&evaluation);
        assert!(
            open.iter().all(|(path, _)| path == "m")
                && evaluation.undetermined.iter().all(|o| o.reads == "m.a")
        );
        match (violated.len(), open.len()) {
            (0, 0) => "pass",
            (1, 0) => "fail",
            _ => "undetermined",
        }
    };
    assert_eq!(of("v[\"b\"] == 2"), "pass");
    assert_eq!(of("len(v) == 3"), "fail");
    assert_eq!(of("v[\"b\"] > 1 or v[\"a\"] > 1"), "pass");
    assert_eq!(of("v[\"b\"] > 2 and v[\"a\"] > 1"), "fail");
    for function in
        ["v[\"a\"]", "v[\"a\"] == 1", "str(v[\"a\"]) == \"\"", "[1] == [v[\"a\"]]", "\"{}\".format(v[\"a\"])"]
    {
        assert_eq!(of(function), "undetermined", "{function}");
    }
}

#[test]
fn an_unknown_value_may_be_null_and_hides_what_it_contains() {
    let schema = "#@data/values-schema\n---\n#@schema/nullable\n#@schema/validation (\"never\", lambda v: False)\na: 1\n\
                  list:\n#@schema/validation min=1\n- 0\n";
    let package =
        Package::new().template("s.yml", schema).values_file("v.yml", "a: !unknown\nlist: !unknown\n");
    let evaluation = package.evaluate();
    assert_eq!(evaluation.values.as_ref().unwrap(), "a: (known after apply)\nlist: (known after apply)\n");
    let [_, open] = answers(&evaluation);
    let expected = [("a", "never"), ("list[]", "a value >= 1")];
    assert_eq!(open, expected.map(|(path, rule)| (path.to_owned(), rule.to_owned())).into());
    let error = package.values_file("w.yml", "list: !unknown x\n").data_values().unwrap_err().to_string();
    assert!(error.contains("not supported"), "{error}");
}
