//! The JSON Schema test suite, where it lies beside the checkout: `$PLANTIME_REAL`, else `../shared/real/dev`. On
//! every instance for which a schema is read without loss, our verdict is the suite's.
//! `cargo test --all-features --test json_schema -- --nocapture` prints counts.

use std::collections::BTreeMap;
use std::fs;
use std::path::{Path, PathBuf};

use plantime::rule::Rule;
use plantime::rule::json_schema::{Dialect, Import, Nulls, Reading, import};
use plantime::{Type, Value, View, json};

/// Files and tests that say another thing than is said here, each with the reason.
const LEFT_OUT: [(&str, &str); 3] = [
    ("zeroTerminatedFloats", "1.0 and 1 are one number, as in every draft but the fourth"),
    (
        "same visual representation, but different number of codepoints",
        "texts that look the same are the same",
    ),
    ("KELVIN SIGN", "texts that look the same are the same: in normal form C it is the letter K"),
];

fn suite() -> Option<PathBuf> {
    let named = std::env::var_os("PLANTIME_REAL").map(PathBuf::from);
    let beside = || Path::new(env!("CARGO_MANIFEST_DIR")).join("../shared/real/dev");
    let folder = named.unwrap_or_else(beside).join("json-schema-suite");
    if folder.is_dir() {
        return Some(folder);
    }
    println!("skipped: there is no {} (PLANTIME_REAL names another folder)", folder.display());
    None
}

fn files(root: &Path) -> Vec<(String, Value)> {
    let mut found = Vec::new();
    let mut todo = vec![root.to_path_buf()];
    while let Some(folder) = todo.pop() {
        for entry in fs::read_dir(&folder).unwrap() {
            let path = entry.unwrap().path();
            if path.is_dir() {
                todo.push(path);
            } else if path.extension().is_some_and(|extension| extension == "json") {
                let name = path.strip_prefix(root).unwrap().display().to_string();
                let content = json::from_slice(&fs::read(&path).unwrap());
                found.push((name.clone(), content.unwrap_or_else(|error| panic!("{name}: {error}"))));
            }
        }
    }
    found.sort_by(|(a, _), (b, _)| a.cmp(b));
    found
}

/// A case of the suite.
struct Instance {
    name: String,
    schema: Value,
    data: Value,
    valid: bool,
    /// How its schema is read: nulls are values.
    values: Reading,
}

/// All cases but those that are [`LEFT_OUT`], and how many these are.
fn instances(root: &Path) -> (Vec<Instance>, usize) {
    let (mut instances, mut left_out) = (Vec::new(), 0);
    for (file, content) in files(root) {
        let dialect = if file.contains("draft4") { Dialect::OpenApi } else { Dialect::JsonSchema };
        // Elsewhere the suite takes formats for notes.
        let formats = file.contains("/format/");
        let values = Reading { dialect, nulls: Nulls::AreValues, formats };
        for group in items(&content) {
            let schema = part(&group, "schema").unwrap();
            for test in items(&part(&group, "tests").unwrap()) {
                let name = format!("{file}: {}: {}", text(&group, "description"), text(&test, "description"));
                if LEFT_OUT.iter().any(|(part, _)| name.contains(part)) {
                    left_out += 1;
                    continue;
                }
                let data = part(&test, "data").unwrap();
                let valid = part(&test, "valid").unwrap().as_bool().unwrap();
                instances.push(Instance { name, schema: schema.clone(), data, valid, values });
            }
        }
    }
    (instances, left_out)
}

fn part(value: &Value, name: &str) -> Option<Value> {
    match value.view() {
        View::Object(object) => object.get(name).cloned(),
        _ => None,
    }
}

fn items(value: &Value) -> Vec<Value> {
    match value.view() {
        View::Tuple(items) => items.iter().cloned().collect(),
        _ => Vec::new(),
    }
}

fn text(value: &Value, name: &str) -> String {
    part(value, name).and_then(|text| text.as_str().ok().map(str::to_owned)).unwrap_or_default()
}

fn verdict(rule: &Rule, value: &Value) -> Option<bool> {
    match rule.check_value(value) {
        Ok(outcome) if outcome.is_pass() => Some(true),
        Ok(outcome) if outcome.is_fail() => Some(false),
        _ => None,
    }
}

/// What is wrong with what was said before the value was known: that it would pass or fail, or how it would be.
fn at_plan(read: &Import, data: &Value, valid: bool) -> Option<String> {
    let ty = data.ty();
    if ty == Type::Dynamic {
        return None;
    }
    let early = verdict(&read.rule, &Value::unknown(ty));
    if early == Some(false) && valid || early == Some(true) && !valid && read.unsupported.is_empty() {
        return Some(format!("{} answers {early:?} too early", read.rule));
    }
    let outside = valid && data.assume(&read.refinement).is_err();
    outside.then(|| format!("{data:?} is not within {}", read.refinement))
}

/// The arrays as lists, and the objects as maps, where their parts have one type that is decided.
fn collections(value: &Value) -> Option<Value> {
    let made = match value.view() {
        View::Tuple(items) => {
            Value::list(items.iter().map(collections).collect::<Option<Vec<Value>>>()?).ok()?
        }
        View::Object(object) => {
            let entries = object.iter().map(|(name, part)| Some((name, collections(part)?)));
            Value::map(entries.collect::<Option<Vec<_>>>()?).ok()?
        }
        _ => value.clone(),
    };
    (!made.ty().has_dynamic()).then_some(made)
}

/// The value as one of a type that a schema shows, if it has the same JSON as before: nothing is converted, and what is
/// added is null.
fn of_constraint(data: &Value, read: &Import) -> Option<Value> {
    let value = plantime::convert(data, &read.constraint).ok()?;
    let plain = |value: &Value| without_nulls(serde_json::Value::try_from(value).ok()?);
    (plain(&value)? == plain(data)?).then_some(value)
}

fn without_nulls(value: serde_json::Value) -> Option<serde_json::Value> {
    Some(match value {
        serde_json::Value::Object(parts) => {
            let parts = parts.into_iter().filter(|(_, part)| !part.is_null());
            let parts = parts.map(|(name, part)| Some((name, without_nulls(part)?)));
            serde_json::Value::Object(parts.collect::<Option<_>>()?)
        }
        serde_json::Value::Array(items) => {
            serde_json::Value::Array(items.into_iter().map(without_nulls).collect::<Option<_>>()?)
        }
        other => other,
    })
}

fn has_null_attribute(value: &Value) -> bool {
    let mut found = false;
    value.walk(|_, part| {
        if let View::Object(object) = part.view() {
            found |= object.iter().any(|(_, part)| part.is_null());
        }
        true
    });
    found
}

/// The value with each part in turn replaced.
fn with_each_part(value: &Value, other: &dyn Fn(&Value) -> Value) -> Vec<Value> {
    let mut all = vec![other(value)];
    match value.view() {
        View::Object(object) => {
            for (name, _) in object.iter() {
                let part = |(key, part): (&str, &Value)| {
                    (key.to_owned(), if key == name { other(part) } else { part.clone() })
                };
                all.push(Value::object(object.iter().map(part)).unwrap());
            }
        }
        View::Tuple(items) => {
            for place in 0..items.len().min(3) {
                let part = |(i, part): (usize, &Value)| if i == place { other(part) } else { part.clone() };
                all.push(Value::tuple(items.iter().enumerate().map(part)).unwrap());
            }
        }
        _ => {}
    }
    all
}

/// What is wrong with the answers of one schema, read for a type, on an instance and on it with parts unknown.
fn faults(read: &Import, value: &Value, valid: bool) -> Vec<String> {
    let mut faults = Vec::new();
    let known = verdict(&read.rule, value);
    if known == Some(false) && valid || known == Some(true) && !valid && read.unsupported.is_empty() {
        faults.push(format!("{valid}, but {} says {known:?} of {value:?}", read.rule));
    }
    let dynamic = with_each_part(value, &|_| Value::dynamic());
    let unknown = with_each_part(value, &|part| Value::unknown(part.ty()));
    for open in dynamic.iter().chain(&unknown) {
        let early = verdict(&read.rule, open);
        if early.is_some() && early != known {
            faults.push(format!("{} says {early:?} of {open:?}, and then {known:?}", read.rule));
        }
    }
    faults
}

/// As above where the type is not at hand: the one that the schema shows, and that of the instance with parts that are
/// decided late.
#[test]
fn what_is_left_out_of_parts_decided_late_is_listed() {
    let Some(root) = suite() else { return };
    let mut wrong = Vec::new();
    let (mut asked, mut supported) = (0, 0);
    for Instance { name, schema, data, valid, values } in instances(&root).0 {
        let mut held = |read: &Import, value: &Value| {
            asked += 1;
            supported += usize::from(read.unsupported.is_empty());
            wrong.extend(faults(read, value, valid).into_iter().map(|fault| format!("{name}: {fault}")));
        };
        for late in with_each_part(&data, &|_| Value::dynamic()) {
            let read = import(&schema, Some(&late.ty()), &values);
            held(&read.unwrap_or_else(|error| panic!("{name}: {error}")), &data);
        }
        let shown = import(&schema, None, &values).unwrap_or_else(|error| panic!("{name}: {error}"));
        if shown.constraint == plantime::TypeConstraint::ANY {
            held(&shown, &data);
        } else if !has_null_attribute(&data) {
            let absent = Reading { nulls: Nulls::AreAbsent, ..values };
            let shown = import(&schema, None, &absent).unwrap();
            if let Some(value) = of_constraint(&data, &shown) {
                held(&shown, &value);
            }
        }
    }
    println!("decided late: {asked} readings of instances, {supported} without anything left out");
    assert!(wrong.is_empty(), "{} wrong:\n{}", wrong.len(), wrong.join("\n"));
    assert!(supported * 2 > asked, "{supported} of {asked}");
}

#[test]
fn the_verdicts_are_those_of_the_test_suite() {
    let Some(root) = suite() else { return };
    let (instances, left_out) = instances(&root);
    let (mut equal, mut typed_equal, mut unsupported) = (0, 0, 0);
    let mut unequal = Vec::new();
    let mut why: BTreeMap<String, usize> = BTreeMap::new();
    for Instance { name, schema, data, valid, values } in instances {
        let read = match import(&schema, Some(&data.ty()), &values) {
            Ok(read) => read,
            Err(error) => {
                unequal.push(format!("{name}: {error}"));
                continue;
            }
        };
        if let Some(fault) = at_plan(&read, &data, valid) {
            unequal.push(format!("{name}: {fault}"));
        }
        if let Some(typed) = collections(&data) {
            let read = import(&schema, Some(&typed.ty()), &values).unwrap();
            let verdict = verdict(&read.rule, &typed);
            let refuses = valid && verdict != Some(true);
            if refuses || read.unsupported.is_empty() && verdict != Some(valid) {
                unequal.push(format!("{name}: {valid}, but {} on {typed:?}", read.rule));
            }
            typed_equal += usize::from(read.unsupported.is_empty());
            if let Some(fault) = at_plan(&read, &typed, valid) {
                unequal.push(format!("{name}: {fault}"));
            }
        }
        let outcome = read.rule.check_value(&data);
        let verdict = verdict(&read.rule, &data);
        // What is read only in part still refuses nothing that the schema allows.
        if !read.unsupported.is_empty() {
            unsupported += 1;
            for found in &read.unsupported {
                *why.entry(found.keyword().to_owned()).or_default() += 1;
            }
            if valid && verdict != Some(true) {
                unequal.push(format!("{name}: refused: {} gives {outcome:?}", read.rule));
            }
        } else if verdict == Some(valid) {
            equal += 1;
        } else {
            unequal.push(format!("{name}: {valid}, but {} gives {outcome:?}", read.rule));
        }
    }
    println!(
        "equal {equal}, {typed_equal} of them also as lists and maps, unsupported {unsupported}, unequal {}, left out {left_out}",
        unequal.len()
    );
    println!("unsupported: {why:?}");
    assert!(unequal.is_empty(), "{}", unequal.join("\n"));
    assert!(equal > 0);
}
