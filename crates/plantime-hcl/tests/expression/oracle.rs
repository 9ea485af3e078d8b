//! Terraform's recorded evaluations, run as expressions.
use std::collections::BTreeMap;
use std::path::{Path, PathBuf};

use plantime::function::{Function, Functions, Parameter};
use plantime::{Type, Value, msgpack};
use plantime_hcl::{Expression, Scope};
use serde_json::Value as Json;

use super::{decompressed, recorded};

fn decoded(hex: &str) -> Result<Value, String> {
    let byte = |i: usize| u8::from_str_radix(&hex[i..i + 2], 16).map_err(|error| error.to_string());
    let bytes: Vec<u8> = (0..hex.len() / 2).map(|i| byte(2 * i)).collect::<Result<_, _>>()?;
    msgpack::from_slice(&bytes, &Type::Dynamic).map_err(|error| error.to_string())
}

/// A table of the recording: a copy is here but for the conversions.
fn table(name: &str) -> Option<PathBuf> {
    let copy = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/data/terraform").join(name);
    if copy.exists() { Some(copy) } else { recorded(&format!("terraform-oracle/{name}")) }
}

fn rows(path: &Path) -> Vec<Json> {
    decompressed(path).lines().map(|line| serde_json::from_str(line).expect("JSON")).collect()
}

fn document(path: &Path) -> Json {
    serde_json::from_str(&std::fs::read_to_string(path).expect("a table")).expect("JSON")
}

fn locals(json: &Json, table: &str) -> BTreeMap<String, Value> {
    let read = |(name, hex): (&String, &Json)| Some((name.clone(), decoded(hex.as_str()?).ok()?));
    let mut values: BTreeMap<String, Value> =
        json[table].as_object().unwrap().iter().filter_map(read).collect();
    values.insert("tpl".into(), Value::from("T${v}"));
    BTreeMap::from([("local".to_owned(), Value::object(values).unwrap())])
}

/// The standard functions, and those of the provider that made the recording.
fn functions() -> Functions {
    let mut functions = Functions::standard().clone();
    let strict = Function::new("provider::probe::strict").parameter(Parameter::new("v", Type::Dynamic));
    functions.insert(
        strict.returns_by(|arguments| Ok(arguments.at(0).ty())).body(|arguments| Ok(arguments.at(0).clone())),
    );
    functions
}

fn construct(expr: &str) -> String {
    let mut shape = String::new();
    let name = expr.trim_start_matches('(');
    let call: String =
        name.chars().take_while(|c| c.is_ascii_alphanumeric() || *c == '_' || *c == ':').collect();
    let has = |text: &str| expr.contains(text);
    let kind = if expr.starts_with('{') && has(" for ") || expr.starts_with("{for") {
        "for object"
    } else if expr.starts_with("[for") {
        "for tuple"
    } else if has("[*]") || has(".*") {
        "splat"
    } else if has("...") {
        "expansion"
    } else if name[call.len()..].starts_with('(')
        && !call.is_empty()
        && expr.ends_with(')')
        && !has(" ? ")
        && !has("==")
    {
        shape = format!("call {call}");
        ""
    } else if has("?") {
        "conditional"
    } else if has("&&") || has("||") || expr.starts_with('!') {
        "logic"
    } else if has("==") || has("!=") {
        "equality"
    } else if [" < ", " > ", " <= ", " >= ", "<", ">"].iter().any(|o| has(o)) && !has("=>") {
        "comparison"
    } else if [" + ", " - ", " * ", " / ", " % "].iter().any(|o| has(o)) {
        "arithmetic"
    } else if expr.starts_with('"') {
        "template"
    } else if expr.starts_with('{') {
        "object"
    } else if has("][") || has(")[") || has("}[") || expr.ends_with(']') && !expr.starts_with('[') {
        "index"
    } else if expr.starts_with('[') {
        "tuple"
    } else {
        "reference"
    };
    if shape.is_empty() { kind.to_owned() } else { shape }
}

/// Whether two numbers, or strings that are numbers, differ by rounding only: Terraform computes with binary floats.
fn differ_in_last_digits(a: &Value, b: &Value) -> bool {
    let number = |value: &Value| match value.as_number() {
        Ok(number) => Some(number.clone()),
        Err(_) => value.as_str().ok().and_then(|text| text.parse::<plantime::Number>().ok()),
    };
    let (Some(x), Some(y)) = (number(a), number(b)) else { return false };
    let (a, b) = (Value::from(x), Value::from(y));
    let (Ok(apart), Ok(size)) = (a.subtract(&b).and_then(|d| d.absolute()), a.absolute()) else {
        return false;
    };
    let scale = Value::from("1e-18".parse::<plantime::Number>().unwrap());
    let bound = size.add(&Value::from(1)).and_then(|size| size.multiply(&scale)).unwrap();
    apart.less_than(&bound).is_ok_and(|less| less == Value::from(true))
}

/// Whether a number is out of a range by its last digits.
fn differ_from_bound(range: &Value, number: &Value) -> bool {
    let range = range.range();
    let Some(range) = range.number_range() else { return false };
    [range.lower(), range.upper()]
        .into_iter()
        .filter_map(|bound| bound.number())
        .any(|bound| differ_in_last_digits(&Value::from(bound.clone()), number))
}

/// Whether theirs is ours but for the upper bound of lengths, which theirs claims for each.
fn without_longest(theirs: &Value) -> Value {
    let range = theirs.range();
    let Some(numbers) = range.number_range() else { return theirs.clone() };
    let longest = plantime::Number::from(i64::MAX);
    if numbers.upper().number() != Some(&longest) {
        return theirs.clone();
    }
    let range = plantime::NumberRange::new(numbers.lower().clone(), plantime::Bound::Unbounded).unwrap();
    Value::refined(Type::Number, plantime::Refinement::number(range).and_not_null()).unwrap()
}

/// Whether the first contains the second.
fn contains(a: &Value, b: &Value) -> bool {
    Value::join(&[a, b]).is_ok_and(|join| join == *a)
}

/// Why an answer may differ, or say less.
fn reason(text: &str, verdict: &str, theirs: Option<&Value>) -> Option<&'static str> {
    let has = |part: &str| text.contains(part);
    Some(match verdict {
        _ if has("v_d") => "the undecided type may become one that changes or forbids the result",
        _ if has("v_st_p") => "the order of unknown members of a set is not known",
        "LESS" | "DIFFERENT" if has("setproduct") => "violations.json: no length but 0 is excluded",
        "LESS" if has("provider::probe::many") => "a function of a provider that is not in the table",
        "LESS" if text.starts_with("merge({c=1},local.v_o") => "violations.json: the object may be null",
        "OURS FAILS" if theirs.is_some_and(|theirs| !theirs.is_wholly_known()) => "it fails for all values",
        "OURS FAILS" if text.starts_with("merge(null") => "function merge: a tuple is no map",
        "OURS FAILS" if text.starts_with("coalesce(") => "function coalesce: the result converts",
        "OURS FAILS" if has("formatlist") => "function formatlist: a map has no format, whatever its length",
        "OURS FAILS" | "DIFFERENT" if has(" % ") => "remainders",
        "DIFFERENT" if has("strrev") => "function strrev: graphemes",
        "DIFFERENT" if text.starts_with("concat(tolist") => {
            "function concat: the element type of an empty list"
        }
        "DIFFERENT" if text.starts_with("toset([") => {
            "members of sets are known to be more, which the join cannot tell"
        }
        "THEIRS FAILS" if has("signum") => "function signum: of any number",
        "OTHER ERROR" if theirs.is_none() && text.starts_with("convert(") => "a panic",
        _ => return None,
    })
}

fn compare(file: &str) {
    let (Some(path), Some(values)) =
        (table(&format!("{file}.jsonl.gz")), table(&format!("{file}.values.json")))
    else {
        return;
    };
    let variables = locals(&document(&values), "locals");
    let functions = functions();
    let scope = Scope::new(&variables).with_functions(&functions);
    let mut counts: BTreeMap<String, BTreeMap<&str, usize>> = BTreeMap::new();
    let mut total: BTreeMap<&str, usize> = BTreeMap::new();
    let mut listed = Vec::new();
    let (mut reasons, mut unexplained): (BTreeMap<String, usize>, usize) = (BTreeMap::new(), 0);
    for row in rows(&path) {
        let text = row["expr"].as_str().unwrap();
        let ours = Expression::parse(text).and_then(|expression| expression.evaluate(&scope));
        let theirs = row.get("result_msgpack").and_then(Json::as_str).map(|hex| decoded(hex).expect(hex));
        let verdict = match (&ours, &theirs) {
            (Ok(ours), Some(theirs)) => {
                let ours = ours.unmark_deep().0;
                if ours == *theirs {
                    "same"
                } else if differ_in_last_digits(&ours, theirs) {
                    "last digits"
                } else if contains(&without_longest(theirs), &ours) || contains(theirs, &ours) {
                    "more precise"
                } else if contains(&ours, theirs) && text.starts_with("convert(") {
                    "LESS convert"
                } else if contains(&ours, theirs) {
                    "LESS"
                } else {
                    "DIFFERENT"
                }
            }
            (Err(ours), None) => {
                let first = ours.first();
                let said = if first.detail().is_empty() {
                    first.summary().to_owned()
                } else {
                    format!("{}: {}", first.summary(), first.detail())
                };
                let want = row["error"].as_str().unwrap_or_default();
                if said == want {
                    "same error"
                } else if want.starts_with(first.summary()) {
                    "other detail"
                } else {
                    "OTHER ERROR"
                }
            }
            (Err(ours), Some(_)) if ours.first().detail().contains("remainder is undefined") => {
                "remainder by 0"
            }
            (Err(ours), Some(_)) if ours.first().detail().contains("no function named \"abspath\"") => {
                "abspath"
            }
            (Err(_), Some(theirs))
                if !theirs.is_wholly_known() && (text.starts_with("convert(") || text.starts_with("to")) =>
            {
                "convert fails at plan"
            }
            (Err(_), Some(_)) => "OURS FAILS",
            (Ok(_), None) => "THEIRS FAILS",
        };
        *counts.entry(construct(text)).or_default().entry(verdict).or_default() += 1;
        *total.entry(verdict).or_default() += 1;
        let all = std::env::var("ALL").is_ok_and(|all| verdict.contains(&all)) || verdict == "other detail";
        if verdict.chars().all(|c| c.is_uppercase() || c == ' ') || all {
            let theirs_value = theirs.clone();
            let ours = match &ours {
                Ok(value) => format!("{value:?}"),
                Err(problems) => format!("{problems}"),
            };
            let theirs = match &theirs {
                Some(value) => format!("{value:?}"),
                None => row["error"].to_string(),
            };
            let why = reason(text, verdict, theirs_value.as_ref());
            if verdict != "other detail" && !all {
                match why {
                    Some(why) => *reasons.entry(format!("{verdict}: {why}")).or_default() += 1,
                    None => unexplained += 1,
                }
            }
            listed.push(format!("{verdict:12} {text}\n      ours   {ours}\n      theirs {theirs}"));
        }
    }
    for (construct, counts) in &counts {
        println!("{construct:30} {counts:?}");
    }
    for line in &listed {
        println!("{line}");
    }
    for (reason, count) in &reasons {
        println!("{count:5} {reason}");
    }
    println!("{file}: {total:?}");
    assert_eq!(unexplained, 0, "rows without a reason");
}

#[test]
fn expressions() {
    compare("expressions");
}

#[test]
fn conversions() {
    compare("convert-unify-text-number");
}

#[test]
fn concrete() {
    let tables = ["expressions.values.json", "expressions-concrete.values.json", "violations.json"];
    let [values, concrete, violations] = tables.map(|name| document(&table(name).expect("a table")));
    let functions = functions();
    let unknown = locals(&values, "locals");
    let chosen = [Value::from(1), Value::from("x"), Value::from(true)];
    let runs = [("run0", 0), ("run1", 1), ("run2", 2)].map(|(run, i)| {
        let mut scope = locals(&concrete, run);
        // The table has an unknown here; the results tell what was chosen.
        let local = scope.remove("local").unwrap();
        let plantime::View::Object(object) = local.view() else { panic!() };
        let values = object
            .iter()
            .map(|(name, value)| (name, if name == "v_d" { chosen[i].clone() } else { value.clone() }));
        scope.insert("local".into(), Value::object(values.collect::<Vec<_>>()).unwrap());
        scope
    });
    let (mut held, mut excluded, mut known_wrong, mut left_out, mut same, mut other) = (0, 0, 0, 0, 0, 0);
    for row in rows(&table("expressions-concrete.jsonl.gz").expect("a table")) {
        let text = row["expr"].as_str().unwrap();
        let Ok(expression) = Expression::parse(text) else { panic!("{text}") };
        let plan = expression
            .evaluate(&Scope::new(&unknown).with_functions(&functions))
            .map(|value| value.unmark_deep().0);
        for (i, run) in ["run0", "run1", "run2"].iter().enumerate() {
            if i == 2 && text.contains("v_s_json_o") || i == 1 && text.contains("v_st_p2") {
                left_out += 1;
                continue;
            }
            let scope = Scope::new(&runs[i]).with_functions(&functions);
            let ours = expression.evaluate(&scope).map(|value| value.unmark_deep().0);
            let Some(hex) = row[run].get("result_msgpack").and_then(Json::as_str) else {
                if let Ok(value) = &ours
                    && row[run].get("error").is_some()
                {
                    other += 1;
                    println!("THEIRS FAILS {run} {text}\n     ours {value:?}\n     {}", row[run]["error"]);
                }
                continue;
            };
            let want = decoded(hex).unwrap();
            match &ours {
                Ok(value) if *value == want => same += 1,
                Ok(value) if differ_in_last_digits(value, &want) => same += 1,
                ours => {
                    other += 1;
                    println!("CONCRETE {run} {text}\n     ours {ours:?}\n     theirs {want:?}");
                }
            }
            let text_is_listed = text.contains("abspath")
                || text.ends_with("% 0")
                || plan
                    .as_ref()
                    .is_ok_and(|plan| plan.ty() == Type::Number && differ_from_bound(plan, &want));
            let holds = plan.as_ref().is_ok_and(|plan| contains(plan, &want) || plan.may_become(&want));
            if holds {
                held += 1;
                continue;
            }
            let listed =
                violations.as_array().unwrap().iter().any(|row| row["expr"] == text) || text_is_listed;
            if listed {
                known_wrong += 1
            } else {
                excluded += 1
            }
            assert!(listed || text.starts_with("cidrsubnet("), "{text} excludes {want:?}");
            println!(
                "EXCLUDED{} {run} {text}\n     plan {plan:?}\n     apply {want:?}",
                if listed { " (listed)" } else { "" }
            );
        }
    }
    println!(
        "concrete: {held} held, {excluded} excluded, {known_wrong} excluded that are listed, {left_out} left out; known operands: {same} same, {other} other"
    );
}

/// Whether an expression has a character that stands for an operator, followed by none of some others.
fn has_operator(text: &str, operator: &str, not_before: &str) -> bool {
    text.match_indices(operator).any(|(at, _)| {
        !text[at + operator.len()..].chars().next().is_some_and(|next| not_before.contains(next))
    })
}

/// A construct, and what tells that an expression has it.
type Construct = (&'static str, fn(&str) -> bool);

/// The type expressions of the language, in calls of `convert`.
const TYPE_EXPRESSIONS: &[Construct] = &[
    ("type string", |text| text.contains("string)")),
    ("type number", |text| text.contains("number)")),
    ("type bool", |text| text.contains("bool)")),
    ("type any", |text| text.contains("any")),
    ("type list", |text| text.contains("list(")),
    ("type set", |text| text.contains("set(")),
    ("type map", |text| text.contains("map(")),
    ("type tuple", |text| text.contains("tuple(")),
    ("type object", |text| text.contains("object(")),
    ("optional attribute", |text| text.contains("optional(")),
];

/// The constructs of the language.
const CONSTRUCTS: &[Construct] = &[
    ("number", |text| text.chars().any(|c| c.is_ascii_digit())),
    ("reference", |text| text.contains("local.")),
    ("attribute", |text| text.matches('.').count() > 1),
    ("index", |text| {
        text.contains("[0]") || text.contains("[\"") || text.contains("][") || text.contains(")[")
    }),
    ("legacy index", |text| [".0", ".1", ".2"].iter().any(|step| text.contains(step))),
    ("full splat", |text| text.contains("[*]")),
    ("attribute splat", |text| text.contains(".*")),
    ("tuple", |text| text.contains('[')),
    ("object", |text| text.contains(" = ") && text.contains('{') || text.starts_with("{}")),
    ("for, a tuple", |text| text.contains("[for ")),
    ("for, an object", |text| text.contains("{ for ") || text.contains("{for ")),
    ("for with groups", |text| text.contains("...") && text.contains(" for ") && text.contains("=>")),
    ("for with if", |text| text.contains("for ") && text.contains(" if ") && text.contains(" in ")),
    ("interpolation", |text| text.contains("${")),
    ("strip marker", |text| text.contains("{~") || text.contains("~}")),
    ("if directive", |text| text.contains("%{ if") || text.contains("%{~ if")),
    ("for directive", |text| text.contains("%{ for") || text.contains("%{~ for")),
    ("heredoc", |text| text.starts_with("<<")),
    ("conditional", |text| text.contains('?')),
    ("parentheses", |text| text.starts_with('(') || text.contains(" (") || text.contains("[(")),
    ("call", |text| text.contains('(')),
    ("expansion", |text| text.contains("...)")),
    ("try", |text| text.contains("try(")),
    ("can", |text| text.contains("can(")),
    ("templatestring", |text| text.contains("templatestring(")),
    ("&&", |text| text.contains("&&")),
    ("||", |text| text.contains("||")),
    ("!", |text| has_operator(text, "!", "=")),
    ("==", |text| text.contains("==")),
    ("!=", |text| text.contains("!=")),
    ("<", |text| has_operator(text, "<", "<=-ABCDEFGHIJKLMNOPQRSTUVWXYZ")),
    ("<=", |text| text.contains("<=")),
    (">", |text| has_operator(text, ">", "=")),
    (">=", |text| text.contains(">=")),
    ("+", |text| text.contains('+')),
    ("-, binary", |text| text.contains(" - ") || text.contains(")-")),
    ("-, unary", |text| text.starts_with('-') || text.contains(" -") || text.contains("(-")),
    ("*", |text| text.contains(" * ")),
    ("/", |text| text.contains(" / ")),
    ("%", |text| text.contains(" % ")),
];

/// The constructs of which fewer than twenty different expressions are among the rows.
fn with_few_rows(constructs: &[Construct], rows: impl Iterator<Item = Json>) -> Vec<(&'static str, usize)> {
    let texts: std::collections::BTreeSet<String> =
        rows.map(|row| row["expr"].as_str().unwrap().to_owned()).collect();
    let counted = constructs.iter().map(|(construct, has)| {
        let count = texts.iter().filter(|text| has(text)).count();
        println!("{construct:20} {count}");
        (*construct, count)
    });
    counted.filter(|(_, count)| *count < 20).collect()
}

/// Of each construct at least twenty different expressions are recorded. Type expressions are recorded by the collection alone.
#[test]
fn each_construct_has_recorded_rows() {
    let data = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/data/terraform");
    let tables = ["expressions.jsonl.gz", "expressions-concrete.jsonl.gz", "constructs.jsonl.gz"];
    let few = with_few_rows(CONSTRUCTS, tables.iter().flat_map(|name| rows(&data.join(name))));
    assert!(few.is_empty(), "{few:?}");
    if let Some(conversions) = table("convert-unify-text-number.jsonl.gz") {
        let few = with_few_rows(TYPE_EXPRESSIONS, rows(&conversions).into_iter());
        assert!(few.is_empty(), "{few:?}");
    }
}
