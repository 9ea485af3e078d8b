//! Cases of the language, its errors, and hostile expressions.
use std::collections::BTreeMap;

use plantime::source::Source;
use plantime::value;
use plantime::{Mark, Type, Value};
use plantime_hcl::{Argument, Block, Body, Diagnostics, Expression, Limits, Scope};

use super::recorded;

fn scope_values() -> BTreeMap<String, Value> {
    let unknown = |ty: &str| Value::unknown(ty.parse().unwrap());
    BTreeMap::from([
        ("bar".to_owned(), Value::from("Bar")),
        ("space_bar".to_owned(), Value::from("  Bar")),
        ("words".to_owned(), value!(["Foo", "Bar", "Baz"]).unwrap()),
        ("s".to_owned(), Value::from("abc")),
        ("n".to_owned(), Value::from(5)),
        ("no".to_owned(), Value::null(Type::Dynamic)),
        ("o".to_owned(), value!({ "a": 1, "b": "x" }).unwrap()),
        ("l".to_owned(), Value::list([1, 2, 3]).unwrap()),
        ("m".to_owned(), Value::map([("k", "v"), ("j", "w")]).unwrap()),
        ("st".to_owned(), Value::set(["b", "a"]).unwrap()),
        ("us".to_owned(), unknown("string")),
        ("ub".to_owned(), unknown("bool")),
        ("un".to_owned(), unknown("number")),
        ("ul".to_owned(), unknown("list(string)")),
        ("ulo".to_owned(), unknown("list(object({a = string}))")),
        ("um".to_owned(), unknown("map(string)")),
        ("uo".to_owned(), unknown("object({a = string})")),
        ("ud".to_owned(), Value::dynamic()),
        ("id".to_owned(), unknown("string").assume_string_prefix("vpc-").unwrap().assume_not_null().unwrap()),
        ("secret".to_owned(), Value::from("hunter2").mark(Mark::SENSITIVE)),
        ("secrets".to_owned(), value!(["x", "y"]).unwrap().mark(Mark::SENSITIVE)),
        ("objects".to_owned(), value!([{ "a": 1 }, { "a": 2 }]).unwrap()),
        ("nested".to_owned(), value!({ "l": [{ "a": [1, 2] }, { "a": [3] }] }).unwrap()),
    ])
}

fn run(text: &str) -> Result<Value, Diagnostics> {
    Expression::parse(text)?.evaluate(&Scope::new(&scope_values()))
}

#[track_caller]
fn gives(text: &str, expected: &str) {
    match run(text) {
        Ok(value) => assert_eq!(format!("{value:?}"), format!("{:?}", run(expected).unwrap()), "{text}"),
        Err(problems) => panic!("{text}: {problems}"),
    }
}

#[track_caller]
fn shows(text: &str, expected: &str) {
    match run(text) {
        Ok(value) => assert_eq!(format!("{value:?}"), expected, "{text}"),
        Err(problems) => panic!("{text}: {problems}"),
    }
}

#[track_caller]
fn fails(text: &str, expected: &str) {
    match run(text) {
        Ok(value) => panic!("{text}: {value:?}"),
        Err(problems) => assert_eq!(problems.to_string(), expected, "{text}"),
    }
}

#[test]
fn literals_and_operators() {
    gives("1 + 2 * 3 - 4 / 2 % 3", "5");
    gives("-5 % 3", "-2");
    gives("!true || n > 4 && s == \"abc\"", "true");
    gives("12345678901234567890123 + 1", "12345678901234567890124");
    gives("\"\\u00e9\\n\\t\\\\ $${a} %%{b}\"", "\"é\\n\\t\\\\ $${a} %%{b}\"");
    gives("1 == \"1\"", "false");
    gives("true == \"true\"", "false");
    gives("\"5\" + 1", "6");
    gives("- n", "-5");
    gives("1e3", "1000");
    gives("null == no", "true");
    gives("(\n 1 +\n 2)", "3");
    gives("true ? 1 : 2", "1");
    gives("true ? 1 : \"a\"", "\"1\"");
    gives("false ? no.x : 5", "5");
    gives("no != null && no.a == 1", "false");
    gives("no == null || no.a == 1", "true");
}

/// HCL evaluates the condition of a `for` once with unknown names before it iterates, also over an empty collection.
#[test]
fn a_condition_over_nothing_is_evaluated() {
    let null = "Condition is null: The value of the 'if' clause must not be null.";
    fails("[for i in [] : i if null]", &format!("1:21: {null}"));
    for text in [
        "[for i in [] : i if (10 > null)]",
        "[for i in [] : i if tobool(\"x\")]",
        "[for i in tolist([]) : i if \"x\"]",
        "{ for k, v in {} : k => v if tobool(\"x\") }",
    ] {
        assert!(run(text).is_err(), "{text}: {:?}", run(text));
        gives(&format!("try({text}, \"failed\")"), "\"failed\"");
    }
    // What a condition of an unknown item may be is no error, nor is what stands beside it.
    gives("[for i in [] : i if true]", "[]");
    gives("[for i in [] : i if i > 1]", "[]");
    gives("[for i in [] : i if length(i.q) > 0]", "[]");
    gives("try([for i in [] : i if i.a > n], 1)", "[]");
    gives("try([for i, v in {} : v if contains(words, v)], 1)", "[]");
    gives("[for i in [] : tobool(\"x\")]", "[]");
    gives("{ for k, v in {} : null => v }", "{}");
    // An unknown condition may become one that fails.
    shows("can([for i in [] : i if tobool(us)])", "unknown(bool, notnull())");
    fails("[for i in ul : i if null]", &format!("1:21: {null}"));
}

#[test]
fn access() {
    gives("o.a", "1");
    gives("o[\"b\"]", "\"x\"");
    gives("l.0 + l[1]", "3");
    gives("m.k", "\"v\"");
    gives("[[1, 2], [3]][0][1]", "2");
    gives("nested.l.0.a.1", "2");
    gives("o[s == \"abc\" ? \"a\" : \"b\"]", "1");
    shows("o[us]", "dynamic");
    shows("{ a = 1, b = 2 }[us]", "unknown(number, notnull(numberinteger(numberrange(1, 2))))");
    shows("[\"ab\", \"ac\"][un]", "unknown(string, notnull(oneof(\"ab\", \"ac\")))");
    shows("m[us]", "unknown(string, notnull(oneof(\"v\", \"w\")))");
    shows("uo.a", "unknown(string)");
    shows("um.x", "unknown(string)");
    shows("ud.x[0].y", "dynamic");
}

#[test]
fn splats() {
    fails(
        "[1].*.a.*.b",
        "1:9: Nested splat expression not allowed: A splat expression (*) cannot be used inside another attribute-only splat expression.",
    );
    fails(
        "-3[*]",
        "1:2: Invalid operand: Unsuitable value for unary operand: number required, but have tuple.",
    );
    fails("-3[0]", "1:3: Invalid index: This value does not have any indices.");
    gives("-[3][0]", "-3");
    gives("objects[*].a", "[1, 2]");
    gives("objects.*.a", "[1, 2]");
    gives("objects.*.a[0]", "1");
    gives("nested.l[*].a[0]", "[1, 3]");
    gives("nested.l.*.a[0]", "[1, 2]");
    gives("nested.l[*].a[*]", "[[1, 2], [3]]");
    gives("s[*]", "[\"abc\"]");
    gives("no[*]", "[]");
    gives("o[*].a", "[1]");
    gives("l[*]", "tolist([1, 2, 3])");
    shows("ulo[*].a", "unknown(list(string), notnull())");
    shows("us[*]", "dynamic");
    shows("id[*]", "tuple[unknown(string, notnull(stringprefix(\"vpc-\")))]");
}

#[test]
fn for_expressions() {
    gives("[for x in l : x * 2 if x != 2]", "[2, 6]");
    gives("[for i, x in words : \"${i}${x}\"]", "[\"0Foo\", \"1Bar\", \"2Baz\"]");
    gives("{ for k, v in m : upper(k) => v }", "{ J = \"w\", K = \"v\" }");
    gives("{ for x in [\"a\", \"b\", \"a\"] : x => 1... }", "{ a = [1, 1], b = [1] }");
    gives("[for x in st : x]", "[\"a\", \"b\"]");
    gives("[for k, v in st : k == v]", "[true, true]");
    gives("[for k, v in o : k]", "[\"a\", \"b\"]");
    gives("[for x in l : [for y in l : x * y if y < x]]", "[[], [2], [3, 6]]");
    shows(
        "[for x in [id, \"a\"] : \"n-${x}\"]",
        "tuple[unknown(string, notnull(stringprefix(\"n-vpc-\"))), \"n-a\"]",
    );
    shows("[for x in ul : x]", "dynamic");
    shows("{ for x in [us] : x => 1 }", "dynamic");
    shows("[for x in [1, 2] : x if ub]", "dynamic");
    shows("length([for x in [us, us] : 1])", "2");
}

#[test]
fn keys_that_certainly_repeat_fail_while_they_are_not_known() {
    let unknown = "Two different items produced the same key, which is not known yet, in this 'for' expression. If duplicates are \
                   expected, use the ellipsis (...) after the value expression to enable grouping by key.";
    fails("{ for x in [1, 2] : us => x }", &format!("1:21: Duplicate object key: {unknown}"));
    fails("{ for x in [true, false, ub] : x => 1 }", &format!("1:32: Duplicate object key: {unknown}"));
    fails("{ for x in [ub, ub, ub] : \"${x}\" => 1 }", &format!("1:27: Duplicate object key: {unknown}"));
    for might in [
        "{ for x in [1, 2] : \"${us}${x}\" => x }",
        "{ for x in [us, us] : x => 1 }",
        "{ for x in ul : us => 1 }",
    ] {
        shows(might, "dynamic");
    }
    gives("try({ for x in [1, 2] : us => x }, \"again\")", "\"again\"");
    gives("can({ for x in [1, 2] : us => x })", "false");
    shows("{ for x in [1, 2] : us => x... }", "dynamic");
    // A key that is marked is not shown.
    fails(
        "{ for x in [\"hunter2\", \"hunter2\"] : sensitive(x) => 1 }",
        "1:37: Duplicate object key: Two different items produced the same key in this 'for' expression. If duplicates are \
         expected, use the ellipsis (...) after the value expression to enable grouping by key.",
    );
}

#[test]
fn a_set_is_iterated_with_each_length_that_it_may_have() {
    gives("one(toset([\"a\", us])[*])", "one([\"a\"])");
    shows("max(toset([1, un])...)", "unknown(number, notnull(numbermin(1)))");
    gives("length(toset([\"a\", us])[*])", "length(toset([\"a\", us]))");
    shows(
        "concat(toset([tolist([1]), tolist([un, un])])...)",
        "list[unknown(number), unknown(number), unknown(number)]",
    );
}

#[test]
fn a_null_of_a_type_that_is_not_decided_is_null() {
    shows("tolist([null])[0]", "unknown(dynamic, null())");
    gives("tolist([null])[0] == null", "true");
    gives("[for x in tolist([null, null]) : x == null]", "[true, true]");
    gives("coalescelist(tolist([null])[0], [\"a\"])", "[\"a\"]");
    gives("try(upper(tolist([null])[0]), 1)", "1");
    fails(
        "tolist([null])[0] + 1",
        "1:1: Operation failed: Error during operation: argument must not be null.",
    );
}

#[test]
fn a_conditional_with_a_result_of_unknown_type_keeps_its_collection_kind() {
    shows("ub ? tolist([1]) : ud", "unknown(list(dynamic))");
    shows("true ? tolist([1, 2]) : ud", "list[dynamic, dynamic]");
    shows("true ? tomap({ a = 1 }) : ud", "map{\"a\": dynamic}");
    // The other result may be a set of objects with fewer attributes; then the result is a set.
    shows("true ? ulo : ud", "dynamic");
    shows("us != \"\" ? ub : ub", "unknown(bool)");
    shows("ub ? ub : ub", "unknown(bool, notnull())");
}

#[test]
fn templates() {
    shows("\"web${un}\"", "unknown(string, notnull(stringprefix(\"web\")))");
    shows("\"web${us}\"", "unknown(string, notnull(stringprefix(\"we\")))");
    gives("\"a${1}b${true}\"", "\"a1btrue\"");
    gives("\"${l}\"", "l");
    gives("\"%{ if n > 3 }big%{ else }small%{ endif }!\"", "\"big!\"");
    gives("\"%{ if n > 9 }big%{ endif }!\"", "\"!\"");
    gives("\"%{ for x in words }${x},%{ endfor }\"", "\"Foo,Bar,Baz,\"");
    gives("\"%{ for i, x in words ~} ${i}${x} %{~ endfor }\"", "\"0Foo1Bar2Baz\"");
    gives("\"a ${~ 1 ~} b\"", "\"a1b\"");
    gives("\"%{ for x in [] }a%{ endfor }b\"", "\"b\"");
    shows("\"a-${id}-${us}\"", "unknown(string, notnull(stringpattern(\"^a-vpc-[^\\\\-]*-\")))");
    shows("\"%{ if ub }ab%{ else }ac%{ endif }\"", "unknown(string, notnull(oneof(\"ab\", \"ac\")))");
    shows("\"x-%{ for v in ul }a%{ endfor }\"", "unknown(string, notnull(stringprefix(\"x-\")))");
    gives("templatestring(bar, {})", "\"Bar\"");
    gives("try(templatestring(no, {}), 1)", "1");
}

#[test]
fn heredocs_keep_or_lose_their_indentation() {
    let heredoc = |text: &str| match run(text) {
        Ok(value) => value.as_str().unwrap().to_owned(),
        Err(problems) => panic!("{problems}"),
    };
    assert_eq!(heredoc("<<EOT\n  a\n    ${bar}\nEOT\n"), "  a\n    Bar\n");
    assert_eq!(heredoc("<<-EOT\n  a\n    ${bar}\n  EOT\n"), "a\n  Bar\n");
    assert_eq!(heredoc("<<-EOT\n    a\n\n    b\n  EOT\n"), "a\n\nb\n");
    // A strip marker takes the rest of its line, and the next line keeps its indentation.
    assert_eq!(
        heredoc("<<EOT\n%{ for w in words ~}\n  - ${w}\n%{ endfor ~}\nEOT\n"),
        "  - Foo\n  - Bar\n  - Baz\n"
    );
    assert_eq!(
        heredoc("<<-EOT\n    %{ for w in words ~}\n    - ${w}\n    %{ endfor ~}\n    EOT\n"),
        "    - Foo\n    - Bar\n    - Baz\n"
    );
    assert_eq!(
        heredoc("<<-EOT\n    %{ for w in words }\n    - ${w}\n    %{ endfor ~}\n    EOT\n"),
        "\n- Foo\n\n- Bar\n\n- Baz\n"
    );
    assert_eq!(heredoc("<<EOT\n$${a} %%{b}\n\\n\nEOT\n"), "${a} %{b}\n\\n\n");
    assert_eq!(heredoc("<<EOT\nEOT\n"), "");
}

#[test]
fn calls() {
    gives("max(l...)", "3");
    gives("max(1, [5, 2]...)", "5");
    gives("core::upper(s)", "\"ABC\"");
    shows("max(ul...)", "unknown(number, notnull())");
    shows("provider::x::y(1)", "dynamic");
    gives("try(o.z, o.a)", "1");
    gives("can(o.z)", "false");
    // An infinity has no JSON: a failure of the function, and no limit of this crate.
    gives("try(jsonencode(1 / 0), s)", "\"abc\"");
    gives("can(jsonencode([1 / 0]))", "false");
    gives("can(o.a)", "true");
    shows("try(us, \"d\")", "unknown(string)");
    shows("try(ud.a, \"d\")", "dynamic");
    shows("try(um[\"a\"], \"d\")", "unknown(string)");
    shows("can(um[\"a\"])", "unknown(bool, notnull())");
    shows("try(tonumber(us), 5)", "unknown(number)");
    gives("convert({ a = 1 }, object({ a = string, b = optional(number, 7) }))", "{ a = \"1\", b = 7 }");
    gives("convert([\"1\"], list(number))", "tolist([1])");
    gives("convert({}, object({ b = optional(string, s) })).b", "\"abc\"");
}

#[test]
fn problems_have_the_words_and_places_of_terraform() {
    fails("zzzzzz", "1:1: Unknown variable: There is no variable named \"zzzzzz\".");
    fails("o.z", "1:2: Unsupported attribute: This object does not have an attribute named \"z\".");
    fails(
        "[][0]",
        "1:3: Invalid index: The given key does not identify an element in this collection value: the collection has no elements.",
    );
    fails("!5", "1:2: Invalid operand: Unsuitable value for unary operand: bool required, but have number.");
    fails(
        "\"a\" < \"b\"",
        "1:1: Invalid operand: Unsuitable value for left operand: a number is required.\n1:7: Invalid operand: Unsuitable value for right operand: a number is required.",
    );
    fails(
        "true ? { a = 1 } : [1]",
        "1:8: Inconsistent conditional result types: The true and false result expressions must have consistent types. The 'true' value is object, but the 'false' value is tuple.",
    );
    fails(
        "{ for k in [\"a\", \"a\"] : k => 1 }",
        "1:25: Duplicate object key: Two different items produced the key \"a\" in this 'for' expression. If duplicates are expected, use the ellipsis (...) after the value expression to enable grouping by key.",
    );
    fails(
        "upper()",
        "1:7: Not enough function arguments: Function \"upper\" expects 1 argument(s). Missing value for \"str\".",
    );
    fails("1 + null", "1:1: Operation failed: Error during operation: argument must not be null.");
    fails(
        "[for x in null : x]",
        "1:11: Iteration over null value: A null value cannot be used as the collection in a 'for' expression.",
    );
    fails(
        "[for x in [1] : x if null]",
        "1:22: Condition is null: The value of the 'if' clause must not be null.",
    );
    fails(
        "\"a${l}\"",
        "1:5: Invalid template interpolation value: Cannot include the given value in a string template: string required, but have list of number.",
    );
    let problems = run("\"a${nested.l}\" == o.z").unwrap_err();
    let first = problems.first().values();
    assert_eq!(
        (first[0].reference.as_str(), first[0].statement.as_str()),
        ("nested.l", "is tuple with 2 elements")
    );
    fails(
        "convert(1, strng)",
        "1:12: Invalid type specification: The keyword \"strng\" is not a valid type specification.",
    );
}

#[test]
fn problems_tell_nothing_that_is_marked() {
    for text in [
        "tonumber(secret)",
        "[for x in secrets : tonumber(x)]",
        "secrets[*].a",
        "secret + 1",
        "secrets[7]",
        "{ for x in [\"a\", \"b\"] : secret => x }",
        "{ (secret) = 1 }.a",
        "o[secret]",
        "\"${secret}\" + 1",
        "try(tonumber(secret), tobool(secret))",
        "secrets.0.x",
        "true ? secrets : o",
    ] {
        let problems = run(text).unwrap_err().to_string();
        assert!(
            !problems.contains("hunter") && !problems.contains("\"x\"") && !problems.contains("\"y\""),
            "{text}: {problems}"
        );
        println!("{text}: {problems}");
    }
    assert!(run("can(tonumber(secret))").unwrap().is_marked());
    assert!(run("try(tonumber(secret), 1)").unwrap().is_marked());
    assert!(run("try(o.z, secret)").unwrap().is_marked());
    assert!(!run("try(o.z, 1)").unwrap().is_marked());
}

#[test]
fn references_are_found() {
    let expression = Expression::parse("[for x in a.b[0].c : x.y + z[w] if d[*].e == x]").unwrap();
    let found: Vec<String> = expression.references().iter().map(ToString::to_string).collect();
    assert_eq!(found, ["a.b[0].c", "z", "w", "d"]);
}

#[test]
fn hostile_expressions_end_soon() {
    let start = std::time::Instant::now();
    let many = "[for a in range(1000) : [for b in range(1000) : [for c in range(1000) : c]]]";
    let deep = format!("{}1{}", "(".repeat(5000), ")".repeat(5000));
    let operators = format!("1{}", " + 1".repeat(10_000));
    let brackets = "(1 + 1 + ".repeat(60);
    let text = "\"%{ for a in range(1000) }%{ for b in range(1000) }xxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxx%{ endfor }%{ endfor }\"";
    let nested_try = format!("{}nope{}", "try(".repeat(40), ")".repeat(40));
    let conditionals = "ub ? 1 : ".repeat(50) + "2";
    for hostile in [
        many,
        &deep,
        &operators,
        &brackets,
        text,
        &nested_try,
        &conditionals,
        "try([for a in range(1000) : [for b in range(1000) : b]], 1)",
    ] {
        let one = std::time::Instant::now();
        let result = run(hostile);
        println!(
            "{:?} {} {}",
            one.elapsed(),
            &hostile[..hostile.len().min(60)],
            result.map_or_else(|e| e.to_string(), |v| format!("{v:?}")).chars().take(200).collect::<String>()
        );
    }
    assert!(start.elapsed().as_secs() < 60);
}

/// The parser compares each key of an object with all before it, and refuses the second of two: objects of many or of repeated
/// keys are read in pieces.
/// Each member of a set of unknown members is compared with many others, which counts as steps.
#[test]
fn sets_of_unknown_members_count_what_is_compared() {
    let sets =
        Expression::parse("[for i in range(20) : toset([for j in range(50) : \"x${us}${j}\"])]").unwrap();
    let (variables, mut limits) = (scope_values(), Limits::default());
    limits.steps = 60_000;
    assert!(sets.evaluate(&Scope::new(&variables).with_limits(limits)).is_ok());
    limits.steps = 50_000;
    assert!(sets.evaluate(&Scope::new(&variables).with_limits(limits)).unwrap_err().is_limit());
}

#[test]
fn objects_of_many_keys_are_read_in_pieces() {
    let item = |i: usize| match i % 4 {
        0 => format!("  k{i} = {i}\n"),
        1 => format!("  \"k{i}\" = [1, {{ a = \"x, ${{1 + 1}}\" }}], # a, comment\n"),
        2 => format!("  k{i} : <<EOT\n, text {i},\nEOT\n"),
        _ => format!("\n  (\"k{i}\") = {{ for x in [1, 2] : x => {{ b = x, c = {i} }} }},"),
    };
    let text = |count: usize| format!("{{{}}}", (0..count).map(item).collect::<String>());
    let none = BTreeMap::new();
    for count in [3, 511, 512, 513, 1100, 2050] {
        let value = Expression::parse(&text(count)).unwrap().evaluate(&Scope::new(&none)).unwrap();
        let names = value.ty();
        assert_eq!(names.to_string().matches("k").count(), count, "{count}");
        let last = value.get(&plantime::Path::new().attr(&format!("k{}", count - 1)));
        assert!(last.is_ok(), "{count}");
    }
    // Places are those in the whole text.
    let wrong = text(1100).replace("k1000 = 1000", "k1000 = nope");
    let problems = Expression::parse(&wrong).unwrap().evaluate(&Scope::new(&none)).unwrap_err();
    let at = problems.iter().next().unwrap().span();
    assert_eq!(&wrong[at.clone()], "nope");
    let wrong = text(1100).replace("k1000 = 1000", "k1000 = = 1000");
    assert!(Expression::parse(&wrong).is_err());
    for (text, shown) in [
        ("{ a = 1, a = 2 }", "object{\"a\": 2}"),
        (
            "{ a = 1, b = 2, a = 3, b = 4, c = { a = 1, a = 5 } }",
            "object{\"a\": 3, \"b\": 4, \"c\": object{\"a\": 5}}",
        ),
        ("{ \"b\" = 1, \"b\" = 2 }", "object{\"b\": 2}"),
        ("{ /* none, */ }", "object{}"),
    ] {
        let value = Expression::parse(text).unwrap().evaluate(&Scope::new(&none)).unwrap();
        assert_eq!(format!("{value:?}"), shown);
    }
    let repeated = format!("{{{}}}", "a = 1\n".repeat(2_000));
    assert!(Expression::parse(&repeated).is_ok());
    let start = std::time::Instant::now();
    assert!(Expression::parse(&text(16_000)).is_ok());
    let time = start.elapsed();
    println!("16,000 keys: {time:?}");
    assert!(time.as_secs() < 20);
}

/// The time of an evaluation with a list of so many numbers, the least of three.
fn time(text: &str, size: i64) -> f64 {
    let list = Value::list(0..size).unwrap();
    let map = Value::map((0..size).map(|i| (format!("k{i}"), i))).unwrap();
    let values = BTreeMap::from([("l".to_owned(), list), ("m".to_owned(), map)]);
    let expression = Expression::parse(text).unwrap();
    let once = || {
        let start = std::time::Instant::now();
        expression.evaluate(&Scope::new(&values)).unwrap();
        start.elapsed().as_secs_f64()
    };
    (0..3).map(|_| once()).fold(f64::MAX, f64::min)
}

#[test]
fn work_grows_with_the_size_of_operands() {
    for text in [
        "[for x in l : x + 1]",
        "{ for x in l : \"k${x}\" => x }",
        "{ for x in l : x % 10 => x... }",
        "{ for k, v in m : k => v if v % 2 == 0 }",
        "l[*]",
        "\"%{ for x in l }${x},%{ endfor }\"",
        "max(l...)",
        "[for x in l : try(x.a, x)]",
    ] {
        let (small, large) = (time(text, 4_000), time(text, 40_000));
        println!("{text}: {:.1} us and {:.1} us, {:.1} times", small * 1e6, large * 1e6, large / small);
        assert!(large / small < 40.0, "{text}");
    }
}

#[test]
fn long_templates_and_conditionals_take_time_in_proportion() {
    let long = |count: usize| format!("\"{}\"", "a${1}".repeat(count));
    let time = |text: &str| {
        let start = std::time::Instant::now();
        run(text).unwrap();
        start.elapsed().as_secs_f64()
    };
    let (small, large) = (time(&long(2_000)), time(&long(20_000)));
    println!("template: {:.1} ms and {:.1} ms", small * 1e3, large * 1e3);
    assert!(large / small < 40.0);
}

/// The attributes of a file as values.
fn attributes(body: &Body) -> BTreeMap<String, Value> {
    let values = scope_values();
    let value = |argument: &Argument| {
        let value = argument.expression.evaluate(&Scope::new(&values));
        value.unwrap_or_else(|problems| panic!("{}: {problems}", argument.name))
    };
    body.arguments.iter().map(|argument| (argument.name.to_string(), value(argument))).collect()
}

/// The byte ranges of the errors that a test of the specification suite expects.
fn expected_errors(test: &Body) -> Vec<(usize, usize)> {
    let of = |error: &Block, name: &str| {
        let place = error.body.blocks.iter().find(|block| &*block.kind == name).unwrap();
        let byte = place.body.argument("byte").unwrap().expression.as_literal().unwrap();
        byte.to_string().parse::<usize>().unwrap()
    };
    let diagnostics = test.blocks.iter().filter(|block| &*block.kind == "diagnostics");
    diagnostics
        .flat_map(|block| &block.body.blocks)
        .map(|error| (of(error, "from"), of(error, "to")))
        .collect()
}

/// The problems of all files, and the values of those that have none, in the folders of the suite. How a block is decoded
/// into a value is no part of the language: for those with blocks, the values of the attributes within.
#[test]
fn the_specification_suite_passes() {
    let Some(suite) = recorded("hcl-specsuite") else { return };
    let mut tried = 0;
    for folder in [".", "comments", "expressions", "structure/attributes", "structure/blocks"] {
        for entry in std::fs::read_dir(suite.join(folder)).unwrap() {
            let path = entry.unwrap().path();
            if path.extension().is_none_or(|extension| extension != "t") {
                continue;
            }
            let name = path.display().to_string();
            let text = std::fs::read_to_string(&path).unwrap();
            let test = Body::parse(&Source::new(name.as_str(), text)).unwrap();
            let text = std::fs::read_to_string(path.with_extension("hcl")).unwrap();
            let body = Body::parse(&Source::new(name.as_str(), text));
            let errors = match &body {
                Ok(_) => Vec::new(),
                Err(problems) => {
                    problems.iter().map(|problem| (problem.span().start, problem.span().end)).collect()
                }
            };
            assert_eq!(errors, expected_errors(&test), "{name}: {:?}", body.err());
            tried += 1;
            let (Ok(body), Some(expected)) = (body, test.argument("result")) else { continue };
            let values = scope_values();
            let expected = expected.expression.evaluate(&Scope::new(&values)).unwrap();
            let body = body.blocks.first().map_or(&body, |block| &block.body);
            if !body.arguments.is_empty() {
                let given = Value::object(attributes(body)).unwrap();
                assert_eq!(given, expected, "{name}");
            }
        }
    }
    assert_eq!(tried, 11);
}

#[test]
fn a_type_in_an_argument_of_convert_has_no_references_but_in_defaults() {
    let references = |text: &str| -> Vec<String> {
        Expression::parse(text).unwrap().references().iter().map(ToString::to_string).collect()
    };
    assert_eq!(references("convert(jsondecode(var.s), list(string))"), ["var.s"]);
    assert_eq!(
        references("convert(var.x, object({ a = optional(map(any), var.d), b = tuple([bool]) }))"),
        ["var.x", "var.d"]
    );
    assert_eq!(references("other(var.x, list(string))"), ["var.x", "string"]);
    let names = Expression::parse("convert(upper(a), set(any))").unwrap();
    let names: Vec<&str> = names.function_names().into_iter().map(|(name, _)| name).collect();
    assert_eq!(names, ["convert", "upper"]);
}

/// Each form at the greatest depth that is read, and one level deeper.
#[test]
fn what_is_nested_as_deep_as_allowed_is_evaluated() {
    let values = BTreeMap::from([("a".to_owned(), value!({"b": [1]}).unwrap())]);
    for (open, middle, close, levels) in [
        ("(", "1", ")", 1),
        ("[", "1", "]", 1),
        ("{a=", "1", "}", 1),
        ("abs(", "1", ")", 1),
        ("true ? ", "1", " : 2", 1),
        ("true ? 1 : ", "1", "", 1),
        ("-", "1", "", 1),
        // A `for` counts as two levels, and its collection is one more.
        ("[for x in [1] : ", "1", "]", 2),
        ("{for k, x in {a=1} : k => ", "1", "}", 2),
        ("[0][", "0", "]", 1),
        ("\"${", "1", "}\"", 1),
        ("1 + (", "1", ")", 1),
        ("true || (", "true", ")", 1),
        ("\"%{if true}", "x", "%{endif}\"", 0),
    ] {
        // The expression itself is one level.
        let depth = [1, 254, 126][levels];
        let text = format!("{}{middle}{}", open.repeat(depth), close.repeat(depth));
        let expression = Expression::parse(&text).unwrap_or_else(|problems| panic!("{open}: {problems}"));
        let value = expression.evaluate(&Scope::new(&values));
        assert!(value.is_ok(), "{open}: {value:?}");
        if levels > 0 {
            let text = format!("{}{middle}{}", open.repeat(depth + 2), close.repeat(depth + 2));
            assert!(Expression::parse(&text).unwrap_err().is_limit(), "{open}");
        }
    }
    let text = format!("\"{}x{}\"", "%{if true}".repeat(255), "%{endif}".repeat(255));
    assert_eq!(Expression::parse(&text).unwrap().evaluate(&Scope::new(&values)).unwrap(), Value::from("x"));
    let splats = format!("a.b{}", "[*]".repeat(255));
    assert!(Expression::parse(&splats).unwrap().evaluate(&Scope::new(&values)).is_ok());
    let splats = format!("a.b{}", ".*[0]".repeat(255));
    drop(Expression::parse(&splats).unwrap().evaluate(&Scope::new(&values)));
    // A chain of operators is no depth.
    let sum = format!("1{}", " + 1".repeat(100_000));
    assert_eq!(
        Expression::parse(&sum).unwrap().evaluate(&Scope::new(&values)).unwrap(),
        Value::from(100_001)
    );
    let any = format!("false{}", " || 1 == 2".repeat(50_000));
    assert_eq!(Expression::parse(&any).unwrap().evaluate(&Scope::new(&values)).unwrap(), Value::from(false));
}
