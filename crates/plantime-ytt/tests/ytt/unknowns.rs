//! The laws of unknown data values: a rule that passes or fails does so for every value that the unknown may become, and a data
//! value that becomes known changes no answer but undetermined ones.

use plantime_ytt::Package;

use crate::checks::{Random, answers, weakened_answers_agree};

/// A schema with rules of every kind: named, functions that read a part or all, guards, rules of the parent.
/// Tries the law on so many packages, each weakened three times.
fn law(packages: usize) {
    let mut random = Random(7);
    let (mut open_rules, mut closed_rules) = (0_usize, 0_usize);
    for _ in 0..packages {
        let [open, closed] = weakened_answers_agree(&mut random, 3);
        open_rules += open;
        closed_rules += closed;
    }
    // The law says nothing if all is open or nothing is.
    assert!(open_rules > 5 * packages && closed_rules > 5 * packages, "{open_rules} {closed_rules}");
}

#[test]
fn answers_with_unknown_values_are_those_of_every_known_value() {
    law(400);
}

#[test]
#[ignore = "100,000 weakenings take minutes where nothing is optimised"]
fn answers_with_unknown_values_are_those_of_every_known_value_at_length() {
    law(33_334);
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
