//! No schema, however it nests or refers, overflows the stack or grows out of proportion.

use plantime::rule::json_schema::{DEPTH, Dialect, Reading, export, import, pointer};
use plantime::rule::{PathExpr, Rule};
use plantime::{Error, Mark, Type, TypeConstraint, Value, json};

fn schema(text: &str) -> Value {
    json::from_slice(text.as_bytes()).unwrap()
}

fn read(text: &str, ty: &Type) -> Result<Rule, Error> {
    import(&schema(text), Some(ty), &Reading::default()).map(|read| read.rule)
}

fn on_one_mebibyte(test: impl FnOnce() + Send + 'static) {
    std::thread::Builder::new().stack_size(1 << 20).spawn(test).unwrap().join().unwrap();
}

fn around(depth: usize, open: &str, inside: &str, close: &str) -> String {
    format!("{}{inside}{}", open.repeat(depth), close.repeat(depth))
}

#[test]
fn the_deepest_schemas_fit_a_small_stack() {
    for (open, close) in [
        (r#"{"not":"#, "}"),
        (r#"{"allOf":["#, "]}"),
        (r#"{"anyOf":[{"minLength":1},"#, "]}"),
        (r#"{"oneOf":[{"minLength":1},"#, "]}"),
        (r#"{"if":{"minLength":1},"then":"#, "}"),
        (r#"{"items":"#, "}"),
        (r#"{"contains":"#, "}"),
        (r#"{"properties":{"a":"#, "}}"),
        (r#"{"additionalProperties":"#, "}"),
        (r#"{"$defs":{"a":"#, "}}"),
    ] {
        for depth in [DEPTH - 1, DEPTH, 100] {
            let text = around(depth, open, r#"{"minLength":1}"#, close);
            on_one_mebibyte(move || {
                let types = (0..DEPTH).fold(vec![Type::String; 3], |types, _| {
                    vec![
                        Type::String,
                        Type::list(types[1].clone()).unwrap(),
                        Type::object([("a", types[2].clone())]).unwrap(),
                    ]
                });
                for ty in types {
                    match read(&text, &ty) {
                        Ok(rule) => drop(rule.check_value(&Value::unknown(ty))),
                        Err(error) => assert!(error.is_limit(), "{error}"),
                    }
                }
                match import(&schema(&text), None, &Reading::default()) {
                    Ok(read) => drop(read.rule.check_value(&Value::unknown(Type::String))),
                    Err(error) => assert!(error.is_limit(), "{error}"),
                }
            });
        }
    }
}

#[test]
fn a_schema_deeper_than_the_limit_is_refused_with_its_place() {
    let text = around(DEPTH, r#"{"not":"#, "true", "}");
    let error = read(&text, &Type::String).unwrap_err();
    assert!(error.is_limit());
    assert_eq!(error.message(), "schemas nest at most 64 levels deep");
    assert_eq!(pointer(error.path()), "/not".repeat(DEPTH));
}

#[test]
fn deep_types_fit_a_small_stack_or_are_refused() {
    for depth in [1, 60, 63, 64, 65, 120, 250] {
        on_one_mebibyte(move || {
            let list = (0..depth).try_fold(Type::String, |ty, _| Type::list(ty)).unwrap();
            let object = (0..depth).try_fold(Type::String, |ty, _| Type::object([("a", ty)])).unwrap();
            for ty in [list, object] {
                let constraint = TypeConstraint::from(&ty);
                match export(&constraint, &Rule::NotNull, Dialect::JsonSchema) {
                    Ok(schema) => {
                        assert!(depth < DEPTH);
                        let read = import(&schema, None, &Reading::default()).unwrap();
                        assert_eq!((read.constraint, read.rule), (constraint, Rule::NotNull));
                    }
                    Err(error) => assert!(error.is_limit() && depth >= DEPTH, "{depth}: {error}"),
                }
            }
        });
    }
}

#[test]
fn references_that_multiply_are_refused() {
    let mut definitions = vec![r#""d0":{"minLength":1}"#.to_owned()];
    for i in 1..25 {
        let below = format!(r##"{{"$ref":"#/$defs/d{}"}}"##, i - 1);
        definitions.push(format!(r#""d{i}":{{"allOf":[{below},{below}]}}"#));
    }
    let text = format!(r##"{{"$ref":"#/$defs/d24","$defs":{{{}}}}}"##, definitions.join(","));
    let error = read(&text, &Type::String).unwrap_err();
    assert_eq!(error.message(), "a schema becomes at most 65536 rules");
}

#[test]
fn alternatives_that_multiply_are_refused() {
    let many = |inside: &str| format!(r#"{{"oneOf":[{}]}}"#, vec![inside; 20].join(","));
    let text = many(&many(&many(r#"{"minLength":1}"#)));
    let error = read(&text, &Type::String).unwrap_err();
    assert!(error.is_limit(), "{error}");
}

#[test]
fn a_schema_that_refers_to_itself_ends_with_the_type() {
    let tree = r##"{"properties":{"name":{"type":"string","minLength":1},"next":{"$ref":"#"}},"required":["name"]}"##;
    let ty: Type = "object({name=string,next=object({name=string})})".parse().unwrap();
    let read = import(&schema(tree), Some(&ty), &Reading::default()).unwrap();
    assert!(read.unsupported.is_empty());
    let value = |text: &str| json::from_slice_as(text.as_bytes(), &ty).unwrap();
    let word = |text: &str| read.rule.check_value(&value(text)).unwrap().name();
    assert_eq!(word(r#"{"name":"a","next":{"name":"b"}}"#), "pass");
    assert_eq!(word(r#"{"name":"a"}"#), "pass");
    assert_eq!(word(r#"{"name":"a","next":{}}"#), "fail");

    let lost = import(
        &schema(r##"{"anyOf":[{"$ref":"#"},{"minLength":1}]}"##),
        Some(&Type::String),
        &Reading::default(),
    );
    let lost = lost.unwrap();
    assert_eq!(lost.unsupported[0].to_string(), "/anyOf/0/$ref: it leads back to itself");
    assert_eq!(lost.rule.to_string(), "all()");
}

#[test]
fn what_is_no_schema_is_refused_with_its_place() {
    for (text, place, message) in [
        ("3", "", "a schema is an object, true or false, but this is a number"),
        (r#"{"not":[]}"#, "/not", "a schema is an object, true or false, but this is a tuple"),
        (r#"{"allOf":{}}"#, "/allOf", "a list of schemas is needed, but this is an object"),
        (
            r#"{"properties":{"a/b":{"minLength":-1}}}"#,
            "/properties/a~1b/minLength",
            "minLength takes a whole number that is not negative, but this is a number",
        ),
        (
            r#"{"items":{"type":"text"}}"#,
            "/items/type",
            "type takes the name of a type, or a list of them, but this is a string",
        ),
        (r#"{"multipleOf":0}"#, "/multipleOf", "multipleOf takes a number above 0, but this is a number"),
        (r#"{"required":"a"}"#, "/required", "required takes a list of strings, but this is a string"),
        (r#"{"uniqueItems":null}"#, "/uniqueItems", "uniqueItems takes true or false, but this is null"),
        (
            r#"{"dependentRequired":{"a":{}}}"#,
            "/dependentRequired/a",
            "a list of strings is needed, but this is an object",
        ),
        (r#"{"x-plantime-rules":[{"min_leng":1}]}"#, "", ""),
        (
            r#"{"x-plantime-rules":[{"all":[{"min_len":"a"}]}]}"#,
            "/x-plantime-rules/0/all/0/min_len",
            "min_len takes a whole number that is not negative, but this is a string",
        ),
        (
            r#"{"x-plantime-rules":[{"min":1}]}"#,
            "/x-plantime-rules/0",
            "min needs a number, but the value is a string",
        ),
    ] {
        match read(text, &Type::String) {
            // A rule of a later version is unsupported.
            Ok(rule) => assert_eq!((message, rule), ("", Rule::all([]).unwrap()), "{text}"),
            Err(error) => {
                assert_eq!((pointer(error.path()).as_str(), error.message()), (place, message), "{text}");
            }
        }
    }
}

#[test]
fn a_marked_operand_leaves_in_no_schema() {
    let secret = Value::from("hunter2").mark(Mark::SENSITIVE);
    let path = || "a".parse::<PathExpr>().unwrap();
    let constraint: TypeConstraint = "object({a=string})".parse().unwrap();
    for rule in [
        Rule::equals(secret.clone()),
        Rule::one_of([secret.clone()]),
        Rule::none_of([secret.clone()]),
        Rule::contains(secret.clone()),
        Rule::not(Rule::equals(secret)).unwrap(),
    ] {
        let rule = Rule::at(path(), rule).unwrap();
        for dialect in [Dialect::JsonSchema, Dialect::OpenApi, Dialect::Kubernetes] {
            let error = export(&constraint, &rule, dialect).unwrap_err();
            assert!(error.is_marked() && !format!("{error} {error:?}").contains("hunter2"), "{error}");
        }
    }
}

#[test]
fn hostile_texts_are_read_without_harm() {
    for pattern in [
        "(", "[", "\\", "\\u", "\\u{", "\\uD83D", "\\c", "(?", "(?<", "[^", "[\\", "a{99999}", "\\p{X}",
        "[z-a]",
    ] {
        let text = format!(r#"{{"pattern":{}}}"#, serde_json::to_string(pattern).unwrap());
        let read = import(&schema(&text), Some(&Type::String), &Reading::default()).unwrap();
        assert_eq!(read.unsupported.len(), 1, "{pattern}: {}", read.rule);
    }
    for reference in ["#/", "#/%", "#/%zz", "#/%ff", "#x", "", "#/allOf/9", "#/allOf/x", "#/$ref"] {
        let text = format!(r#"{{"allOf":[{{"$ref":"{reference}"}}]}}"#);
        let read = import(&schema(&text), Some(&Type::String), &Reading::default()).unwrap();
        assert_eq!(read.unsupported.len(), 1, "{reference}");
    }
    let huge = r#"{"minLength":1e400,"maximum":1e400,"maxItems":18446744073709551616}"#;
    assert_eq!(read(huge, &Type::String).unwrap().to_string(), "min_len(18446744073709551615)");
}

#[test]
fn large_documents_are_read_in_proportion() {
    let many = |item: &str, count: usize| vec![item; count].join(",");
    let names: Vec<String> = (0..20_000).map(|i| format!("\"n{i}\"")).collect();
    let all: Vec<String> = (0..20_000).map(|i| format!(r#"{{"minLength":{i}}}"#)).collect();
    let refs: Vec<String> = (0..20_000).map(|i| format!(r##"{{"$ref":"#/$defs/all/{i}"}}"##)).collect();
    for text in [
        format!(r#"{{"required":[{0}],"properties":{{"a":{{}}}}}}"#, names.join(",")),
        format!(r#"{{"allOf":[{}]}}"#, all.join(",")),
        format!(r#"{{"allOf":[{}],"$defs":{{"all":{{"allOf":[{}]}}}}}}"#, refs.join(","), all.join(",")),
        format!(r#"{{"enum":[{}]}}"#, many("\"a\"", 60_000)),
        format!(r#"{{"allOf":[{}]}}"#, many(r#"{"unknown":1}"#, 20_000)),
    ] {
        let start = std::time::Instant::now();
        for ty in [Type::String, Type::object([("a", Type::String)]).unwrap()] {
            let _ = import(&schema(&text), Some(&ty), &Reading::default()).map(|read| read.rule.depth());
        }
        assert!(start.elapsed().as_secs() < 20, "{:?}", start.elapsed());
    }
}
