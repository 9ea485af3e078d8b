//! Parts whose type is decided by their values: what would be left out of them is listed when the schema is read, and
//! nothing is refused that the schema allows.

use plantime::rule::json_schema::{Import, Reading, import};
use plantime::{Type, Value, json};

fn read(schema: &str, ty: Option<&str>) -> Import {
    let ty = ty.map(|ty| ty.parse::<Type>().unwrap());
    import(&json::from_slice(schema.as_bytes()).unwrap(), ty.as_ref(), &Reading::default()).unwrap()
}

fn object(a: Value) -> Value {
    Value::object([("a", a)]).unwrap()
}

#[test]
fn what_a_part_leaves_out_is_listed_before_its_type_is_known() {
    for (schema, ty, keyword) in [
        (r#"{"contains":{"const":1},"maxContains":1}"#, None, "maxContains"),
        (r#"{"type":"object","properties":{"a":{"format":"nonsense"}}}"#, None, "format"),
        (r#"{"pattern":"(?=a)"}"#, Some("any"), "pattern"),
        (r#"{"items":{"items":{"pattern":"(?=a)"}}}"#, Some("any"), "pattern"),
        (r#"{"allOf":[{"properties":{"a":{"pattern":"(?=a)"}}}]}"#, Some("any"), "pattern"),
        (r#"{"minProperties":2}"#, Some("any"), "minProperties"),
    ] {
        let read = read(schema, ty);
        let listed: Vec<&str> = read.unsupported.iter().map(|left_out| left_out.keyword()).collect();
        assert_eq!(listed, [keyword], "{schema}");
    }
    // A keyword for values that the type rules out is none.
    assert!(read(r#"{"type":["string","null"],"minProperties":2}"#, Some("any")).unsupported.is_empty());
}

#[test]
fn nothing_is_negated_that_is_read_only_in_part() {
    for (schema, value) in [
        (
            r#"{"properties":{"a":{}},"not":{"properties":{"a":{"contains":{"const":1},"minContains":2}}}}"#,
            object(Value::tuple([1]).unwrap()),
        ),
        (
            r#"{"oneOf":[{"properties":{"a":{"format":"nonsense"}}},{"properties":{"a":{"const":"x"}}}]}"#,
            object("x".into()),
        ),
        (
            r#"{"if":{"properties":{"a":{"format":"nonsense"}}},"then":{"required":["b"]}}"#,
            object("x".into()),
        ),
    ] {
        let read = read(schema, Some("object({a=any})"));
        assert!(!read.unsupported.is_empty(), "{schema}");
        assert!(read.rule.check_value(&value).unwrap().is_pass(), "{schema}: {}", read.rule);
        let open = object(Value::unknown(value.ty()));
        assert!(!read.rule.check_value(&open).is_ok_and(|outcome| outcome.is_fail()), "{schema}");
    }
}

#[test]
fn a_schema_that_refers_to_itself_is_looked_at_once() {
    let tree = r##"{"properties":{"name":{"type":"string"},"next":{"$ref":"#"}},"required":["name"]}"##;
    let read_tree = read(tree, Some("any"));
    assert!(read_tree.unsupported.is_empty(), "{:?}", read_tree.unsupported);
    let value = |text: &str| json::from_slice(text.as_bytes()).unwrap();
    let word = |text: &str| read_tree.rule.check_value(&value(text)).unwrap().name();
    assert_eq!(word(r#"{"name":"a","next":{"name":"b"}}"#), "pass");
    assert_eq!(word(r#"{"name":"a","next":{"next":{}}}"#), "fail");
    // What one part of a circle leaves out makes all of it inexact.
    let open = tree.replace(r#""type":"string""#, r#""pattern":"(?=a)""#);
    let read_open = read(
        &format!(
            r##"{{"not":{{"$ref":"#/$defs/t"}},"$defs":{{"t":{}}}}}"##,
            open.replace("\"#\"", "\"#/$defs/t\"")
        ),
        Some("any"),
    );
    assert!(read_open.rule.check_value(&value(r#"{"name":"a"}"#)).unwrap().is_pass(), "{}", read_open.rule);
    assert!(read_open.unsupported.iter().any(|left_out| left_out.keyword() == "not"));
}

#[test]
fn a_map_in_a_part_decided_late_is_read_as_an_object_is() {
    let read = read(r#"{"properties":{"x":{"type":"string"}},"additionalProperties":false}"#, Some("any"));
    assert!(read.unsupported.is_empty());
    let map = |key: &str| Value::map([(key, "v")]).unwrap();
    assert!(read.rule.check_value(&map("x")).unwrap().is_pass());
    assert!(read.rule.check_value(&map("y")).unwrap().is_fail());
    let unknown = Value::unknown("map(string)".parse().unwrap());
    assert!(read.rule.check_value(&unknown).unwrap().is_undetermined());
}

#[test]
fn the_schema_of_all_elements_is_read_once_for_each_type() {
    let schema = r#"{"items":{"enum":["x"],"minLength":1}}"#;
    let long = |element: Type| Type::tuple(vec![element; 70_000]).unwrap();
    let import = |ty: &Type| {
        let schema = json::from_slice(schema.as_bytes()).unwrap();
        import(&schema, Some(ty), &Reading::default()).unwrap()
    };
    let texts = import(&long(Type::String));
    assert_eq!(texts.rule.to_string(), "at([*], all(not_null, one_of(\"x\"), min_len(1)))");
    let mixed = Type::tuple((0..70_000).map(|i| if i % 2 == 0 { Type::String } else { Type::Number }));
    assert!(import(&mixed.unwrap()).unsupported.is_empty());
}

/// A generator of numbers below a bound, the same in each run.
struct Numbers(u64);

impl Numbers {
    fn below(&mut self, bound: u64) -> u64 {
        self.0 = self.0.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        (self.0 >> 33) % bound
    }

    /// A schema that nests this deep.
    fn schema(&mut self, depth: u64) -> String {
        if depth == 0 || self.below(6) == 0 {
            let leaves = [
                r#"{"enum": ["vpc-1"]}"#,
                r#"{"maxProperties": 2}"#,
                r#"{"type": "object"}"#,
                r#"{"minLength": 3}"#,
                r#"{"type": "array"}"#,
                r#"{"minItems": 1}"#,
                r#"{"const": ["vpc-1"]}"#,
                r#"{"enum": [["vpc-1"], {"a": "x"}, 1]}"#,
                r#"{"uniqueItems": true}"#,
                r#"{"minimum": 2}"#,
                "true",
                "false",
            ];
            return leaves[self.below(leaves.len() as u64) as usize].to_owned();
        }
        let (one, other) = (self.schema(depth - 1), self.schema(depth - 1));
        match self.below(11) {
            9 => format!(r#"{{"prefixItems": [{one}], "items": {other}}}"#),
            10 => format!(r#"{{"contains": {{"const": ["vpc-1"]}}, "anyOf": [{one}, {other}]}}"#),
            0 => format!(r#"{{"if": {one}, "then": {other}}}"#),
            1 => format!(r#"{{"if": {one}, "else": {other}}}"#),
            2 => format!(r#"{{"if": {one}, "type": "object"}}"#),
            3 => format!(r#"{{"not": {one}}}"#),
            4 => format!(r#"{{"items": {one}}}"#),
            5 => format!(r#"{{"anyOf": [{one}, {other}]}}"#),
            6 => format!(r#"{{"properties": {{"a": {one}}}}}"#),
            7 => format!(r#"{{"items": {one}, "type": "object"}}"#),
            _ => format!(r#"{{"contains": {one}, "allOf": [{other}]}}"#),
        }
    }
}

/// Values of undecided type, and what they may become.
fn undecided() -> Vec<(Value, Vec<Value>)> {
    let tuple = |items: &[Value]| Value::tuple(items.to_vec()).unwrap();
    let (any, text) = (Value::dynamic, |text: &str| Value::from(text));
    let parts = || {
        vec![text("a"), text("vpc-1"), Value::from(1), object(text("x")), tuple(&[]), tuple(&[text("vpc-1")])]
    };
    vec![
        (tuple(&[any()]), parts().into_iter().map(|part| tuple(&[part])).collect()),
        (tuple(&[any(), text("abc")]), parts().into_iter().map(|part| tuple(&[part, text("abc")])).collect()),
        (object(any()), parts().into_iter().map(object).collect()),
        (tuple(&[object(any())]), parts().into_iter().map(|part| tuple(&[object(part)])).collect()),
        (any(), parts()),
        (
            Value::list_of(Type::Dynamic, [any()]).unwrap(),
            vec![Value::list(["a"]).unwrap(), Value::list(["vpc-1"]).unwrap(), Value::list([1]).unwrap()],
        ),
        (
            Value::unknown("list(any)".parse().unwrap()).assume_not_null().unwrap(),
            vec![
                Value::list(["a"]).unwrap(),
                Value::list(["vpc-1", "vpc-1"]).unwrap(),
                Value::list([1]).unwrap(),
            ],
        ),
    ]
}

/// A value of undecided type passes, or fails, only if all that it may become do: a keyword that is left out for a part of undecided
/// type is read once the type is known.
#[test]
fn an_answer_of_a_value_of_undecided_type_stays() {
    let found = r#"{"else": {"items": {"enum": ["vpc-1"]}}, "if": {"items": {"if": {"if": {"maxProperties": 2}}, "type": "object"}}}"#;
    let mut numbers = Numbers(7);
    let mut wrong = Vec::new();
    let mut decided = 0;
    for schema in std::iter::once(found.to_owned()).chain((0..600).map(|_| numbers.schema(4))) {
        let Ok(read) = import(&json::from_slice(schema.as_bytes()).unwrap(), None, &Reading::default())
        else {
            continue;
        };
        for (value, becomes) in undecided() {
            let Ok(answer) = read.rule.check_value(&value) else { continue };
            if answer.is_undetermined() {
                continue;
            }
            decided += 1;
            for known in becomes {
                let of_known = read.rule.check_value(&known);
                if of_known.as_ref().ok().map(plantime::rule::Outcome::name) != Some(answer.name()) {
                    wrong.push(format!("{schema}: {} on {value}, {of_known:?} on {known}", answer.name()));
                }
            }
        }
    }
    println!("{decided} answers");
    assert!(wrong.is_empty(), "{}: {:#?}", wrong.len(), &wrong[..wrong.len().min(8)]);
}

/// The types that the values of the law may be read for: undecided ones.
const TYPES: [&str; 4] = ["any", "tuple([any])", "list(any)", "object({a = any})"];

/// What a check leaves open can be asked of all that the value may become, and is answered as the schema is.
#[test]
fn what_is_left_open_of_an_undecided_type_can_be_asked_of_every_type() {
    let found = r#"{"items": {"enum": [["vpc-1"], "a"]}, "contains": {"const": ["vpc-1"]}}"#;
    let mut numbers = Numbers(11);
    let mut wrong = Vec::new();
    let mut asked = 0;
    let undecided = undecided();
    for schema in std::iter::once(found.to_owned()).chain((0..400).map(|_| numbers.schema(3))) {
        for ty in TYPES {
            let ty: Type = ty.parse().unwrap();
            let document = json::from_slice(schema.as_bytes()).unwrap();
            let Ok(read) = import(&document, Some(&ty), &Reading::default()) else { continue };
            for (value, becomes) in undecided.iter().filter(|(value, _)| ty.covers(&value.ty())) {
                let answer = match read.rule.check_value(value) {
                    Ok(answer) => answer,
                    Err(misuse) => {
                        wrong.push(format!("{schema} of {ty}: {misuse} on {value}"));
                        continue;
                    }
                };
                let Some(open) = answer.why().and_then(|why| why.obligation()) else { continue };
                for known in becomes {
                    asked += 1;
                    let words = [open, &read.rule]
                        .map(|rule| rule.check_value(known).map_or("misuse", |outcome| outcome.name()));
                    if words[0] != words[1] || words[0] == "misuse" {
                        wrong
                            .push(format!("{schema} of {ty} leaves {open} of {value}: {words:?} of {known}"));
                    }
                }
            }
        }
    }
    println!("{asked} obligations asked");
    assert!(asked > 2_000, "only {asked} obligations were asked");
    assert!(wrong.is_empty(), "{}: {:#?}", wrong.len(), &wrong[..wrong.len().min(12)]);
}
