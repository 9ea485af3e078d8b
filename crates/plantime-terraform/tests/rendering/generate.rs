//! Pairs of configurations: what is applied first, and what is planned then. Values of every shape are changed in every way.

use std::fmt::Write as _;

/// A small generator of numbers: the configurations must be the same everywhere.
pub(crate) struct Numbers(u64);

impl Numbers {
    pub(crate) fn new(seed: u64) -> Numbers {
        Numbers(seed.wrapping_add(1).wrapping_mul(0x9E37_79B9_7F4A_7C15) | 1)
    }

    pub(crate) fn below(&mut self, most: usize) -> usize {
        self.0 ^= self.0 << 13;
        self.0 ^= self.0 >> 7;
        self.0 ^= self.0 << 17;
        ((self.0 >> 11) % most.max(1) as u64) as usize
    }

    pub(crate) fn one_in(&mut self, count: usize) -> bool {
        self.below(count) == 0
    }

    fn pick<T: Clone>(&mut self, from: &[T]) -> T {
        from[self.below(from.len())].clone()
    }
}

/// What the elements of a typed list, set or map are.
#[derive(Clone, Copy, PartialEq)]
pub(crate) enum Element {
    Text,
    Number,
    Object,
    List,
}

/// A value as a configuration writes it.
#[derive(Clone, PartialEq)]
pub(crate) enum Node {
    Null,
    Bool(bool),
    Number(String),
    Text(String),
    Lines(Vec<String>),
    Tuple(Vec<Node>),
    List(Element, Vec<Node>),
    Set(Element, Vec<Node>),
    Map(Element, Vec<(String, Node)>),
    Object(Vec<(String, Node)>),
    /// JSON text: 0 as `jsonencode` writes it, 1 to 3 with other blanks.
    Json(Box<Node>, usize),
    Sensitive(Box<Node>),
    /// A value that is known before the apply; 1: a text that begins with something known; 2: a list.
    Unknown(usize),
}

const WORDS: [&str; 14] =
    ["", "a", "b", "c", "d", "e", "f", "ü", " x ", "quo\"te", "back\\slash", "$${x}", "%%{y}", "1"];
const LINES: [&str; 12] =
    ["", "alpha", "beta", "gamma", "delta", "  indented", "{", "}", "EOT", "a", "b", "trailing "];
const DIGITS: [&str; 9] = ["0", "1", "2", "-3", "1.5", "1e30", "123456789012345678", "0.1", "7"];
const NAMES: [&str; 12] =
    ["a", "b", "c", "d", "id", "name", "tags", "long_name", "with space", "1x", "x-y", "é"];

/// A text as a quoted template of HCL.
pub(crate) fn quoted(text: &str) -> String {
    let escaped = text.replace('\\', "\\\\").replace('"', "\\\"").replace('\n', "\\n").replace('\t', "\\t");
    format!("\"{escaped}\"")
}

impl Node {
    /// The value as JSON text.
    pub(crate) fn json(&self, style: usize, indent: usize, out: &mut String) {
        let (comma, colon) = [(",", ":"), (", ", ": "), (",", ": "), (" , ", " :")][style];
        let line = |out: &mut String, indent: usize| {
            if style == 2 {
                out.push('\n');
                (0..indent).for_each(|_| out.push_str("  "));
            }
        };
        let mut parts = |parts: Vec<(Option<&String>, &Node)>, [open, close]: [char; 2]| {
            out.push(open);
            for (at, (name, part)) in parts.iter().enumerate() {
                out.push_str(if at > 0 { comma } else { "" });
                line(out, indent + 1);
                if let Some(name) = name {
                    write!(out, "{}{colon}", quoted(name)).unwrap();
                }
                part.json(style, indent + 1, out);
            }
            if !parts.is_empty() {
                line(out, indent);
            }
            out.push(close);
        };
        match self {
            Node::Null | Node::Unknown(_) => out.push_str("null"),
            Node::Bool(truth) => write!(out, "{truth}").unwrap(),
            Node::Number(digits) => out.push_str(digits),
            Node::Text(text) => out.push_str(&quoted(&text.replace("$${", "${").replace("%%{", "%{"))),
            Node::Lines(lines) => out.push_str(&quoted(&lines.join("\n"))),
            Node::Tuple(items) | Node::List(_, items) | Node::Set(_, items) => {
                parts(items.iter().map(|item| (None, item)).collect(), ['[', ']']);
            }
            Node::Map(_, entries) | Node::Object(entries) => {
                parts(entries.iter().map(|(name, value)| (Some(name), value)).collect(), ['{', '}']);
            }
            Node::Json(inner, _) | Node::Sensitive(inner) => inner.json(style, indent, out),
        }
    }

    /// Whether two values are of one kind, with elements of one kind.
    fn is_of_shape(&self, other: &Node) -> bool {
        match (self, other) {
            (Node::List(a, _), Node::List(b, _)) | (Node::Set(a, _), Node::Set(b, _)) => a == b,
            (Node::Map(a, _), Node::Map(b, _)) => a == b,
            _ => std::mem::discriminant(self) == std::mem::discriminant(other),
        }
    }

    /// The value as an expression.
    pub(crate) fn hcl(&self) -> String {
        let list =
            |items: &[Node]| format!("[{}]", items.iter().map(Node::hcl).collect::<Vec<_>>().join(", "));
        let object = |entries: &[(String, Node)]| {
            let entries = entries.iter().map(|(name, value)| format!("{} = {}", quoted(name), value.hcl()));
            format!("{{{}}}", entries.collect::<Vec<_>>().join(", "))
        };
        match self {
            Node::Null => "null".to_owned(),
            Node::Bool(truth) => truth.to_string(),
            Node::Number(digits) => digits.clone(),
            Node::Text(text) => quoted(text),
            Node::Lines(lines) => quoted(&lines.join("\n")),
            Node::Tuple(items) => list(items),
            Node::List(_, items) => format!("tolist({})", list(items)),
            Node::Set(_, items) => format!("toset({})", list(items)),
            Node::Map(_, entries) => format!("tomap({})", object(entries)),
            Node::Object(entries) => object(entries),
            Node::Json(inner, 0) => format!("jsonencode({})", inner.hcl()),
            Node::Json(inner, style) => {
                let mut text = String::new();
                inner.json(*style, 0, &mut text);
                quoted(&text.replace("${", "$${").replace("%{", "%%{"))
            }
            Node::Sensitive(inner) => format!("sensitive({})", inner.hcl()),
            Node::Unknown(0) => "terraform_data.unknown.output".to_owned(),
            Node::Unknown(1) => "\"known-${terraform_data.unknown.output}\"".to_owned(),
            Node::Unknown(_) => "[\"a\", terraform_data.unknown.output, \"b\"]".to_owned(),
        }
    }
}

/// What values may contain.
#[derive(Clone, Copy)]
struct Allowed {
    depth: usize,
    marks: bool,
    unknown: bool,
}

impl Numbers {
    pub(crate) fn text(&mut self) -> Node {
        Node::Text(self.pick(&WORDS).to_owned())
    }

    pub(crate) fn number(&mut self) -> Node {
        Node::Number(self.pick(&DIGITS).to_owned())
    }

    pub(crate) fn lines(&mut self) -> Node {
        let count = 2 + self.below(7);
        Node::Lines((0..count).map(|_| self.pick(&LINES).to_owned()).collect())
    }

    pub(crate) fn element(&mut self, kind: Element) -> Node {
        match kind {
            Element::Text => self.text(),
            Element::Number => self.number(),
            Element::Object => {
                let fields = [("a".to_owned(), self.text()), ("n".to_owned(), self.number())];
                Node::Object(fields.to_vec())
            }
            Element::List => Node::List(Element::Text, vec![self.text(), self.text()]),
        }
    }

    fn element_kind(&mut self) -> Element {
        self.pick(&[
            Element::Text,
            Element::Text,
            Element::Text,
            Element::Number,
            Element::Object,
            Element::List,
        ])
    }

    pub(crate) fn names(&mut self, most: usize) -> Vec<String> {
        let mut names: Vec<String> =
            (0..self.below(most + 1)).map(|_| self.pick(&NAMES).to_owned()).collect();
        names.sort();
        names.dedup();
        names
    }

    /// A value of any shape.
    fn node(&mut self, allowed: Allowed) -> Node {
        let below = Allowed { depth: allowed.depth.saturating_sub(1), ..allowed };
        if allowed.marks && self.one_in(14) {
            return Node::Sensitive(Box::new(self.node(Allowed { marks: false, unknown: false, ..below })));
        }
        if allowed.unknown && self.one_in(16) {
            return Node::Unknown(self.below(3));
        }
        let most = if allowed.depth == 0 { 6 } else { 16 };
        match self.below(most) {
            0 => self.pick(&[Node::Null, Node::Bool(true), Node::Bool(false)]),
            1 => self.number(),
            2 => self.lines(),
            3..=5 => self.text(),
            6..=8 => Node::Tuple((0..self.below(7)).map(|_| self.node(below)).collect()),
            9 => {
                let kind = self.element_kind();
                Node::List(kind, (0..1 + self.below(6)).map(|_| self.element(kind)).collect())
            }
            10 => {
                let kind = self.element_kind();
                Node::Set(kind, (0..1 + self.below(6)).map(|_| self.element(kind)).collect())
            }
            11 => {
                let kind = self.element_kind();
                let names = self.names(5);
                Node::Map(kind, names.into_iter().map(|name| (name, self.element(kind))).collect())
            }
            12 | 13 => {
                let names = self.names(5);
                Node::Object(names.into_iter().map(|name| (name, self.node(below))).collect())
            }
            _ => {
                let inner = self.plain(allowed.depth);
                let style = if self.one_in(3) { 1 + self.below(3) } else { 0 };
                Node::Json(Box::new(inner), style)
            }
        }
    }

    /// A value of any shape without marks and unknown parts.
    pub(crate) fn plain(&mut self, depth: usize) -> Node {
        loop {
            let node = self.node(Allowed { depth, marks: false, unknown: false });
            if !matches!(node, Node::Json(..)) {
                return node;
            }
        }
    }

    /// A value that a value may become, without marks and unknown parts.
    pub(crate) fn plainly_changed(&mut self, node: &Node, depth: usize) -> Node {
        match node {
            Node::Text(_) => self.text(),
            Node::Number(_) => self.number(),
            Node::Bool(truth) => Node::Bool(!truth),
            _ => loop {
                let changed = self.changed(node, Allowed { depth, marks: false, unknown: false });
                if changed.is_of_shape(node) {
                    break changed;
                }
            },
        }
    }

    /// Changes the order, the number or the content of items, once or more often.
    pub(crate) fn change_items<T: Clone>(
        &mut self,
        items: &mut Vec<T>,
        new: &mut dyn FnMut(&mut Numbers) -> T,
        change: &mut dyn FnMut(&mut Numbers, &mut T),
    ) {
        for _ in 0..1 + self.below(3) * self.below(2) {
            let (length, at) = (items.len(), self.below(items.len()));
            match self.below(12) {
                0 | 1 => items.insert(self.below(length + 1), new(self)),
                _ if length == 0 => items.push(new(self)),
                2 | 3 => drop(items.remove(at)),
                4 => items[at] = new(self),
                5 | 6 => change(self, &mut items[at]),
                7 => items.swap(at, self.below(length)),
                8 => items.rotate_left(at),
                9 => items.reverse(),
                10 => (1..length).for_each(|at| items.swap(at, self.below(at + 1))),
                _ => items.insert(self.below(length + 1), items[at].clone()),
            }
        }
    }

    fn change_entries(
        &mut self,
        entries: &mut Vec<(String, Node)>,
        value: &mut dyn FnMut(&mut Numbers, Option<&Node>) -> Node,
    ) {
        for _ in 0..1 + self.below(2) {
            let at = self.below(entries.len());
            match self.below(5) {
                0 => {
                    let name = self.pick(&NAMES).to_owned();
                    if entries.iter().all(|(other, _)| *other != name) {
                        entries.push((name, value(self, None)));
                    }
                }
                _ if entries.is_empty() => {}
                1 => drop(entries.remove(at)),
                _ => entries[at].1 = value(self, Some(&entries[at].1)),
            }
        }
    }

    /// A value that a value may become.
    fn changed(&mut self, node: &Node, allowed: Allowed) -> Node {
        let below = Allowed { depth: allowed.depth.saturating_sub(1), ..allowed };
        if self.one_in(14) {
            return self.node(allowed);
        }
        if allowed.unknown && self.one_in(16) {
            return Node::Unknown(self.below(3));
        }
        if allowed.marks && self.one_in(20) {
            return Node::Sensitive(Box::new(node.clone()));
        }
        match node {
            Node::Null | Node::Unknown(_) => self.node(allowed),
            Node::Bool(truth) => Node::Bool(!truth),
            Node::Number(_) => self.number(),
            Node::Text(_) => self.text(),
            Node::Lines(lines) => {
                let mut lines = lines.clone();
                let mut line = |numbers: &mut Numbers| numbers.pick(&LINES).to_owned();
                self.change_items(&mut lines, &mut line, &mut |numbers, line| {
                    *line = format!("{line}{}", numbers.below(3));
                });
                Node::Lines(lines)
            }
            Node::Tuple(items) => {
                let mut items = items.clone();
                let mut new = |numbers: &mut Numbers| numbers.node(below);
                self.change_items(&mut items, &mut new, &mut |numbers, item| {
                    *item = numbers.changed(item, below)
                });
                Node::Tuple(items)
            }
            Node::List(kind, items) | Node::Set(kind, items) => {
                let mut items = items.clone();
                let mut new = |numbers: &mut Numbers| numbers.element(*kind);
                self.change_items(&mut items, &mut new, &mut |numbers, item| *item = numbers.element(*kind));
                if allowed.unknown && *kind == Element::Text && self.one_in(12) {
                    items.push(Node::Unknown(0));
                }
                match node {
                    Node::List(..) => Node::List(*kind, items),
                    _ => Node::Set(*kind, items),
                }
            }
            Node::Map(kind, entries) => {
                let mut entries = entries.clone();
                self.change_entries(&mut entries, &mut |numbers, _| numbers.element(*kind));
                Node::Map(*kind, entries)
            }
            Node::Object(entries) => {
                let mut entries = entries.clone();
                self.change_entries(&mut entries, &mut |numbers, old| match old {
                    Some(old) => numbers.changed(old, below),
                    None => numbers.node(below),
                });
                Node::Object(entries)
            }
            Node::Json(inner, style) => match self.below(4) {
                0 => Node::Json(inner.clone(), (style + 1 + self.below(3)) % 4),
                _ => {
                    let plain = Allowed { depth: below.depth, marks: false, unknown: false };
                    Node::Json(Box::new(self.changed(inner, plain)), *style)
                }
            },
            Node::Sensitive(inner) => match self.below(3) {
                0 => (**inner).clone(),
                _ => Node::Sensitive(Box::new(
                    self.changed(inner, Allowed { marks: false, unknown: false, ..below }),
                )),
            },
        }
    }
}

/// Two configurations, the arguments of the plan, and what was changed outside of Terraform before it.
#[derive(Default)]
pub(crate) struct Pair {
    pub(crate) before: String,
    pub(crate) after: String,
    pub(crate) arguments: Vec<String>,
    pub(crate) outside: serde_json::Map<String, serde_json::Value>,
}

const FIRST: Allowed = Allowed { depth: 3, marks: true, unknown: false };
const SECOND: Allowed = Allowed { depth: 3, marks: true, unknown: true };

/// The number of resources in each plan.
const RESOURCES: usize = 20;

/// A pair of configurations of `terraform_data`.
pub(crate) fn pair(seed: u64) -> Pair {
    let mut numbers = Numbers::new(seed);
    let mut pair = Pair::default();
    let unknown =
        |value: usize| format!("resource \"terraform_data\" \"unknown\" {{\n  input = \"u{value}\"\n}}\n");
    pair.before.push_str(&unknown(0));
    pair.after.push_str(&unknown(1));
    for at in 0..RESOURCES {
        numbers.resource(&mut pair, at);
    }
    for at in 0..4 {
        numbers.output(&mut pair, at);
    }
    match seed % 10 {
        7 => pair.arguments.push("-destroy".to_owned()),
        8 => pair.arguments.push("-replace=terraform_data.unknown".to_owned()),
        _ => {}
    }
    pair
}

impl Numbers {
    /// A resource in one configuration or both.
    fn resource(&mut self, pair: &mut Pair, at: usize) {
        let block = |name: &str, arguments: &[(&str, String)]| {
            let arguments: String =
                arguments.iter().map(|(name, value)| format!("  {name} = {value}\n")).collect();
            format!("resource \"terraform_data\" \"{name}\" {{\n{arguments}}}\n")
        };
        let name = format!("r{at:02}");
        let old = self.node(FIRST);
        let new = self.changed(&old, SECOND);
        let (input, changed) = (("input", old.hcl()), ("input", new.hcl()));
        match self.below(26) {
            0 => pair.before.push_str(&block(&name, &[input])),
            1 | 2 => pair.after.push_str(&block(&name, &[changed])),
            3..=5 => {
                let cause = self.node(FIRST);
                let caused = self.changed(&cause, SECOND);
                let other = if self.one_in(2) { old.hcl() } else { new.hcl() };
                pair.before.push_str(&block(&name, &[input, ("triggers_replace", cause.hcl())]));
                let mut text = block(&name, &[("input", other), ("triggers_replace", caused.hcl())]);
                if self.one_in(3) {
                    text.truncate(text.len() - 2);
                    text.push_str("  lifecycle {\n    create_before_destroy = true\n  }\n}\n");
                }
                pair.after.push_str(&text);
            }
            6 => {
                pair.before.push_str(&block(&format!("{name}_old"), std::slice::from_ref(&input)));
                let is_still = self.one_in(2);
                pair.after.push_str(&block(&name, &[if is_still { input } else { changed }]));
                let moved = format!(
                    "moved {{\n  from = terraform_data.{name}_old\n  to = terraform_data.{name}\n}}\n"
                );
                pair.after.push_str(&moved);
            }
            7 => {
                let id = self.pick(&["given", "with \"quotes\"", "ü"]);
                let arguments = if self.one_in(3) { vec![] } else { vec![changed] };
                pair.after.push_str(&block(&name, &arguments));
                writeln!(pair.after, "import {{\n  to = terraform_data.{name}\n  id = {}\n}}", quoted(id))
                    .unwrap();
            }
            8 => {
                pair.before.push_str(&block(&name, &[input]));
                let removed = format!(
                    "removed {{\n  from = terraform_data.{name}\n  lifecycle {{\n    destroy = false\n  }}\n}}\n"
                );
                pair.after.push_str(&removed);
            }
            9 => {
                let keyed = |keys: &str, input: (&'static str, String)| {
                    block(&name, &[("for_each", format!("toset([{keys}])")), input])
                };
                pair.before.push_str(&keyed("\"a\", \"b\"", input));
                pair.after.push_str(&keyed("\"b\", \"c d\"", changed));
            }
            10 => {
                let counted = |count: usize, input: (&'static str, String)| {
                    block(&name, &[("count", count.to_string()), input])
                };
                pair.before.push_str(&counted(self.below(4), input));
                pair.after.push_str(&counted(self.below(4), changed));
            }
            11 => {
                pair.before.push_str(&block(&name, std::slice::from_ref(&input)));
                pair.after.push_str(&block(&name, &[input]));
            }
            _ => {
                pair.before.push_str(&block(&name, &[input]));
                pair.after.push_str(&block(&name, &[changed]));
            }
        }
    }

    /// An output in one configuration or both.
    fn output(&mut self, pair: &mut Pair, at: usize) {
        let old = self.node(FIRST);
        let new = self.changed(&old, SECOND);
        let is_sensitive = |node: &Node| node.hcl().contains("sensitive(");
        let output = |node: &Node, text: &mut String, is_marked: bool| {
            let mark = if is_marked { "  sensitive = true\n" } else { "" };
            writeln!(text, "output \"o{at}\" {{\n  value = {}\n{mark}}}", node.hcl()).unwrap();
        };
        let marked = self.one_in(12);
        if !self.one_in(8) {
            output(&old, &mut pair.before, is_sensitive(&old) || marked);
        }
        if !self.one_in(8) {
            output(&new, &mut pair.after, is_sensitive(&new) || marked);
        }
    }
}
