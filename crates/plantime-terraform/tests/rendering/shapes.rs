//! Pairs of configurations of a provider whose resources have attributes and nested blocks of every shape: see
//! `examples/shapes.rs` of `plantime-provider`.

use std::fmt::Write as _;

use serde_json::{Map, Value as Json};

use super::generate::{Element, Node, Numbers, Pair, quoted};

/// The shape of an attribute.
#[derive(Clone, Copy)]
enum Shape {
    Text,
    Number,
    Bool,
    List(Element),
    Set(Element),
    Map(Element),
    Object,
    Pair,
    Json,
    Lines,
    Any,
}

const ATTRIBUTES: [(&str, Shape); 29] = [
    ("note", Shape::Text),
    ("amount", Shape::Number),
    ("flag", Shape::Bool),
    ("words", Shape::List(Element::Text)),
    ("amounts", Shape::List(Element::Number)),
    ("unique", Shape::Set(Element::Text)),
    ("labels", Shape::Map(Element::Text)),
    ("counts", Shape::Map(Element::Number)),
    ("one", Shape::Object),
    ("several", Shape::List(Element::Object)),
    ("members", Shape::Set(Element::Object)),
    ("entries", Shape::Map(Element::Object)),
    ("lists", Shape::List(Element::List)),
    ("sets", Shape::Set(Element::List)),
    ("pair", Shape::Pair),
    ("any", Shape::Any),
    ("secret", Shape::Text),
    ("secrets", Shape::Map(Element::Text)),
    ("policy", Shape::Json),
    ("script", Shape::Lines),
    ("chosen", Shape::Text),
    ("offered", Shape::List(Element::Text)),
    // These force a replacement.
    ("zone", Shape::Text),
    ("rings", Shape::List(Element::Text)),
    ("colours", Shape::Set(Element::Text)),
    ("marks", Shape::Map(Element::Text)),
    ("frame", Shape::Object),
    ("seal", Shape::Text),
    ("script", Shape::Json),
];

/// What a block or nested attribute contains, and how many of it there are.
#[derive(Clone, Copy, PartialEq)]
enum Nesting {
    Single,
    Many,
    Keyed,
}

type Fields = [(&'static str, Shape)];
const TEXT: (&str, Shape) = ("a", Shape::Text);
const NUMBER: (&str, Shape) = ("n", Shape::Number);
const LIST: (&str, Shape) = ("l", Shape::List(Element::Text));
const MAP: (&str, Shape) = ("m", Shape::Map(Element::Text));
const SECRET: (&str, Shape) = ("s", Shape::Text);

const BLOCKS: [(&str, Nesting, &Fields); 6] = [
    ("item", Nesting::Many, &[TEXT, NUMBER, LIST, MAP, SECRET]),
    ("member", Nesting::Many, &[TEXT, NUMBER, LIST, MAP]),
    ("hidden", Nesting::Many, &[TEXT, SECRET]),
    ("entry", Nesting::Keyed, &[TEXT, NUMBER, LIST, MAP, SECRET]),
    ("only", Nesting::Single, &[TEXT, NUMBER, LIST, MAP, SECRET]),
    ("forced", Nesting::Many, &[TEXT, NUMBER]),
];

const NESTED: [(&str, Nesting, &Fields); 8] = [
    ("item", Nesting::Many, &[TEXT, NUMBER, SECRET, LIST, MAP]),
    ("member", Nesting::Many, &[TEXT, NUMBER, LIST, MAP]),
    ("hidden", Nesting::Many, &[TEXT, SECRET]),
    ("entry", Nesting::Keyed, &[TEXT, NUMBER, SECRET, LIST, MAP]),
    ("only", Nesting::Single, &[TEXT, NUMBER, SECRET, LIST, MAP]),
    ("deep", Nesting::Many, &[TEXT]),
    ("forced", Nesting::Many, &[TEXT, NUMBER]),
    ("closed", Nesting::Many, &[TEXT, NUMBER, LIST, MAP]),
];

/// Arguments: name and value.
type Arguments = Vec<(String, Node)>;

impl Numbers {
    /// A value of a shape; null sometimes.
    fn shaped(&mut self, shape: Shape) -> Node {
        if self.one_in(4) {
            return Node::Null;
        }
        match shape {
            Shape::Text => self.text(),
            Shape::Number => self.number(),
            Shape::Bool => Node::Bool(self.one_in(2)),
            Shape::List(element) => Node::List(element, self.items(element)),
            Shape::Set(element) => Node::Set(element, self.items(element)),
            Shape::Map(element) => Node::Map(
                element,
                self.names(5).into_iter().map(|name| (name, self.element(element))).collect(),
            ),
            Shape::Object => self.element(Element::Object),
            Shape::Pair => Node::Tuple(vec![self.text(), self.number()]),
            Shape::Json => Node::Json(Box::new(self.plain(2)), self.below(4)),
            Shape::Lines => self.lines(),
            Shape::Any => self.plain(2),
        }
    }

    fn items(&mut self, element: Element) -> Vec<Node> {
        (0..self.below(6)).map(|_| self.element(element)).collect()
    }

    /// What a value of a shape may become.
    fn reshaped(&mut self, shape: Shape, node: &Node, unknown: bool) -> Node {
        if unknown
            && matches!(shape, Shape::Text | Shape::List(Element::Text) | Shape::Any)
            && self.one_in(14)
        {
            return Node::Unknown(if matches!(shape, Shape::List(_)) { 2 } else { self.below(2) });
        }
        match (shape, node) {
            (_, Node::Null) => self.shaped(shape),
            (Shape::Object | Shape::Pair, _) => self.shaped(shape),
            (Shape::Any, _) => self.plainly_changed(node, 2),
            _ if self.one_in(10) => self.shaped(shape),
            _ => self.plainly_changed(node, 2),
        }
    }

    fn arguments(&mut self, fields: &Fields) -> Arguments {
        let mut arguments: Arguments = Vec::new();
        for (name, shape) in fields {
            if self.one_in(2) && arguments.iter().all(|(other, _)| other != name) {
                arguments.push(((*name).to_owned(), self.shaped(*shape)));
            }
        }
        arguments
    }

    /// Some arguments with other values, some more and some fewer.
    fn changed_arguments(&mut self, fields: &Fields, old: &Arguments) -> Arguments {
        let mut changed = Arguments::new();
        for (name, shape) in fields {
            if changed.iter().any(|(other, _)| other == name) {
                continue;
            }
            let value = match old.iter().find(|(other, _)| other == name) {
                Some((_, value)) if self.one_in(3) => self.reshaped(*shape, value, true),
                Some((_, value)) => value.clone(),
                None if self.one_in(9) => self.shaped(*shape),
                None => continue,
            };
            changed.push(((*name).to_owned(), value));
        }
        changed
    }

    /// Bodies of blocks, or objects of nested attributes, with their keys.
    fn bodies(&mut self, nesting: Nesting, fields: &Fields) -> Vec<(String, Arguments)> {
        let count = if nesting == Nesting::Single { 1 } else { self.below(5) };
        let keys = ["k1", "k2", "with space", "ü", "k3"];
        (0..count).map(|at| (keys[at].to_owned(), self.arguments(fields))).collect()
    }

    fn changed_bodies(
        &mut self,
        nesting: Nesting,
        fields: &Fields,
        old: &[(String, Arguments)],
    ) -> Vec<(String, Arguments)> {
        let mut bodies = old.to_vec();
        if nesting == Nesting::Single {
            let changed = self.changed_arguments(fields, &bodies[0].1);
            bodies[0].1 = changed;
            return bodies;
        }
        let mut count = 0;
        let mut new = |numbers: &mut Numbers| {
            count += 1;
            (format!("new{count}"), numbers.arguments(fields))
        };
        self.change_items(&mut bodies, &mut new, &mut |numbers, (_, body)| {
            *body = numbers.changed_arguments(fields, body);
        });
        let mut seen = Vec::new();
        bodies.retain(|(key, _)| {
            let is_new = nesting != Nesting::Keyed || !seen.contains(key);
            seen.push(key.clone());
            is_new
        });
        bodies
    }
}

/// The arguments as lines of HCL.
fn arguments_text(arguments: &Arguments, indent: &str) -> String {
    arguments.iter().fold(String::new(), |mut text, (name, value)| {
        writeln!(text, "{indent}{name} = {}", value.hcl()).unwrap();
        text
    })
}

/// The blocks of one type.
fn blocks_text(name: &str, nesting: Nesting, bodies: &[(String, Arguments)]) -> String {
    let label =
        |key: &str| if nesting == Nesting::Keyed { format!(" {}", quoted(key)) } else { String::new() };
    bodies.iter().fold(String::new(), |mut text, (key, body)| {
        writeln!(text, "  {name}{} {{\n{}  }}", label(key), arguments_text(body, "    ")).unwrap();
        text
    })
}

/// The nested attribute.
fn nested(nesting: Nesting, bodies: &[(String, Arguments)]) -> Node {
    let mut objects = bodies.iter().map(|(_, body)| Node::Object(body.clone()));
    match nesting {
        Nesting::Single => objects.next().unwrap_or(Node::Null),
        Nesting::Many => Node::Tuple(objects.collect()),
        Nesting::Keyed => Node::Object(bodies.iter().map(|(key, _)| key.clone()).zip(objects).collect()),
    }
}

/// The bodies of two resources of one type: before and after.
type Bodies = (&'static str, String, String);

impl Numbers {
    fn attributes_body(&mut self, outside: &mut Map<String, Json>) -> Bodies {
        let old = self.arguments(&ATTRIBUTES);
        let new = self.changed_arguments(&ATTRIBUTES, &old);
        // What was changed outside: attributes that both configurations set, or none does.
        for (name, shape) in ATTRIBUTES {
            if self.one_in(5) && !matches!(shape, Shape::Any | Shape::Pair) {
                let value =
                    old.iter().find(|(other, _)| other == name).map_or(&Node::Null, |(_, value)| value);
                let mut text = String::new();
                match self.reshaped(shape, value, false) {
                    Node::Json(inner, style) => {
                        inner.json(style, 0, &mut text);
                        text = Json::from(text).to_string();
                    }
                    value => value.json(0, 0, &mut text),
                }
                outside.insert(name.to_owned(), serde_json::from_str(&text).unwrap());
            }
        }
        ("shapes_attributes", arguments_text(&old, "  "), arguments_text(&new, "  "))
    }

    fn blocks_body(&mut self) -> Bodies {
        let (mut before, mut after) = (String::new(), String::new());
        for (name, nesting, fields) in BLOCKS {
            if self.one_in(2) {
                continue;
            }
            let old = self.bodies(nesting, fields);
            let new = if self.one_in(3) { old.clone() } else { self.changed_bodies(nesting, fields, &old) };
            before.push_str(&blocks_text(name, nesting, &old));
            if self.one_in(10) && matches!(name, "item" | "member") {
                let some = "terraform_data.unknown.output == \"u1\" ? [\"x\", \"y\"] : []";
                writeln!(after, "  dynamic \"{name}\" {{\n    for_each = {some}\n    content {{\n      a = {name}.value\n    }}\n  }}").unwrap();
            } else {
                after.push_str(&blocks_text(name, nesting, &new));
            }
        }
        ("shapes_blocks", before, after)
    }

    fn nested_body(&mut self) -> Bodies {
        let (mut before, mut after) = (Arguments::new(), Arguments::new());
        for (name, nesting, fields) in NESTED {
            if self.one_in(2) {
                continue;
            }
            let old = self.bodies(nesting, fields);
            let new = if self.one_in(3) { old.clone() } else { self.changed_bodies(nesting, fields, &old) };
            let absent = self.below(8);
            if absent != 0 {
                before.push((name.to_owned(), nested(nesting, &old)));
            }
            if absent != 1 {
                after.push((name.to_owned(), nested(nesting, &new)));
            }
        }
        ("shapes_nested", arguments_text(&before, "  "), arguments_text(&after, "  "))
    }

    fn shape(&mut self, pair: &mut Pair, at: usize) {
        let name = format!("r{at:02}");
        let mut drift = Map::new();
        let (kind, before, after) = match self.below(6) {
            0..=2 => self.attributes_body(&mut drift),
            3 | 4 => self.blocks_body(),
            _ => self.nested_body(),
        };
        let resource =
            |body: &str| format!("resource \"{kind}\" \"{name}\" {{\n  name = \"{name}\"\n{body}}}\n");
        let role = self.below(14);
        if role != 0 && role != 2 {
            pair.before.push_str(&resource(&before));
        }
        if role != 1 {
            let ordered = "  lifecycle {\n    create_before_destroy = true\n  }\n";
            pair.after.push_str(&resource(&format!("{after}{}", if role == 3 { ordered } else { "" })));
        }
        if role == 2 {
            // The object exists with what was changed outside, or with nothing.
            writeln!(pair.after, "import {{\n  to = {kind}.{name}\n  id = \"id-{name}\"\n}}").unwrap();
            drift.insert("name".to_owned(), Json::from(name.as_str()));
        }
        if !drift.is_empty() && role >= 2 && (role == 2 || self.one_in(3)) {
            let gone = role > 2 && self.one_in(9);
            let drifted = drift.keys().next().cloned().unwrap_or_default();
            let changed = if gone { Json::Null } else { Json::Object(drift) };
            pair.outside.insert(format!("id-{name}"), changed);
            if role > 2 && self.one_in(2) {
                let attribute = if self.one_in(3) { String::new() } else { format!(".{drifted}") };
                let secret = matches!(&*drifted, "secret" | "secrets" | "seal") || attribute.is_empty();
                let value = format!("{kind}.{name}{attribute}");
                let value = if secret { format!("nonsensitive({value})") } else { value };
                let dependent =
                    format!("resource \"terraform_data\" \"d{at:02}\" {{\n  input = [{value}]\n}}\n");
                pair.before.push_str(&dependent);
                pair.after.push_str(&dependent);
            }
        }
    }
}

/// The number of resources in each plan.
const RESOURCES: usize = 16;

const PROVIDER: &str =
    "terraform {\n  required_providers {\n    shapes = {\n      source = \"test/shapes\"\n    }\n  }\n}\n";

/// A pair of configurations of the provider.
pub(crate) fn pair(seed: u64) -> Pair {
    let mut numbers = Numbers::new(seed.wrapping_add(1_000_000));
    let mut pair = Pair::default();
    for (text, value) in [(&mut pair.before, 0), (&mut pair.after, 1)] {
        writeln!(text, "{PROVIDER}resource \"terraform_data\" \"unknown\" {{\n  input = \"u{value}\"\n}}")
            .unwrap();
    }
    for at in 0..RESOURCES {
        numbers.shape(&mut pair, at);
    }
    match seed % 8 {
        5 => pair.arguments.push("-refresh-only".to_owned()),
        6 => pair.arguments.push("-destroy".to_owned()),
        _ => {}
    }
    pair
}
