//! The notation of the recorded vectors: types, values and paths from JSON, values and paths to JSON, and the
//! comparison of two pieces of notation that allows what the notation leaves open.

use std::fmt;

use plantime::{
    Bound, LengthRange, Mark, Marks, Nullness, Number, NumberRange, Path, Range, Refinement, Step, Type,
    Value, View,
};
use serde_json::{Map, Value as Json, json};

/// Why a piece of notation is no value or type of this crate.
#[derive(Debug)]
pub(crate) enum Unread {
    /// Left out, by the kind that `left_out.toml` lists.
    LeftOut(&'static str),
    /// A refinement that nothing agrees with, null included: no value is meant.
    Nothing,
    /// The reader does not understand it.
    Bad(String),
}

impl fmt::Display for Unread {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Unread::LeftOut(kind) => write!(f, "left out: {kind}"),
            Unread::Nothing => f.write_str("nothing agrees with the refinement"),
            Unread::Bad(why) => f.write_str(why),
        }
    }
}

pub(crate) type Read<T> = Result<T, Unread>;

/// go-cty's greatest length; as an upper bound it says nothing.
const MOST: u64 = i64::MAX as u64;

fn bad<T>(what: &str, json: &Json) -> Read<T> {
    let text = json.to_string();
    Err(Unread::Bad(format!("{what}: {}", text.chars().take(120).collect::<String>())))
}

fn refused(error: &plantime::Error) -> Unread {
    Unread::Bad(error.to_string())
}

/// A type. Optional attributes belong to constraints here.
pub(crate) fn ty(json: &Json) -> Read<Type> {
    match json {
        Json::String(name) => match name.as_str() {
            "string" => Ok(Type::String),
            "number" => Ok(Type::Number),
            "bool" => Ok(Type::Bool),
            "dynamic" => Ok(Type::Dynamic),
            _ => bad("no such type", json),
        },
        Json::Array(parts) => {
            let built = match (parts.first().and_then(Json::as_str), parts.get(1..).unwrap_or_default()) {
                (Some("list"), [element]) => Type::list(ty(element)?),
                (Some("set"), [element]) => Type::set(ty(element)?),
                (Some("map"), [element]) => Type::map(ty(element)?),
                (Some("tuple"), [Json::Array(elements)]) => {
                    Type::tuple(elements.iter().map(ty).collect::<Read<Vec<_>>>()?)
                }
                // Attributes can be optional in a constraint, and not in the type of a value.
                (Some("object"), [Json::Object(attributes)] | [Json::Object(attributes), Json::Array(_)]) => {
                    Type::object(
                        attributes
                            .iter()
                            .map(|(name, json)| Ok((name, ty(json)?)))
                            .collect::<Read<Vec<_>>>()?,
                    )
                }
                _ => return bad("no such type", json),
            };
            built.map_err(|error| refused(&error))
        }
        _ => bad("no such type", json),
    }
}

/// A value, marks included.
pub(crate) fn value(json: &Json) -> Read<Value> {
    let Json::Object(members) = json else { return bad("no value", json) };
    let value = content(members, json)?;
    match members.get("marks") {
        None => Ok(value),
        Some(names) => Ok(value.with_marks(&marks(names)?)),
    }
}

fn content(members: &Map<String, Json>, json: &Json) -> Read<Value> {
    let head = |name: &str| members.get(name);
    if let Some(Json::Bool(truth)) = head("bool") {
        return Ok(Value::from(*truth));
    }
    if let Some(Json::String(text)) = head("str") {
        return Ok(Value::from(text.as_str()));
    }
    if let Some(text) = head("num") {
        return number(text).map(Value::from);
    }
    if head("str_hex").is_some() {
        return Err(Unread::LeftOut("invalid-utf8"));
    }
    if head("dyn").is_some() {
        return Ok(Value::dynamic());
    }
    if let Some(of) = head("null") {
        return Ok(Value::null(ty(of)?));
    }
    if let Some(of) = head("unk") {
        let of = ty(of)?;
        return match head("ref") {
            None => Ok(Value::unknown(of)),
            Some(facts) => Value::refined(of, refinement(facts)?).map_err(|error| refused(&error)),
        };
    }
    let built = if let (Some(of), Some(Json::Array(items))) = (head("list"), head("v")) {
        Value::list_of(ty(of)?, values(items)?)
    } else if let (Some(of), Some(Json::Array(items))) = (head("set"), head("v")) {
        Value::set_of(ty(of)?, values(items)?)
    } else if let (Some(of), Some(Json::Object(entries))) = (head("map"), head("v")) {
        Value::map_of(ty(of)?, named(entries)?)
    } else if let Some(Json::Array(items)) = head("tuple") {
        Value::tuple(values(items)?)
    } else if let Some(Json::Object(attributes)) = head("object") {
        Value::object(named(attributes)?)
    } else {
        return bad("no value", json);
    };
    built.map_err(|error| refused(&error))
}

fn values(items: &[Json]) -> Read<Vec<Value>> {
    items.iter().map(value).collect()
}

fn named(entries: &Map<String, Json>) -> Read<Vec<(String, Value)>> {
    entries.iter().map(|(name, json)| Ok((name.clone(), value(json)?))).collect()
}

fn number(json: &Json) -> Read<Number> {
    match json.as_str().map(str::parse::<Number>) {
        Some(Ok(number)) => Ok(number),
        _ => bad("no number", json),
    }
}

pub(crate) fn marks(names: &Json) -> Read<Marks> {
    match names.as_array() {
        Some(names) => names.iter().map(|name| name.as_str().map(Mark::new)).collect::<Option<_>>(),
        None => None,
    }
    .map_or_else(|| bad("no marks", names), Ok)
}

fn refinement(facts: &Json) -> Read<Refinement> {
    let fact = |name: &str| facts.get(name).filter(|fact| !fact.is_null());
    if fact("prefix_hex").is_some() {
        return Err(Unread::LeftOut("invalid-utf8"));
    }
    let mut parts = Vec::new();
    match fact("null") {
        Some(Json::Bool(false)) => parts.push(Refinement::not_null()),
        Some(Json::Bool(true)) => parts.push(Refinement::null()),
        _ => {}
    }
    if let Some(Json::String(prefix)) = fact("prefix") {
        parts.push(Refinement::prefix(prefix));
    }
    let bound = |at: &str, inclusive: &str| match fact(at) {
        None => Ok(Bound::Unbounded),
        Some(text) => {
            let inclusive = fact(inclusive).and_then(Json::as_bool).unwrap_or(true);
            Ok(end(number(text)?, inclusive))
        }
    };
    parts.push(numbers(bound("min", "min_inc")?, bound("max", "max_inc")?));
    let (min, max) = (fact("len_min").and_then(Json::as_u64), fact("len_max").and_then(Json::as_u64));
    parts.push(lengths(min.unwrap_or(0), max.filter(|max| *max < MOST)));
    let mut all = Refinement::any();
    for part in parts {
        all = all.meet(&part).map_err(|_| Unread::Nothing)?;
    }
    Ok(all)
}

pub(crate) fn end(number: Number, inclusive: bool) -> Bound {
    if inclusive { Bound::Inclusive(number) } else { Bound::Exclusive(number) }
}

/// Null, or a number between two bounds; null alone where no number is between them.
pub(crate) fn numbers(lower: Bound, upper: Bound) -> Refinement {
    NumberRange::new(lower, upper).map_or_else(|_| Refinement::null(), Refinement::number)
}

/// Null, or a collection of so many elements; null alone where there is no such length.
pub(crate) fn lengths(min: u64, max: Option<u64>) -> Refinement {
    LengthRange::new(min, max).map_or_else(|_| Refinement::null(), Refinement::length)
}

/// The notation of a value.
pub(crate) fn write(value: &Value) -> Json {
    match value.view() {
        View::Marked(marked) => {
            let mut json = write(&marked.value());
            if let Json::Object(members) = &mut json {
                members.insert("marks".into(), write_marks(marked.marks()));
            }
            json
        }
        View::Dynamic => json!({"dyn": true}),
        View::Unknown(range) => match write_refinement(range.refinement()) {
            facts if facts.is_empty() => json!({"unk": write_type(range.ty())}),
            facts => json!({"unk": write_type(range.ty()), "ref": facts}),
        },
        View::Null(ty) => json!({"null": write_type(&ty)}),
        View::Bool(truth) => json!({"bool": truth}),
        View::Number(number) => json!({"num": number.to_string()}),
        View::String(text) => json!({"str": text}),
        View::List(list) => json!({"list": write_type(list.element_type()), "v": write_all(list.iter())}),
        View::Set(set) => json!({"set": write_type(set.element_type()), "v": write_all(set.iter())}),
        View::Map(map) => json!({"map": write_type(map.element_type()), "v": write_named(map.iter())}),
        View::Tuple(tuple) => json!({"tuple": write_all(tuple.iter())}),
        View::Object(object) => json!({"object": write_named(object.iter())}),
        View::Capsule(capsule) => panic!("{capsule:?}: the notation has no capsules"),
    }
}

fn write_all<'a>(items: impl Iterator<Item = &'a Value>) -> Json {
    items.map(write).collect()
}

fn write_named<'a>(items: impl Iterator<Item = (&'a str, &'a Value)>) -> Json {
    Json::Object(items.map(|(name, item)| (name.to_owned(), write(item))).collect())
}

pub(crate) fn write_marks(marks: &Marks) -> Json {
    marks.iter().map(|mark| Json::from(mark.name())).collect()
}

pub(crate) fn write_type(ty: &Type) -> Json {
    match ty {
        Type::Dynamic => json!("dynamic"),
        Type::Bool => json!("bool"),
        Type::Number => json!("number"),
        Type::String => json!("string"),
        Type::List(list) => json!(["list", write_type(list.element())]),
        Type::Set(set) => json!(["set", write_type(set.element())]),
        Type::Map(map) => json!(["map", write_type(map.element())]),
        Type::Tuple(tuple) => json!(["tuple", tuple.iter().map(write_type).collect::<Json>()]),
        Type::Object(object) => {
            let attributes = object.iter().map(|(name, ty)| (name.to_owned(), write_type(ty))).collect();
            json!(["object", Json::Object(attributes)])
        }
        Type::Capsule(capsule) => panic!("{capsule:?}: the notation has no capsules"),
    }
}

fn write_refinement(refinement: &Refinement) -> Map<String, Json> {
    let mut facts = Map::new();
    let mut fact = |name: &str, json: Json| facts.insert(name.to_owned(), json);
    match refinement.nullness() {
        Nullness::Nullable => {}
        Nullness::NotNull => drop(fact("null", json!(false))),
        Nullness::Null => drop(fact("null", json!(true))),
    }
    match refinement.range() {
        Range::Any => {}
        Range::Prefix(prefix) => drop(fact("prefix", json!(prefix.as_str()))),
        // The notation has intervals only: multiples and lists say between which numbers they lie.
        Range::Number(_) | Range::Multiples(_) | Range::Numbers(_) => {
            let range = refinement.number_range().cloned().unwrap_or_default();
            for (at, inclusive, bound) in
                [("min", "min_inc", range.lower()), ("max", "max_inc", range.upper())]
            {
                if let Bound::Inclusive(number) | Bound::Exclusive(number) = bound {
                    fact(at, json!(number.to_string()));
                    fact(inclusive, json!(matches!(bound, Bound::Inclusive(_))));
                }
            }
        }
        // The notation has no elements and keys.
        Range::Length(_) | Range::Elements(_) => {
            let range = refinement.length_range().unwrap_or_default();
            if range.lower() > 0 {
                fact("len_min", json!(range.lower()));
            }
            if let Some(max) = range.upper() {
                fact("len_max", json!(max));
            }
        }
        // The notation has prefixes only: a language says what its strings have in common.
        Range::Language(language) if !language.prefix().is_empty() => {
            fact("prefix", json!(language.prefix()));
        }
        // The notation has no attributes.
        Range::Language(_) | Range::Structure(_) => {}
        other => panic!("the notation has no {other:?}"),
    }
    facts
}

/// The notation of a path.
pub(crate) fn write_path(path: &Path) -> Json {
    let step = |step: &Step| match step {
        Step::Attr(name) => json!({"attr": name.as_str()}),
        Step::Index(key) => json!({"index": write(key)}),
    };
    path.steps().iter().map(step).collect()
}

/// Whether two pieces of notation say the same, up to what the notation leaves open: an empty `ref`, a bound
/// that bounds nothing (`-inf` inclusive is one, `-inf` exclusive keeps an infinity out), the order of a set's members, ways to write a number (`-0` among them), and the last
/// digits of a number with `approx`.
pub(crate) fn same(a: &Json, b: &Json) -> bool {
    match (a, b) {
        (Json::Object(a), Json::Object(b)) => {
            if let (Some(Json::String(x)), Some(Json::String(y))) = (a.get("num"), b.get("num")) {
                let approx = a.contains_key("approx") || b.contains_key("approx");
                return same_number(x, y, approx) && a.get("marks") == b.get("marks");
            }
            if let (Some(Json::Array(x)), Some(Json::Array(y)), true, true) =
                (a.get("v"), b.get("v"), a.contains_key("set"), b.contains_key("set"))
            {
                return a.get("set") == b.get("set")
                    && a.get("marks") == b.get("marks")
                    && same_members(x, y);
            }
            let (a, b) = (facts(a), facts(b));
            a.len() == b.len()
                && a.iter().zip(&b).all(|((name, x), (other, y))| {
                    name == other
                        && match (*name, x, y) {
                            ("min" | "max", Json::String(x), Json::String(y)) => same_number(x, y, false),
                            _ => same(x, y),
                        }
                })
        }
        (Json::Array(a), Json::Array(b)) => a.len() == b.len() && a.iter().zip(b).all(|(a, b)| same(a, b)),
        _ => a == b,
    }
}

/// The members that say something, in order of their names.
fn facts(members: &Map<String, Json>) -> Vec<(&str, &Json)> {
    let boundless = |at: &str, inclusive: &str, infinity: &str| {
        members.get(at).and_then(Json::as_str) == Some(infinity)
            && members.get(inclusive).and_then(Json::as_bool) != Some(false)
    };
    let mut facts: Vec<_> = members
        .iter()
        .map(|(name, json)| (name.as_str(), json))
        .filter(|(name, json)| match *name {
            "ref" => json.as_object().is_none_or(|members| !facts(members).is_empty()),
            "min" | "min_inc" => !boundless("min", "min_inc", "-inf"),
            "max" | "max_inc" => !boundless("max", "max_inc", "inf"),
            "len_min" => json.as_u64() != Some(0),
            "len_max" => json.as_u64() != Some(MOST),
            "approx" => !json.is_boolean(),
            _ => true,
        })
        .collect();
    facts.sort_unstable_by_key(|(name, _)| *name);
    facts
}

fn same_members(a: &[Json], b: &[Json]) -> bool {
    let mut rest: Vec<&Json> = b.iter().collect();
    a.len() == b.len()
        && a.iter().all(|member| match rest.iter().position(|other| same(member, other)) {
            Some(place) => {
                rest.swap_remove(place);
                true
            }
            None => false,
        })
}

fn same_number(a: &str, b: &str, approx: bool) -> bool {
    match (a.parse::<Number>(), b.parse::<Number>()) {
        (Ok(x), Ok(y)) => x == y || approx && is_close(&x, &y).unwrap_or(false),
        _ => a == b,
    }
}

/// Whether two numbers agree in their first hundred digits, or nearly.
fn is_close(x: &Number, y: &Number) -> plantime::Result<bool> {
    let apart = x.subtract(y)?.absolute();
    Ok(apart <= x.absolute().multiply(&"1e-100".parse()?)?)
}
