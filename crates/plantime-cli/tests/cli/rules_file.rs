//! Rules files: every problem with its place, and the nearest right name.

use plantime::source::Source;
use plantime_terraform::plan::RulesFile;

use crate::{has, network};

/// What is wrong with a rules file: `LINE:COLUMN: MESSAGE` each.
#[track_caller]
fn problems(text: &str, expected: &[&str]) {
    let found: Vec<String> = match RulesFile::read(Source::new("f", text)) {
        Ok(_) => Vec::new(),
        Err(problems) => problems.iter().map(|problem| problem.to_string().replacen("f:", "", 1)).collect(),
    };
    assert_eq!(found, expected, "{text}");
}

/// The same for what stands in a rule about a resource, from line 3.
#[track_caller]
fn in_rule(text: &str, expected: &[&str]) {
    problems(&format!("rule \"r\" {{\n  resource = \"a\"\n{text}\n}}\n"), expected);
}

#[track_caller]
fn in_attribute(text: &str, expected: &[&str]) {
    in_rule(&format!("attribute \"x\" {{\n{text}\n}}"), expected);
}

#[test]
fn unknown_names_come_with_the_nearest() {
    problems("rules \"r\" {\n}\n", &["1:1: unknown block `rules`; the nearest is `rule`"]);
    problems("x = 1\n", &["1:1: `x` must stand in a block: assume, rule or skip"]);
    in_rule("atribute \"x\" {\n}", &["3:1: unknown block `atribute`; the nearest is `attribute`"]);
    in_rule(
        "recource = 1\nattribute \"x\" { len = 1 }",
        &["3:1: unknown rule `recource`; the nearest is `resource`"],
    );
    in_attribute("start_with = \"a\"", &["4:1: unknown rule `start_with`; the nearest is `starts_with`"]);
    in_attribute("zzz = 1", &["4:1: unknown rule `zzz`"]);
    in_rule(
        "severity = \"warn\"\nattribute \"x\" { len = 1 }",
        &["3:12: unknown severity `warn`; there are info, low, warning, medium, high, error, critical"],
    );
    in_rule(
        "actions = [\"craete\"]\nattribute \"x\" { len = 1 }",
        &["3:12: unknown action `craete`; the nearest is `create`"],
    );
}

#[test]
fn a_block_on_one_line_is_explained() {
    let message = "Invalid single-argument block definition: A single-line block definition must end with a closing brace \
                   immediately after its single argument definition.";
    let form = "Write: attribute \"x\" { ⏎ len = 1 ⏎ min = 2 ⏎ }";
    in_rule("attribute \"x\" { len = 1 min = 2 }", &[&format!("3:25: {message} {form}")]);
    in_rule("when { x = 1 attribute \"x\" { len = 1 } }", &[&format!("3:14: {message}")]);
}

/// What people write by mistake in a line of a block, where it is told, in which words, and the nearest right form.
const SLIPS: [(&str, &str, &str, &str); 30] = [
    ("equals =", "4:9", "Invalid expression", "equals = \"…\""),
    ("equals = = 1", "4:10", "Invalid expression", "equals = 1"),
    ("equals == 1", "4:1", "Argument or block definition required", "equals = 1"),
    ("equals := 1", "4:1", "Argument or block definition required", "equals = 1"),
    ("equals: 1", "4:1", "Argument or block definition required", "equals = 1"),
    ("equals => 1", "4:1", "Argument or block definition required", "equals = 1"),
    ("equals 1", "4:1", "Argument or block definition required", "equals = 1"),
    ("equals = 1,", "4:11", "Unexpected comma after argument", "equals = 1"),
    ("equals = 1;", "4:11", "Invalid character", "equals = 1"),
    ("equals = 'a'", "4:10", "Invalid character", "equals = \"a\""),
    ("equals = “a”", "4:10", "Invalid character", "equals = \"a\""),
    ("equals = `a`", "4:10", "Invalid character", "equals = \"a\""),
    ("equals = \"a", "4:12", "Invalid multi-line string", "equals = \"a\""),
    ("equals = a\"", "4:11", "Missing newline after argument", "equals = \"a\""),
    ("one_of = [\"a\" \"b\"]", "4:15", "Missing item separator", "one_of = [\"a\" , \"b\"]"),
    ("one_of = [\"a\",, \"b\"]", "4:15", "Invalid expression", "one_of = [\"a\", \"b\"]"),
    ("one_of = [\"a\", \"b\"", "5:1", "Missing item separator", ""),
    ("one_of = \"a\", \"b\"]", "4:13", "Unexpected comma after argument", ""),
    ("one_of = (\"a\"", "5:1", "Unbalanced parentheses", ""),
    ("equals = {a 1}", "4:13", "Missing key/value separator", "equals = {a = 1}"),
    ("equals = {a = 1 b = 2}", "4:17", "Missing attribute separator", "equals = {a = 1 ⏎ b = 2}"),
    ("equals = 1 min = 2", "4:12", "Missing newline after argument", "equals = 1 ⏎ min = 2"),
    ("\"equals\" = 1", "4:1", "Invalid argument name", ""),
    ("equals", "4:1", "Argument or block definition required", ""),
    (
        "all { min = 1, max = 2 }",
        "4:14",
        "Invalid single-argument block definition",
        "all { ⏎ min = 1 ⏎ max = 2 ⏎ }",
    ),
    (
        "all { min = 1 max = 2 }",
        "4:15",
        "Invalid single-argument block definition",
        "all { ⏎ min = 1 ⏎ max = 2 ⏎ }",
    ),
    ("all", "4:1", "Argument or block definition required", ""),
    ("all = {", "1:10", "Unclosed configuration block", ""),
    ("matches = \"^\\d+$\"", "4:13", "Invalid escape sequence", ""),
    ("equals = 1.2.3", "4:10", "Invalid number literal", "equals = \"1.2.3\""),
];

#[test]
fn syntax_errors_show_the_nearest_valid_form() {
    let mut wrong = Vec::new();
    for (slip, place, summary, form) in SLIPS {
        let text = format!("rule \"r\" {{\n  resource = \"a\"\nattribute \"x\" {{\n{slip}\n}}\n}}\n");
        let run = network("rules_file/slip.hcl", &text, &[]);
        let place = format!("slip.hcl:{place}: ");
        let form = if form.is_empty() { String::new() } else { format!(" Write: {form}") };
        let flat = run.err.split_whitespace().collect::<Vec<_>>().join(" ");
        if run.status != 2 || !flat.contains(&place) || !flat.contains(summary) || !flat.contains(&form) {
            wrong.push(format!("{slip}: {}", run.err));
        }
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}

#[test]
fn blocks_may_stand_on_the_line_of_the_block_that_they_are_in() {
    let rules = "rule \"r\" {\n  resource = \"aws_vpc\"\n  when { attribute \"tags\" { not_null = true } }\n  \
                 any { not { attribute \"id\" { is_null = true } } attribute \"arn\" { not_nul = true } }\n}\n";
    problems(rules, &["4:69: unknown rule `not_nul`; the nearest is `not_null`"]);
    let rules = rules.replace("not_nul =", "not_null =");
    let run = network("rules_file/one-line.hcl", &rules, &[]);
    assert_eq!((run.status, run.err.as_str()), (0, ""));
    has(&run.out, "    undetermined  r ");
}

#[test]
fn an_error_of_syntax_in_each_block_is_told() {
    let broken = |name: &str| format!("rule \"{name}\" {{\n  resource = = 1\n}}\n");
    let whole = "rule \"c\" {\n  resource = \"a\"\n  attribute \"x\" { len = 1 }\n}\n";
    let message =
        "Invalid expression: Expected the start of an expression, but found an invalid expression token.";
    problems(
        &format!("{}{whole}{}", broken("a"), broken("b")),
        &[&format!("2:14: {message} Write: resource = 1"), &format!("9:14: {message} Write: resource = 1")],
    );
}

#[test]
fn a_text_that_looks_like_a_place_or_a_number_is_not_taken_for_another_text() {
    in_attribute(
        "equals = \"<.name\"",
        &[
            "4:10: `equals` takes a literal, and \"<.name\" is written like the place of another attribute, which only \
           sums take: write equal_to_sum_of = [\"<.name\"] for numbers",
        ],
    );
    in_attribute(
        "min = \"14\"\nat_most = \"2.5\"",
        &[
            "4:7: `min` compares texts character by character: \"9\" comes after \"14\"; write min = 14 for a number, or \
             not_before = \"14\" for the order of texts",
            "5:11: `at_most` compares texts character by character: \"9\" comes after \"14\"; write at_most = 2.5 for a \
             number, or not_after = \"2.5\" for the order of texts",
        ],
    );
    in_attribute("min = \"2024-01-01\"", &[]);
    in_attribute("equals = \"<none>\"", &[]);
}

#[test]
fn a_condition_stands_in_its_block() {
    let message = "`condition` belongs into a block `assert`, with its `error_message`";
    in_rule("condition = true\nattribute \"x\" { len = 1 }", &[&format!("3:1: {message}")]);
}

#[test]
fn arguments_have_a_type() {
    in_attribute("starts_with = 1", &["4:15: starts_with takes a string, but this is 1"]);
    in_attribute(
        "min_len = \"3\"\nlen = -1",
        &[
            "4:11: min_len takes a whole number that is not negative, but this is a string",
            "5:7: len takes a whole number that is not negative, but this is -1",
        ],
    );
    in_attribute("not_null = \"yes\"", &["4:12: not_null takes true or false, but this is a string"]);
    in_attribute("one_of = \"a\"", &["4:10: one_of takes a list of values, but this is a string"]);
    in_attribute("one_of = []", &["4:10: `one_of` takes a list of values; this one is empty"]);
    in_attribute("equals = var.x", &["4:10: expected a literal value, not an expression"]);
    in_rule("prefer_write_only = [\"a\"]", &["3:21: prefer_write_only takes a list of two paths"]);
    in_rule("also_requires = [\"a\"]", &["3:17: also_requires takes a list of two paths or more"]);
    let parts = "required_when takes an object { path = \"…\", one_of = […], required = [\"…\"] }";
    in_rule("required_when = [\"a\"]", &[&format!("3:17: {parts}, but this is a tuple")]);
    in_rule("required_when = { path = \"a\" }", &[&format!("3:17: {parts}, but this is an object")]);
    in_attribute("one_not_null = 1", &["4:16: one_not_null takes true, or a list of keys, but this is 1"]);
    in_attribute(
        "cidr_network = [16]",
        &["4:16: cidr_network takes a list of two whole numbers from 0 to 128, but this is a tuple"],
    );
    in_attribute("url = [\"h t\"]", &["4:7: \"h t\" is no scheme of a URL"]);
    in_rule("keys {\nlen = 1\n}", &["3:1: `keys` belongs into a block `attribute \"PATH\"`"]);
    in_rule("each {\nlen = 1\n}", &["3:1: `each` belongs into a block `attribute \"PATH\"`"]);
    in_attribute("between = [1]", &["4:11: between takes a list of two numbers, but this is a tuple"]);
    in_attribute(
        "len_between = []",
        &["4:15: `len_between` takes a list of two whole numbers that are not negative; this one is empty"],
    );
    in_attribute(
        "min = 1e1000000\nmax = -1e1000000",
        &[
            "4:7: Invalid number literal: a number has at most 8192 digits before and after the point.",
            "5:8: Invalid number literal: a number has at most 8192 digits before and after the point.",
        ],
    );
    in_attribute("min = 1e400\nmax = 2e400", &[]);
    in_attribute("any = true", &["4:1: `any` is a block: any { … }"]);
    in_rule(
        "description = 1\nattribute \"x\" { len = 1 }",
        &["3:15: `description` takes a text, not a number"],
    );
    in_rule(
        "actions = \"create\"\nattribute \"x\" { len = 1 }",
        &["3:11: `actions` takes a list such as [\"create\", \"update\"]"],
    );
}

#[test]
fn patterns_paths_templates_and_addresses_are_read_at_once() {
    let place = |text: &str, place: &str| {
        let text = format!("rule \"r\" {{\n  resource = \"a\"\n{text}\n}}\n");
        let problems = RulesFile::read(Source::new("f", text.clone())).expect_err("it has a problem");
        assert_eq!(problems.len(), 1, "{text}: {problems:?}");
        assert!(problems[0].to_string().starts_with(place), "{text}: {}", problems[0]);
    };
    place("attribute \"x\" { matches = \"(\" }", "f:3:27: ");
    place("attribute \"x[\" { len = 1 }", "f:3:1: ");
    place("exactly_one_of = [\"a\", \"b[\"]", "f:3:18: ");
    place("attribute \"x\" {\n  len = 1\n  message = \"{nonsense}\"\n}", "f:5:13: ");
    let address =
        RulesFile::read(Source::new("f", "skip \"r\" {\n  address = \"a[\"\n  reason = \"x\"\n}\n"));
    assert!(address.expect_err("it has a problem")[0].to_string().starts_with("f:2:13: "));
}

#[test]
fn what_belongs_elsewhere_says_where() {
    in_rule("not_null = true", &["3:1: `not_null` belongs into a block `attribute \"PATH\"`"]);
    in_rule(
        "equal_to_sum_of = [\"a\"]",
        &["3:1: `equal_to_sum_of` belongs into a block `attribute \"PATH\"`"],
    );
    in_attribute("immutable = true", &["4:1: `immutable` belongs into a block `change \"PATH\"`"]);
    in_rule("change \"x\" { len = 1 }", &["3:14: `len` belongs into a block `attribute \"PATH\"`"]);
    in_rule(
        "value {\n}",
        &["3:1: `value` is for rules about an `output`; a resource has `attribute \"PATH\"`"],
    );
    in_attribute("change \"x\" {\n}", &["4:1: `change` cannot stand in a block for a place"]);
}

#[test]
fn a_rule_needs_a_subject_and_a_test() {
    let without = "without them it has only blocks `assert`";
    problems(
        "rule \"r\" {\n}\n",
        &[&format!("1:1: rule `r` does not say its `resource`, or its `output`: {without}")],
    );
    problems(
        "rule \"r\" {\n  resource = \"a\"\n}\n",
        &["1:1: rule `r` tests nothing: it needs an `attribute` block or its like"],
    );
    in_rule(
        "output = \"o\"\nattribute \"x\" { len = 1 }",
        &[
            "1:1: a rule speaks of one kind of subject: a `resource`, an `output`, a `variable`, a `module` or a `provider`",
        ],
    );
    in_rule(
        "attribute \"x\" {\n}",
        &["3:1: `attribute` tests nothing: it needs a keyword such as `not_null`"],
    );
    in_rule("when {\n}\nattribute \"x\" { len = 1 }", &["3:1: `when` needs a condition"]);
    problems(
        "rule {\n  resource = \"a\"\n  attribute \"x\" { len = 1 }\n}\n",
        &["1:1: `rule` takes one label: rule \"…\""],
    );
}

#[test]
fn a_skip_names_a_rule_an_address_and_a_reason() {
    let rule = "rule \"long-name\" {\n  resource = \"a\"\n  attribute \"x\" { len = 1 }\n}\n";
    problems(
        &format!("{rule}skip \"long-nam\" {{\n  address = \"a\"\n  reason = \"b\"\n}}\n"),
        &["5:1: unknown rule `long-nam`; the nearest is `long-name`"],
    );
    problems(
        &format!("{rule}skip \"long-name\" {{\n  adress = \"a\"\n}}\n"),
        &[
            "5:1: `skip` needs `address`",
            "5:1: `skip` needs `reason`",
            "6:3: unknown argument `adress`; the nearest is `address`",
        ],
    );
    problems(&format!("{rule}{rule}"), &["5:1: a second rule `long-name`; the first is in line 1"]);
}

#[test]
fn assumptions_are_refinements() {
    let assume = |text: &str| format!("assume \"a\" {{\n  id = {text}\n}}\n");
    problems(
        &assume("notnull()"),
        &["2:8: expected an assumption such as assumed(notnull(stringprefix(\"vpc-\")))"],
    );
    problems(
        &assume("assumed(stringprefx(\"a\"))"),
        &["2:16: unknown refinement `stringprefx`; the nearest is `stringprefix`"],
    );
    problems(&assume("assumed(\"a\")"), &["2:16: expected a refinement such as notnull(), not a text"]);
    problems(&assume("assumed(notnull(null()))"), &["2:8: null contradicts not null"]);
    problems(
        &assume("assumed()"),
        &["2:8: nothing is assumed: write assumed(notnull(stringprefix(\"vpc-\")))"],
    );
    for text in [
        "assumed(notnull(stringprefix(\"vpc-\")))",
        "assumed(notnull(), numbermin(-1.5))",
        "assumed(listlength(1, 3))",
        "assumed(null())",
    ] {
        problems(&assume(text), &[]);
    }
    problems("assume \"a\" {\n  attribute \"b[0].c\" { value = assumed(notnull()) }\n}\n", &[]);
    problems(
        "assume \"a\" {\n}\n",
        &["1:1: nothing is assumed: write ATTRIBUTE = assumed(notnull(stringprefix(\"vpc-\")))"],
    );
}

/// The rule of the only test, as text.
#[track_caller]
fn reads(text: &str, expected: &str, description: Option<&str>) {
    let text = format!("rule \"r\" {{\n  resource = \"a\"\n{text}\n}}\n");
    let read = RulesFile::read(Source::new("f", text)).expect("it reads");
    let test = &read.rules[0].tests[0];
    let path = test.path.as_ref().map_or(String::new(), |path| format!("{path}: "));
    assert_eq!(format!("{path}{}", test.rule), expected);
    assert_eq!(test.description.as_deref(), description);
}

#[test]
fn keywords_take_an_argument_or_a_pair() {
    reads("attribute \"x\" { min = 0.10 }", "x: min(0.1)", None);
    reads(
        "attribute \"x\" { min = 123456789012345678901234567890 }",
        "x: min(123456789012345678901234567890)",
        None,
    );
    reads("attribute \"x\" { min_len = [\"is long\", 2] }", "x: min_len(2)", Some("is long"));
    reads("attribute \"x\" { one_of = [\"a\", \"b\"] }", "x: one_of(\"a\", \"b\")", None);
    reads(
        "attribute \"x\" { one_of = [\"is fine\", [\"a\", \"b\"]] }",
        "x: one_of(\"a\", \"b\")",
        Some("is fine"),
    );
    reads("attribute \"x\" { utf8_length_at_least = 2 }", "x: min_len(2)", None);
    reads("attribute \"x\" { length_at_least = 2 }", "x: min_byte_len(2)", None);
    reads("attribute \"x\" { format = \"date-time\" }", "x: format(date_time)", None);
    reads("attribute \"x\" { even = true }", "x: even", None);
    reads(
        "attribute \"x\" { one_of_ignoring_case = [\"is a day\", [\"Mon\", \"Tue\"]] }",
        "x: one_of_ignoring_case(\"Mon\", \"Tue\")",
        Some("is a day"),
    );
    reads("exactly_one_of = [\"one\", [\"a\", \"b\"]]", "exactly_one_of(a, b)", Some("one"));
    reads(
        "attribute \"x\" { equals = { a = [1, null], \"b c\" = true } }",
        "x: equals({a = [1, null], \"b c\" = true})",
        None,
    );
}

#[test]
fn combinators_nest() {
    reads(
        "any {\nattribute \"x\" { len = 1 }\nattribute \"y\" {\nlen = 1\nmin = 2\n}\n}",
        "any(at(x, len(1)), at(y, all(len(1), min(2))))",
        None,
    );
    reads("not {\nattribute \"x\" { len = 1 }\n}", "not(at(x, len(1)))", None);
    reads(
        "attribute \"x\" {\nany {\nlen = 1\nnot {\nmin = 2\nmax = 3\n}\n}\n}",
        "x: any(len(1), not(all(min(2), max(3))))",
        None,
    );
    reads(
        "implies {\nif {\nattribute \"x\" { len = 1 }\n}\nthen {\nattribute \"y\" { len = 2 }\n}\n}",
        "implies(at(x, len(1)), at(y, len(2)))",
        None,
    );
    in_rule(
        "implies {\nif {\nattribute \"x\" { len = 1 }\n}\n}",
        &["3:1: `implies` takes one block `if` and one block `then`"],
    );
    in_rule("any {\n}", &["3:1: `any` needs something to test"]);
}

/// The rules of the example read, and so do those of its questions.
#[test]
fn the_files_of_the_example_read() {
    for text in [
        include_str!("../network/rules.hcl"),
        include_str!("../network/questions/rules.hcl"),
        include_str!("../network/questions/first.hcl"),
        include_str!("../network/questions/assumption.hcl"),
    ] {
        problems(text, &[]);
    }
}

/// The rules of what stands in a block `attribute`, as one line each.
#[track_caller]
fn means(text: &str, expected: &[&str]) {
    let text = format!("rule \"r\" {{\n  resource = \"a\"\n  attribute \"x\" {{\n{text}\n  }}\n}}\n");
    let set =
        RulesFile::read(Source::new("f", &text)).unwrap_or_else(|problems| panic!("{text}: {problems:?}"));
    let found: Vec<String> =
        set.rules.iter().flat_map(|rule| &rule.tests).map(|test| test.rule.to_string()).collect();
    assert_eq!(found, expected, "{text}");
}

#[test]
fn names_of_the_field_mean_what_they_stand_for() {
    means("int_between = [1, 5]", &["all(min(1), max(5))"]);
    means("between = [\"a good deal\", [1, 5]]", &["all(min(1), max(5))"]);
    means("max = \"m\"\nmin = 2", &["not_after(\"m\")", "min(2)"]);
    means("string_is_json = true\nis_uuid = false", &["format(json)"]);
    means("value_strings_are {\nmin_len = 1\nis_cidr = true\n}", &["at([*], all(min_len(1), format(cidr)))"]);
    means("keys_are {\nlen = 1\n}", &["keys(len(1))"]);
    means("any_diag {\nmin_len = 1\nmax_len = 2\n}", &["any(min_len(1), max_len(2))"]);
    means("string_does_not_contain_any = \"/-\"", &["not(matches(\"[/\\\\-]\"))"]);
}
