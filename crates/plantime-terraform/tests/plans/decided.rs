//! What rules decide at plan on the unknown leaves of public plans, under the facts of schemas and of class A of the
//! catalogue, beside a ceiling: the leaves of which a fact decides the rule. The ceiling is counted here from the files of
//! the collection alone, with automata of regex-automata, and knows nothing of this library.
//! `cargo test --all-features --test plans -- decided --nocapture` prints the table.

use std::collections::{BTreeMap, BTreeSet, HashMap};
use std::rc::Rc;

use plantime::rule::{Outcome, Rule};
use plantime::{Path, Value, View};
use plantime_schema::catalogue::{Catalogue, Class};
use plantime_terraform::plan::{Plan, ProviderFacts};
use regex_automata::Input;
use regex_automata::dfa::{Automaton, dense};
use regex_automata::util::primitives::StateID;
use regex_automata::util::syntax;
use serde_json::Value as Json;

use super::{collection, files, is_plan, packed, schemas};

/// A step to a leaf: the name of an attribute, or any element.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
enum Step {
    Name(String),
    Element,
}

/// Calls `each` with every leaf that the plan's `after_unknown` has below a value: the steps to it, and the value that
/// was read.
fn leaves(
    unknown: &Json,
    value: Option<Value>,
    steps: &mut Vec<Step>,
    each: &mut impl FnMut(&[Step], Option<&Value>),
) {
    let child = |step: Path| value.as_ref().and_then(|value| value.get(&step).ok());
    let mut below = |step: Step, part: &Json, value: Option<Value>| {
        steps.push(step);
        leaves(part, value, steps, each);
        steps.pop();
    };
    match unknown {
        Json::Bool(true) => each(steps, value.as_ref()),
        Json::Object(parts) => {
            let is_map = matches!(value.as_ref().map(Value::view), Some(View::Map(_)));
            for (name, part) in parts {
                let path = Path::new();
                let path = if is_map { path.index(name.as_str()) } else { path.attr(name) };
                below(Step::Name(name.clone()), part, child(path));
            }
        }
        Json::Array(parts) => {
            let bare = value.as_ref().map(|value| value.clone().unmark().0);
            let members: Option<Vec<Value>> = match bare.as_ref().map(Value::view) {
                Some(View::Set(set)) => Some(set.iter().cloned().collect()),
                _ => None,
            };
            for (at, part) in parts.iter().enumerate() {
                let member = match &members {
                    Some(members) => members.get(at).cloned(),
                    None => child(Path::new().index(at)),
                };
                below(Step::Element, part, member);
            }
        }
        _ => {}
    }
}

/// What the files of the collection say of one leaf.
#[derive(Clone, Debug, Default)]
struct Facts {
    not_null: bool,
    /// It has at least one element.
    has_elements: bool,
    /// Expressions in each of which the string has a match.
    patterns: BTreeSet<String>,
    /// Whether the schema says that it is a string; `None` without a schema.
    is_string: Option<bool>,
}

/// The lines of class A, by resource type and attribute.
type Lines = HashMap<(String, String), Vec<Json>>;

fn lines(root: &std::path::Path) -> Option<Lines> {
    let file = std::fs::File::open(root.join("../../catalogue/facts.jsonl.gz")).ok()?;
    let mut all = Lines::new();
    for line in String::from_utf8(packed::bytes(file)).unwrap().lines() {
        let line: Json = serde_json::from_str(line).unwrap();
        if line["class"] == "A" {
            let key = |name: &str| line[name].as_str().unwrap().to_owned();
            all.entry((key("type"), key("attribute"))).or_default().push(line);
        }
    }
    Some(all)
}

/// The blocks of all resource types, by provider and name.
fn blocks() -> BTreeMap<(String, String), Json> {
    let mut all = BTreeMap::new();
    for content in super::schemas::files() {
        let Ok(json) = serde_json::from_slice::<Json>(&content) else { continue };
        for (address, provider) in json["provider_schemas"].as_object().into_iter().flatten() {
            for (name, schema) in provider["resource_schemas"].as_object().into_iter().flatten() {
                all.insert((address.clone(), name.clone()), schema["block"].clone());
            }
        }
    }
    all
}

impl Facts {
    /// What the block of a schema says of the leaf.
    fn add_schema(&mut self, block: &Json, steps: &[Step]) {
        let Some((Step::Name(name), rest)) = steps.split_first() else { return };
        if let Some(attribute) = block["attributes"].get(name) {
            self.add_attribute(attribute, rest);
        } else if let Some(nested) = block["block_types"].get(name) {
            let mode = nested["nesting_mode"].as_str().unwrap_or_default();
            let is_collection = matches!(mode, "list" | "set" | "map");
            match rest.split_first() {
                None => {
                    self.not_null |= is_collection || mode == "group";
                    self.has_elements |= is_collection && nested["min_items"].as_u64().unwrap_or(0) > 0;
                    self.is_string = Some(false);
                }
                Some(_) if mode == "group" => {}
                Some((_, below)) if is_collection => self.add_schema(&nested["block"], below),
                Some(_) => self.add_schema(&nested["block"], rest),
            }
        }
    }

    fn add_attribute(&mut self, attribute: &Json, rest: &[Step]) {
        if let Some(nested) = attribute.get("nested_type") {
            let mode = nested["nesting_mode"].as_str().unwrap_or_default();
            let below =
                if mode == "single" { Some(rest) } else { rest.split_first().map(|(_, below)| below) };
            if let Some((Step::Name(name), below)) = below.and_then(<[Step]>::split_first) {
                return self.add_attribute(&nested["attributes"][name], below);
            }
            self.is_string = Some(false);
        } else {
            let mut ty = &attribute["type"];
            for step in rest {
                ty = match (step, &ty[1]) {
                    (Step::Name(name), Json::Object(attributes)) if ty[0] == "object" => {
                        attributes.get(name).unwrap_or(&Json::Null)
                    }
                    (_, element) => element,
                };
            }
            self.is_string = (!ty.is_null()).then(|| ty == "string");
        }
        if rest.is_empty() {
            self.not_null |= attribute["required"] == true && attribute["write_only"] != true;
        }
    }

    /// What the catalogue says of the leaf, which is in a resource with these planned values.
    fn add_catalogue(&mut self, lines: &Lines, ty: &str, steps: &[Step], change: &Json) {
        for line in lines_of(lines, ty, steps) {
            self.not_null |= line["not_null"] == true;
            self.add_shape(line);
            let contained = line["contains"].as_array().into_iter().flatten();
            let relations = contained.map(|name| (name, false)).chain([(&line["equals"], true)]);
            for (name, is_whole) in relations {
                let Some(name) = name.as_str() else { continue };
                if change["after_sensitive"][name] == true {
                    continue;
                }
                if let Some(text) = change["after"][name].as_str() {
                    let text = regex_syntax::escape(text);
                    self.patterns.insert(if is_whole { format!(r"\A{text}\z") } else { text });
                } else if is_whole && change["after_unknown"][name] == true {
                    for line in lines_of(lines, ty, &[Step::Name(name.to_owned())]) {
                        self.add_shape(line);
                    }
                }
            }
        }
        // What is known of an attribute that equals this one holds here too.
        let [Step::Name(own)] = steps else { return };
        let others = lines.iter().filter(|((of, name), _)| {
            of == ty && change["after_unknown"][name] == true && change["after_sensitive"][name] != true
        });
        for line in others.flat_map(|(_, lines)| lines).filter(|line| line["equals"] == own.as_str()) {
            self.add_shape(line);
        }
    }

    fn add_shape(&mut self, line: &Json) {
        self.patterns.extend(line["pattern"].as_str().map(str::to_owned));
        self.patterns
            .extend(line["prefix"].as_str().map(|text| format!(r"\A{}", regex_syntax::escape(text))));
        if let Some(texts) = line["one_of"].as_array() {
            let texts: Vec<_> = texts.iter().filter_map(Json::as_str).map(regex_syntax::escape).collect();
            self.patterns.insert(format!(r"\A(?:{})\z", texts.join("|")));
        }
        if line["not_empty"] == true {
            self.patterns.insert(r"(?s)\A.".to_owned());
        }
    }
}

/// The addresses that the provider of a change may have: before Terraform 0.13 plans and schemas had its name alone.
fn addresses(change: &Json) -> [String; 2] {
    let name = change["provider_name"].as_str().unwrap_or_default();
    [name.to_owned(), format!("registry.terraform.io/hashicorp/{name}")]
}

/// The lines about a leaf.
fn lines_of<'l>(lines: &'l Lines, ty: &str, steps: &[Step]) -> impl Iterator<Item = &'l Json> {
    let name = |step: &Step| match step {
        Step::Name(name) => name.clone(),
        Step::Element => "*".to_owned(),
    };
    let attribute: Vec<String> = steps.iter().map(name).collect();
    lines.get(&(ty.to_owned(), attribute.join("."))).into_iter().flatten()
}

type Dfa = dense::DFA<Vec<u32>>;

/// The automata of expressions, and the answers for sets of them.
#[derive(Default)]
struct Automata {
    compiled: HashMap<String, Option<Rc<Dfa>>>,
    decided: HashMap<(BTreeSet<String>, String), (bool, bool)>,
}

impl Automata {
    fn compiled(&mut self, pattern: &str) -> Option<Rc<Dfa>> {
        let known = self.compiled.entry(pattern.to_owned());
        let dfa = known.or_insert_with(|| {
            let config = dense::Config::new()
                .match_kind(regex_automata::MatchKind::All)
                .accelerate(false)
                .dfa_size_limit(Some(1 << 24))
                .determinize_size_limit(Some(1 << 24));
            let syntax = syntax::Config::new().unicode(false).utf8(false);
            let built = dense::Builder::new().configure(config).syntax(syntax).build(pattern);
            built.ok().map(Rc::new)
        });
        dfa.clone()
    }

    /// Whether some string that satisfies all facts satisfies the rule, and whether some does not.
    fn decide(&mut self, facts: &BTreeSet<String>, rule: &str) -> (bool, bool) {
        let key = (facts.clone(), rule.to_owned());
        if let Some(known) = self.decided.get(&key) {
            return *known;
        }
        // A fact whose automaton is too large says nothing.
        let mut all: Vec<Rc<Dfa>> = facts.iter().filter_map(|fact| self.compiled(fact)).collect();
        all.push(self.compiled(rule).unwrap());
        let found = walk(&all);
        self.decided.insert(key, found);
        found
    }
}

/// Walks the states of all automata together. The last one is the rule's.
fn walk(all: &[Rc<Dfa>]) -> (bool, bool) {
    // Each automaton's state, and whether it has found a match before.
    type States = Vec<(StateID, bool)>;
    let start: States =
        all.iter().map(|dfa| (dfa.start_state_forward(&Input::new("")).unwrap(), false)).collect();
    let (mut inside, mut outside) = (false, false);
    let (mut todo, mut seen) = (vec![start.clone()], std::collections::HashSet::from([start]));
    while let Some(states) = todo.pop() {
        let mut matched = all
            .iter()
            .zip(&states)
            .map(|(dfa, (state, found))| *found || dfa.is_match_state(dfa.next_eoi_state(*state)));
        let rule = matched.next_back().unwrap();
        if matched.all(|matched| matched) {
            inside |= rule;
            outside |= !rule;
            if inside && outside {
                break;
            }
        }
        for byte in (0..0x80).chain([0xe9]) {
            let next: States = all
                .iter()
                .zip(&states)
                .map(|(dfa, (state, found))| {
                    let next = dfa.next_state(*state, byte);
                    (next, *found || dfa.is_match_state(next))
                })
                .collect();
            let is_over =
                |(dfa, (state, found)): (&Rc<Dfa>, &(StateID, bool))| !found && dfa.is_dead_state(*state);
            let facts = all.len() - 1;
            if !all.iter().zip(&next).take(facts).any(is_over) && seen.insert(next.clone()) {
                todo.push(next);
            }
        }
    }
    (inside, outside)
}

/// The rules of the table, and the expression of those on strings.
fn rules() -> [(&'static str, Rule, Option<&'static str>); 5] {
    [
        ("not_null", Rule::NotNull, None),
        ("starts_with = \"zz\"", Rule::starts_with("zz"), Some(r"\Azz")),
        (
            "matches = \"^[a-z][a-z0-9-]*$\"",
            Rule::matches("^[a-z][a-z0-9-]*$".parse().unwrap()),
            Some("^[a-z][a-z0-9-]*$"),
        ),
        ("min_len = 1", Rule::min_len(1), Some(r"(?s)\A.")),
        ("one_of = [\"a\", \"b\"]", Rule::one_of(["a", "b"]), Some(r"\A(?:a|b)\z")),
    ]
}

#[test]
fn rules_on_leaves_are_decided_wherever_a_fact_decides_them() {
    let Some(root) = collection() else { return };
    let Some(lines) = lines(&root) else {
        println!("skipped: there is no catalogue beside {}", root.display());
        return;
    };
    let (schemas, blocks) = (schemas::together(), blocks());
    let mut known = ProviderFacts::default();
    known.from_schemas = true;
    known.catalogues.push(Catalogue::builtin(Class::A));
    let rules = rules();
    let (mut automata, mut total) = (Automata::default(), 0_usize);
    // Of each rule: decided, the ceiling, decided beyond it, and open below it.
    let mut counts = [[0_usize; 4]; 5];
    let mut examples: BTreeMap<String, usize> = BTreeMap::new();
    for (_, content) in files(&root).into_iter().filter(|(name, _)| name.starts_with("plans-public")) {
        let json: Json = serde_json::from_slice(&content).unwrap();
        if !is_plan(&json) {
            continue;
        }
        let mut plan = Plan::read(&content, &schemas).unwrap();
        let _ = plan.assume_facts(&known, &schemas);
        let changes = json["resource_changes"].as_array().into_iter().flatten();
        for (change, read) in changes.zip(&plan.resource_changes) {
            let ty = change["type"].as_str().unwrap_or_default();
            let is_managed = change["mode"] == "managed";
            let mut each = |steps: &[Step], value: Option<&Value>| {
                total += 1;
                let mut facts = Facts::default();
                if is_managed {
                    let addresses = addresses(change).into_iter();
                    if let Some(block) = addresses.filter_map(|it| blocks.get(&(it, ty.to_owned()))).next() {
                        facts.add_schema(block, steps);
                    }
                    facts.add_catalogue(&lines, ty, steps, &change["change"]);
                }
                let is_string = facts.is_string.unwrap_or(!facts.patterns.is_empty());
                for ((name, rule, pattern), counts) in rules.iter().zip(&mut counts) {
                    let outcome = value.and_then(|value| rule.check_value(value).ok());
                    let decided = matches!(outcome, Some(Outcome::Pass | Outcome::Fail(_)));
                    let ceiling = match pattern {
                        None => facts.not_null,
                        Some(_) if !is_string => *name == "min_len = 1" && facts.has_elements,
                        Some(pattern) => match automata.decide(&facts.patterns, pattern) {
                            (true, true) => false,
                            (inside, _) => inside || facts.not_null,
                        },
                    };
                    counts[0] += usize::from(decided);
                    counts[1] += usize::from(ceiling);
                    counts[2] += usize::from(decided && !ceiling);
                    counts[3] += usize::from(ceiling && !decided);
                    if decided != ceiling {
                        let side = if decided { "beyond" } else { "below" };
                        *examples
                            .entry(format!("{side} {name}: {ty} {steps:?} {value:?} {facts:?}"))
                            .or_default() += 1;
                    }
                }
            };
            leaves(&change["change"]["after_unknown"], read.change.after.clone(), &mut Vec::new(), &mut each);
        }
    }
    if std::env::var_os("PLANTIME_EXAMPLES").is_some() {
        examples.iter().for_each(|(text, count)| println!("  {count} {text}"));
    }
    println!("| rule | decided | share of {total} leaves | ceiling | of the ceiling | beyond it |");
    println!("|---|---|---|---|---|---|");
    let percent = |part: usize, whole: usize| {
        f64::from(u32::try_from(part).unwrap()) * 100.0 / f64::from(u32::try_from(whole.max(1)).unwrap())
    };
    for ((name, ..), [decided, ceiling, beyond, below]) in rules.iter().zip(counts) {
        let (share, reached) = (percent(decided, total), percent(ceiling - below, ceiling));
        println!("| {name} | {decided} | {share:.1} % | {ceiling} | {reached:.1} % | {beyond} |");
        assert!(reached >= 98.0, "{name}: {reached} % of the ceiling");
        assert_eq!(beyond, 0, "{name}: decided where no fact decides it");
    }
}
