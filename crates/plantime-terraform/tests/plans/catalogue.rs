//! The built-in catalogue against the collection of facts with evidence that it was made of, where that lies beside the
//! checkout (`$PLANTIME_REAL/../../catalogue`). `PLANTIME_BLESS=1 cargo test --all-features --test plans catalogue`
//! writes the catalogue from it.

use std::collections::{BTreeMap, BTreeSet};
use std::fmt::Write as _;
use std::fs;
use std::path::{Path, PathBuf};

use plantime::{Refinement, Value};
use plantime_schema::catalogue::{Catalogue, Class};
use serde_json::Value as Json;

use super::{collection, schemas};

/// The folder of the facts with evidence.
fn evidence() -> Option<PathBuf> {
    let folder = collection()?.join("../../catalogue");
    folder.is_dir().then_some(folder)
}

/// The JSON documents of a compressed file, one a line.
pub(super) fn lines(path: &Path) -> Vec<Json> {
    crate::packed::lines(fs::File::open(path).unwrap())
        .map(|line| serde_json::from_str(&line).unwrap())
        .collect()
}

/// The address of a provider that the collection has by its name.
pub(super) fn provider(name: &str) -> String {
    match name {
        "azapi" => "azure/azapi".to_owned(),
        "terraform" => "terraform.io/builtin/terraform".to_owned(),
        name => format!("hashicorp/{name}"),
    }
}

/// `parts.*.id` as `parts[*].id`.
fn path(attribute: &str) -> String {
    attribute.replace(".*", "[*]")
}

fn texts(json: &Json) -> Vec<&str> {
    match json {
        Json::String(text) => vec![text],
        Json::Array(all) => all.iter().map(|one| one.as_str().unwrap()).collect(),
        _ => Vec::new(),
    }
}

/// A refinement in its text form, and what it is.
type Stated = (String, Refinement);

/// The refinement of the properties of one fact. A pattern whose automaton is too large is left out.
fn stated(fact: &Json) -> Stated {
    let mut parts: Vec<Stated> = Vec::new();
    let mut add = |text: String, dropped: &mut Vec<String>| match text.parse::<Refinement>() {
        Ok(refinement) => {
            if !parts.iter().any(|(_, known)| refinement.contains(known)) {
                parts.push((text, refinement));
            }
        }
        Err(error) => dropped.push(format!("{text}: {error}")),
    };
    let quoted = |text: &str| format!("\"{}\"", text.replace('\\', "\\\\").replace('"', "\\\""));
    let mut dropped = Vec::new();
    if let Some(pattern) = fact["pattern"].as_str() {
        add(format!("stringpattern({})", quoted(pattern)), &mut dropped);
    }
    if let Some(choices) = fact["one_of"].as_array() {
        let choices: Vec<String> = choices.iter().map(|text| quoted(text.as_str().unwrap())).collect();
        add(format!("oneof({})", choices.join(", ")), &mut dropped);
    }
    if let Some(prefix) = fact["prefix"].as_str() {
        add(format!("stringprefix({})", quoted(prefix)), &mut dropped);
    }
    if fact["not_empty"] == Json::Bool(true) {
        add("stringlengthmin(1)".to_owned(), &mut dropped);
    }
    for (key, form) in [("min", "numbermin"), ("max", "numbermax")] {
        if !fact[key].is_null() {
            add(format!("{form}({})", fact[key]), &mut dropped);
        }
    }
    for dropped in dropped {
        println!("left out of {} {}: {dropped}", fact["type"], fact["attribute"]);
    }
    let inner = parts.iter().map(|(text, _)| text.as_str()).collect::<Vec<_>>().join(", ");
    let text = match (fact["not_null"] == Json::Bool(true), inner.is_empty()) {
        (true, _) => format!("notnull({inner})"),
        (false, false) => inner,
        (false, true) => return (String::new(), Refinement::any()),
    };
    let refinement = text.parse().unwrap_or_else(|error| panic!("{}: {text}: {error}", fact["type"]));
    (text, refinement)
}

/// What the collection says of one attribute in one class.
#[derive(Default)]
struct Line {
    stated: Vec<Stated>,
    equals: BTreeSet<String>,
    contains: BTreeSet<String>,
    since: Option<String>,
}

/// The catalogue in its text form, as it follows from the collection.
fn written(folder: &Path) -> String {
    let mut types: BTreeMap<(String, String), BTreeMap<(String, String), Line>> = BTreeMap::new();
    for fact in lines(&folder.join("facts.jsonl.gz")) {
        let text = |key: &str| fact[key].as_str().unwrap().to_owned();
        let of_type = types.entry((text("type"), provider(&text("provider")))).or_default();
        let line = of_type.entry((path(&text("attribute")), text("class"))).or_default();
        let own = stated(&fact);
        if !own.0.is_empty() {
            line.stated.push(own);
        }
        line.equals.extend(texts(&fact["equals"]).into_iter().map(str::to_owned));
        line.contains.extend(texts(&fact["contains"]).into_iter().map(str::to_owned));
        if let Some(versions) = fact["provider_versions"].as_str() {
            let version = versions.strip_prefix(">= ").unwrap().split(' ').next().unwrap();
            line.since = Some(version.to_owned());
        }
    }
    let declared = declared_types();
    let mut written = String::from(
        "# Facts about the values that providers choose, collected from their documentation, code and models in 2026.\n\
         # The form is described in the documentation of the module `catalogue`. Sorted by type.\n",
    );
    for ((type_name, provider), facts) in &types {
        writeln!(written, "{type_name} {provider}").unwrap();
        let mut better: BTreeMap<&str, Refinement> = BTreeMap::new();
        for ((path, class), line) in facts {
            let parts: Vec<&Stated> = line.stated.iter().collect();
            let mut refinement = better.get(path.as_str()).cloned().unwrap_or_default();
            let mut texts = Vec::new();
            for (text, own) in parts {
                if !own.contains(&refinement) {
                    refinement =
                        refinement.meet(own).unwrap_or_else(|_| panic!("{type_name} {path}: {text}"));
                    texts.push(text.as_str());
                }
            }
            better.insert(path, refinement.clone());
            if texts.is_empty() && line.equals.is_empty() && line.contains.is_empty() {
                continue;
            }
            write!(written, " {path} {class}").unwrap();
            if let Some(since) = &line.since {
                write!(written, " since:{since}").unwrap();
            }
            let has_kind = *refinement.range() != plantime::Range::Any;
            let declared = declared
                .get(&(type_name.clone(), path.clone()))
                .map(String::as_str)
                .or_else(|| type_in_family(type_name, path));
            if let (false, false, Some(ty)) = (has_kind, texts.is_empty(), declared) {
                write!(written, " type:{ty}").unwrap();
            }
            line.equals.iter().for_each(|name| write!(written, " equals:{name}").unwrap());
            line.contains.iter().for_each(|name| write!(written, " contains:{name}").unwrap());
            match texts.is_empty() {
                true => writeln!(written).unwrap(),
                false => writeln!(written, " {}", texts.join(", ")).unwrap(),
            }
        }
    }
    with_definitions(&written)
}

/// The text with refinements that occur often as names, defined on top.
fn with_definitions(text: &str) -> String {
    let stated = |line: &str| {
        let begin = ["notnull(", "string", "oneof(", "number"]
            .iter()
            .filter_map(|form| line.find(&format!(" {form}")));
        begin.min().filter(|_| line.starts_with(' ')).map(|at| at + 1)
    };
    let mut counts: BTreeMap<&str, usize> = BTreeMap::new();
    for line in text.lines() {
        if let Some(at) = stated(line) {
            *counts.entry(&line[at..]).or_default() += 1;
        }
    }
    let mut often: Vec<(&str, usize)> = counts
        .into_iter()
        .map(|(text, count)| (text, text.len() * count))
        .filter(|(text, all)| *all > 1_000 && text.len() > 9)
        .collect();
    often.sort_by_key(|(text, all)| (std::cmp::Reverse(*all), *text));
    let names: BTreeMap<&str, usize> =
        often.iter().zip(1..).map(|((text, _), number)| (*text, number)).collect();
    let (comments, lines): (Vec<&str>, Vec<&str>) = text.lines().partition(|line| line.starts_with('#'));
    let mut written = comments.join("\n") + "\n";
    for ((text, _), number) in often.iter().zip(1..) {
        writeln!(written, "${number} {text}").unwrap();
    }
    for line in lines {
        match stated(line).and_then(|at| Some((at, names.get(&line[at..])?))) {
            Some((at, name)) => writeln!(written, "{}${name}", &line[..at]).unwrap(),
            None => writeln!(written, "{line}").unwrap(),
        }
    }
    written
}

/// The types of attributes in published schemas: of those without objects inside, where all schemas agree.
fn declared_types() -> BTreeMap<(String, String), String> {
    let mut found: BTreeMap<(String, String), BTreeSet<String>> = BTreeMap::new();
    for schemas in schemas::published() {
        for (name, schema) in schemas.providers.values().flat_map(|provider| &provider.resource_schemas) {
            add_types(name, "", schema.block(), &mut found);
        }
    }
    found
        .into_iter()
        .filter_map(|(key, types)| {
            let [ty] = types.into_iter().collect::<Vec<_>>().try_into().ok()?;
            (!ty.contains("object") && !ty.contains("any")).then_some((key, ty))
        })
        .collect()
}

/// The words that the resource types of one provider begin with: `google`.
fn family(type_name: &str) -> String {
    type_name.split('_').next().unwrap_or(type_name).to_owned()
}

/// The types of attributes that have the same one in every published schema of a family of resource types: `etag` is a string
/// in all 135 schemas of Google's resources that have it.
const OF_FAMILIES: [(&str, &str, &str); 1] = [("google", "etag", "string")];

fn type_in_family(type_name: &str, path: &str) -> Option<&'static str> {
    let known = OF_FAMILIES.iter().find(|(of, attribute, _)| *of == family(type_name) && *attribute == path);
    known.map(|(_, _, ty)| *ty)
}

fn add_types(
    name: &str,
    prefix: &str,
    block: &plantime_schema::Block,
    found: &mut BTreeMap<(String, String), BTreeSet<String>>,
) {
    use plantime_schema::{AttributeType, Nesting};
    for (attribute, declared) in &block.attributes {
        if let AttributeType::Plain(ty) = &declared.ty {
            let key = (name.to_owned(), format!("{prefix}{attribute}"));
            found.entry(key).or_default().insert(ty.to_string().replace(' ', ""));
        }
    }
    for (nested, declared) in &block.block_types {
        let any = if matches!(declared.nesting, Nesting::Single | Nesting::Group) { "" } else { "[*]" };
        add_types(name, &format!("{prefix}{nested}{any}."), &declared.block, found);
    }
}

#[test]
fn the_catalogue_is_the_collection() {
    let Some(folder) = evidence() else { return };
    let file = Path::new(env!("CARGO_MANIFEST_DIR")).join("../plantime-schema/src/catalogue/builtin.facts");
    let written = written(&folder);
    if std::env::var_os("PLANTIME_BLESS").is_some() {
        fs::write(&file, &written).unwrap();
    }
    let shipped = fs::read_to_string(&file).unwrap();
    assert!(shipped == written, "the catalogue is not what the collection says: PLANTIME_BLESS=1 writes it");
}

/// The parts of a value that a dotted attribute of the collection leads to: the value itself, given without its place.
fn is_at(fact: &plantime_schema::catalogue::Fact, attribute: &str) -> bool {
    fact.path().to_string() == path(attribute)
}

#[test]
fn values_of_real_states_contradict_no_fact_of_class_a() {
    let Some(folder) = evidence() else { return };
    let catalogue = Catalogue::builtin(Class::A);
    let (mut tests, mut wrong) = (0, Vec::new());
    for row in lines(&folder.join("dev-values.jsonl.gz")) {
        let text = |key: &str| row[key].as_str().unwrap();
        let Ok(value) = Value::try_from(&row["value"]) else { continue };
        // Nulls of imported states say nothing of created ones.
        if value.is_null() {
            continue;
        }
        for fact in catalogue.facts(&provider(text("provider")), text("type")) {
            if !is_at(&fact, text("attribute")) {
                continue;
            }
            tests += 1;
            // States of old formats have every value as a string.
            let is_number = fact.refinement().number_range().is_some();
            let value = match plantime::convert(&value, &plantime::Type::Number.into()) {
                Ok(number) if is_number => number,
                _ => value.clone(),
            };
            if let Err(error) = value.assume(fact.refinement()) {
                wrong.push(format!("{} {value}: {}", fact.origin(), error.message()));
            }
        }
    }
    println!("{tests} values of real states compared with facts of class A");
    assert!(tests > 1_000, "{tests}");
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}
