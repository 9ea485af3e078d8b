//! What a condition answers on a plan holds however the unknown values turn out: errors count as failures.

use super::plans::{Resource, answer, created, plan};

/// The values that an unknown value may turn out to be.
pub(crate) const VALUES: [&str; 5] = ["null", "\"a\"", "\"b\"", "1", "2"];

/// Conditions over `t.a`, whose attributes `x` and `y` may be unknown, and over `t.b`.
const CONDITIONS: [&str; 48] = [
    "self.x == \"a\"",
    "self.x != \"a\"",
    "self.x == self.y",
    "self.x == null",
    "self.x == null || self.x == \"a\"",
    "self.x == \"a\" && self.y == \"b\"",
    "self.x == \"a\" || self.y == \"b\"",
    "!(self.x == \"a\")",
    "self.x > 1",
    "self.x >= 1 || self.y == \"a\"",
    "self.y == \"a\" || self.x > 1",
    "self.y == \"a\" && self.x > 1",
    "can(tonumber(self.x))",
    "try(tonumber(self.x), 7) > 1",
    "tonumber(self.x) == 1",
    "contains([\"a\", \"b\"], self.x)",
    "contains([self.x], \"a\")",
    "contains([self.x, self.y], \"a\")",
    "length([self.x, self.y]) == 2",
    "length([for v in [self.x, self.y] : v if v != null]) >= 1",
    "length([for v in [1, 2, 3] : v if self.x == \"a\"]) <= 3",
    "alltrue([for v in [1, 2] : v > 0 if self.x == \"a\"])",
    "alltrue([for v in [1, 2] : v > 1 if self.x == \"a\"])",
    "anytrue([for v in [self.x, self.y] : v == \"a\"])",
    "alltrue([for v in [self.x, self.y] : v == \"a\"])",
    "alltrue([for v in [self.x] : tonumber(v) > 0])",
    "self.x == \"a\" ? self.y == \"a\" : self.y == \"b\"",
    "self.x == \"a\" ? true : tonumber(self.y) > 1",
    "startswith(self.x, \"a\")",
    "startswith(coalesce(self.x, \"a\"), \"a\")",
    "coalesce(self.x, \"z\") == \"z\"",
    "\"${self.x}\" == \"a\"",
    "length(resources(\"t\")) == 2",
    "anytrue([for r in resources(\"t\") : r.values.x == \"a\"])",
    "alltrue([for r in resources(\"t\") : r.values.x == \"a\"])",
    "length([for r in resources(\"t\") : r if r.values.x == self.x]) >= 1",
    "length([for r in resources(\"t\") : r if r.values.x == \"a\"]) <= 1",
    "length([for r in resources(\"t\") : r if r.values.x == \"a\"]) == 2",
    "contains([for r in resources(\"t\") : r.values.x], self.y)",
    "contains(resources(\"t\")[*].values.x, \"b\")",
    "sum([for r in resources(\"t\") : 1 if r.values.x != null]) <= 2",
    "sum([for r in resources(\"t\") : try(tonumber(r.values.x), 0)]) <= 10",
    "alltrue([for r in resources(\"t\") : anytrue([for q in resources(\"t\") : q.values.y == r.values.x])])",
    "length(distinct([for r in resources(\"t\") : r.values.x])) <= 2",
    "length(resources(\"none\")) == 0",
    "length(changes(\"t\")) > 0",
    "(null && self.x == \"a\") == false",
    "self.x == \"a\" || tonumber(\"x\") > 1",
];

/// Conditions that are put together in every way.
const ATOMS: [&str; 9] = [
    "self.x == \"a\"",
    "self.y != \"b\"",
    "self.x == self.y",
    "self.x > 1",
    "self.y == null",
    "contains([\"a\", \"1\"], self.x)",
    "can(tonumber(self.y))",
    "tonumber(self.y) < 2",
    "anytrue([for r in resources(\"t\") : r.values.x == \"b\"])",
];

/// All conditions: those that are listed, and each two atoms in each combination.
pub(crate) fn conditions() -> Vec<String> {
    let mut all: Vec<String> = CONDITIONS.map(str::to_owned).to_vec();
    for (at, a) in ATOMS.iter().enumerate() {
        all.push(format!("!({a})"));
        all.push(format!("length([for v in [1, 2] : v if {a}]) == 2"));
        all.push(format!("try({a}, true)"));
        for b in ATOMS.iter().skip(at + 1) {
            all.push(format!("{a} && {b}"));
            all.push(format!("{b} || {a}"));
            all.push(format!("({a}) ? ({b}) : !({b})"));
            all.push(format!("alltrue([for v in [1, 2] : v == 1 ? ({a}) : ({b})])"));
        }
    }
    all
}

/// The resources, with these values of `x` and `y` of the first and of `x` of the second; `None` is unknown.
pub(crate) fn resources(x: Option<&str>, y: Option<&str>, other: Option<&str>) -> Vec<Resource> {
    let resource = |address: &str, values: &[(&str, Option<&str>)]| {
        let known: Vec<String> =
            values.iter().filter_map(|(name, value)| Some(format!("\"{name}\": {}", (*value)?))).collect();
        let unknown: Vec<String> = values
            .iter()
            .filter(|(_, value)| value.is_none())
            .map(|(name, _)| format!("\"{name}\": true"))
            .collect();
        created(address, &format!("{{{}}}", known.join(", "))).unknown(&format!("{{{}}}", unknown.join(", ")))
    };
    vec![resource("t.a", &[("x", x), ("y", y)]), resource("t.b", &[("x", other), ("y", Some("\"a\""))])]
}

/// The rule about the first resource.
pub(crate) fn rule(condition: &str) -> String {
    format!(
        "rule \"r\" {{\n  resource = \"t.a\"\n  assert {{\n    condition     = {condition}\n    error_message = \"No.\"\n  }}\n}}\n"
    )
}

#[test]
fn an_answer_holds_for_every_completion() {
    let (mut compared, mut decided, mut wrong) = (0, 0, Vec::new());
    let conditions = conditions();
    assert!(conditions.len() >= 200, "{}", conditions.len());
    for condition in conditions {
        let rule = rule(&condition);
        let ask = |x: Option<&str>, y: Option<&str>, other: Option<&str>| {
            answer(&rule, &plan(&resources(x, y, other), "", ""))
        };
        for y in [None, Some("\"a\"")] {
            for other in [None, Some("\"b\"")] {
                let early = ask(None, y, other);
                if early == "undetermined" {
                    continue;
                }
                decided += 1;
                let all = |known: Option<&'static str>| match known {
                    Some(known) => vec![known],
                    None => VALUES.to_vec(),
                };
                for x in VALUES {
                    for y in all(y) {
                        for other in all(other) {
                            compared += 1;
                            let late = ask(Some(x), Some(y), Some(other));
                            if late != early {
                                wrong
                                    .push(format!("{condition}: {early}, then {late} for {x}, {y}, {other}"));
                            }
                        }
                    }
                }
            }
        }
    }
    assert!(wrong.is_empty(), "{} of {compared}:\n{}", wrong.len(), wrong.join("\n"));
    assert!(decided >= 30 && compared >= 1_000, "{decided} decided, {compared} compared");
}

#[test]
fn two_spellings_of_a_rule_have_one_answer() {
    let spellings: [(&str, &str); 8] = [
        (
            "attribute \"x\" {\n    not_null = true\n    equals   = \"a\"\n  }",
            "self.x != null && self.x == \"a\"",
        ),
        (
            "attribute \"x\" {\n    not_null = true\n    one_of   = [\"a\", \"b\"]\n  }",
            "self.x != null && contains([\"a\", \"b\"], self.x)",
        ),
        ("attribute \"x\" { is_null = true }", "self.x == null"),
        ("attribute \"x\" { not_null = true }", "self.x != null"),
        (
            "any {\n    attribute \"x\" { is_null = true }\n    attribute \"y\" { is_null = true }\n  }",
            "self.x == null || self.y == null",
        ),
        (
            "all {\n    attribute \"x\" { not_null = true }\n    attribute \"y\" { not_null = true }\n  }",
            "self.x != null && self.y != null",
        ),
        ("not {\n    attribute \"x\" { not_null = true }\n  }", "!(self.x != null)"),
        (
            "attribute \"y\" {\n    not_null    = true\n    starts_with = \"a\"\n  }",
            "self.y != null && startswith(self.y, \"a\")",
        ),
    ];
    for (tests, condition) in spellings {
        let keywords = format!("rule \"r\" {{\n  resource = \"t.a\"\n  {tests}\n}}\n");
        let values = || [None, Some("null"), Some("\"a\""), Some("\"b\"")];
        for x in values() {
            for y in values() {
                let plan = plan(&resources(x, y, Some("\"b\"")), "", "");
                let (one, other) = (answer(&keywords, &plan), answer(&rule(condition), &plan));
                // A keyword may know more of what an unknown value can be an error for.
                let is_same = one == other || other == "undetermined";
                assert!(is_same, "{tests}: {one}; {condition}: {other}\n{x:?} {y:?}");
            }
        }
    }
}
