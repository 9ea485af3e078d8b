//! Folders of generated configurations: variables, locals, resources, modules, outputs, files of overrides and of values, in both forms.
//! Most of them are valid.

use std::collections::BTreeMap;

use serde_json::{Value as Json, json};

use super::written::{Item, Value, argument, block, json, native, native_constant};
use crate::record::Numbers;

#[derive(Clone, Copy, PartialEq)]
enum Type {
    Text,
    Number,
    Bool,
    Texts,
    Numbers,
    Map,
    Set,
    Object,
}

const TYPES: [Type; 8] =
    [Type::Text, Type::Number, Type::Bool, Type::Texts, Type::Numbers, Type::Map, Type::Set, Type::Object];

impl Type {
    fn written(self) -> &'static str {
        match self {
            Type::Text => "string",
            Type::Number => "number",
            Type::Bool => "bool",
            Type::Texts => "list(string)",
            Type::Numbers => "list(number)",
            Type::Map => "map(string)",
            Type::Set => "set(string)",
            Type::Object => {
                "object({ name = string, size = optional(number, 3), tags = optional(map(string)) })"
            }
        }
    }
}

/// What an expression may refer to.
type Names = Vec<(String, Type)>;

struct Variable {
    name: String,
    ty: Type,
    has_default: bool,
}

/// Writes one folder.
struct Writer {
    numbers: Numbers,
    count: usize,
    files: BTreeMap<String, String>,
}

/// The files of a folder by their names.
pub(super) fn folder(seed: u64) -> BTreeMap<String, String> {
    let mut writer = Writer { numbers: Numbers::new(seed + 77), count: 0, files: BTreeMap::new() };
    let variables = writer.module("", 0);
    writer.values(&variables);
    if writer.numbers.one_in(6) {
        writer.mistake();
    }
    writer.files
}

impl Writer {
    fn name(&mut self) -> String {
        self.count += 1;
        let stem = self.numbers.pick(&["a", "main", "größe", "x-y", "in_", "for_", "_", "null_"]);
        format!("{stem}{}", self.count)
    }

    fn text(&mut self) -> String {
        self.numbers
            .pick(&[
                "", "a", "b c", "x-1", "é", "12", "true", "a,b", "l1\nl2", "\"q\"", "${x}", "%{if}", "\\",
                "${", "🙂",
            ])
            .to_owned()
    }

    fn number(&mut self) -> Json {
        [
            json!(0),
            json!(1),
            json!(2),
            json!(7),
            json!(-3),
            json!(1.5),
            json!(100_000_000_000_i64),
            json!(0.1),
        ][self.numbers.below(8)]
        .clone()
    }

    fn constant(&mut self, ty: Type) -> Json {
        let count = self.numbers.below(4);
        match ty {
            Type::Text => json!(self.text()),
            Type::Number => self.number(),
            Type::Bool => json!(self.numbers.one_in(2)),
            Type::Texts | Type::Set => (0..count).map(|_| json!(self.text())).collect(),
            Type::Numbers => (0..count).map(|_| self.number()).collect(),
            Type::Map => Json::Object((0..count).map(|i| (format!("k{i}"), json!(self.text()))).collect()),
            Type::Object => {
                let mut object = json!({"name": self.text()});
                if self.numbers.one_in(2) {
                    object["size"] = self.number();
                }
                if self.numbers.one_in(3) {
                    object["tags"] = self.constant(Type::Map);
                }
                if self.numbers.one_in(6) {
                    object["other"] = json!(1);
                }
                object
            }
        }
    }

    fn reference(&mut self, names: &Names, ty: Type) -> Option<String> {
        let of_type: Vec<&String> = names.iter().filter(|(_, of)| *of == ty).map(|(name, _)| name).collect();
        (!of_type.is_empty()).then(|| of_type[self.numbers.below(of_type.len())].clone())
    }

    /// An expression of a type.
    fn expression(&mut self, names: &Names, ty: Type, depth: usize) -> String {
        if (self.numbers.below(3) == 0 || depth > 3)
            && let Some(name) = self.reference(names, ty)
        {
            return name;
        }
        if depth > 3 {
            return native_constant(&self.constant(ty));
        }
        let next = depth + 1;
        if depth < 3 && self.numbers.one_in(10) {
            let condition = self.expression(names, Type::Bool, next);
            let (a, b) = (self.expression(names, ty, next), self.expression(names, ty, next));
            return match ty {
                Type::Text | Type::Number | Type::Bool => format!("({condition} ? {a} : {b})"),
                Type::Texts => format!("({condition} ? tolist({a}) : tolist({b}))"),
                Type::Numbers => format!(
                    "({condition} ? tolist([for x in {a} : tonumber(x)]) : tolist([for x in {b} : tonumber(x)]))"
                ),
                Type::Map => format!("({condition} ? tomap({a}) : tomap({b}))"),
                Type::Set => format!("({condition} ? toset({a}) : toset({b}))"),
                Type::Object => format!(
                    "({condition} ? {{ name = ({a}).name, size = 1 }} : {{ name = ({b}).name, size = 2 }})"
                ),
            };
        }
        let of = |writer: &mut Writer, ty| writer.expression(names, ty, next);
        match (ty, self.numbers.below(10)) {
            (Type::Text, 0) => format!("\"a-${{{}}}-${{{}}}\"", of(self, Type::Text), of(self, Type::Number)),
            (Type::Text, 1) => format!("upper({})", of(self, Type::Text)),
            (Type::Text, 2) => format!("join(\"-\", {})", of(self, Type::Texts)),
            (Type::Text, 3) => {
                format!("format(\"%s=%v\", {}, {})", of(self, Type::Text), of(self, Type::Number))
            }
            (Type::Text, 4) => format!("lookup({}, \"k0\", {})", of(self, Type::Map), of(self, Type::Text)),
            (Type::Text, 5) => format!("try({}[0], {})", of(self, Type::Texts), of(self, Type::Text)),
            (Type::Text, 6) => {
                let (texts, text) = (of(self, Type::Texts), of(self, Type::Text));
                format!("\"%{{ for x in {texts} ~}}\n${{x}}:${{{text}}},%{{ endfor }}\"").replace('\n', " ")
            }
            (Type::Text, 7) => {
                let (truth, text) = (of(self, Type::Bool), of(self, Type::Text));
                format!("\"%{{ if {truth} }}yes%{{ else }}${{{text}}}%{{ endif }}\"")
            }
            (Type::Text, 8) => format!("({}).name", of(self, Type::Object)),
            (Type::Text, _) if depth == 0 && self.numbers.one_in(2) => {
                format!("<<-EOT\n    first\n      ${{{}}}\n    EOT", of(self, Type::Number))
            }
            (Type::Text, _) => {
                format!("jsonencode({{ b = {}, a = {} }})", of(self, Type::Number), of(self, Type::Texts))
            }
            (Type::Number, 0) => format!("length({})", of(self, Type::Texts)),
            (Type::Number, 1) => format!("max({}, {})", of(self, Type::Number), of(self, Type::Number)),
            (Type::Number, 2) => format!("{} + {} * 2", of(self, Type::Number), of(self, Type::Number)),
            (Type::Number, 3) => format!("({} - 1) % 7", of(self, Type::Number)),
            (Type::Number, 4) => format!("sum(concat([1], {}))", of(self, Type::Numbers)),
            (Type::Number, 5) => format!("tonumber(\"{}\")", self.numbers.below(50)),
            (Type::Number, 6) => format!("try(({}).size, 4)", of(self, Type::Object)),
            (Type::Number, 7) => format!("-length({})", of(self, Type::Text)),
            (Type::Bool, 0) => format!("{} > {}", of(self, Type::Number), of(self, Type::Number)),
            (Type::Bool, 1) => format!("{} == {}", of(self, Type::Text), of(self, Type::Text)),
            (Type::Bool, 2) => format!("contains({}, {})", of(self, Type::Texts), of(self, Type::Text)),
            (Type::Bool, 3) => format!("!({})", of(self, Type::Bool)),
            (Type::Bool, 4) => format!("({}) && ({})", of(self, Type::Bool), of(self, Type::Bool)),
            (Type::Bool, 5) => format!("can({}[\"k1\"])", of(self, Type::Map)),
            (Type::Bool, 6) => format!("{} != null", of(self, Type::Map)),
            (Type::Bool, 7) => format!("alltrue([for x in {} : x != \"\"])", of(self, Type::Texts)),
            (Type::Texts, 0) => format!("[{}, {}]", of(self, Type::Text), of(self, Type::Text)),
            (Type::Texts, 1) => format!("concat({}, [{}])", of(self, Type::Texts), of(self, Type::Text)),
            (Type::Texts, 2) => format!("[for x in {} : upper(x)]", of(self, Type::Texts)),
            (Type::Texts, 3) => {
                format!("[for k, v in {} : \"${{k}}=${{v}}\" if v != \"\"]", of(self, Type::Map))
            }
            (Type::Texts, 4) => format!("sort({})", of(self, Type::Set)),
            (Type::Texts, 5) => format!("split(\",\", {})", of(self, Type::Text)),
            (Type::Texts, 6) => format!("keys({})", of(self, Type::Map)),
            (Type::Texts, 7) => format!("flatten([{}, [{}]])", of(self, Type::Texts), of(self, Type::Text)),
            (Type::Texts, 8) => format!("[{}][*].name", of(self, Type::Object)),
            (Type::Numbers, 0) => format!("[{}, {}]", of(self, Type::Number), of(self, Type::Number)),
            (Type::Numbers, 1) => format!("[for x in {} : x * 2]", of(self, Type::Numbers)),
            (Type::Numbers, 2) => format!("range({})", self.numbers.below(4)),
            (Type::Numbers, 3) => format!("[for i, x in {} : i if x != \"a\"]", of(self, Type::Texts)),
            (Type::Map, 0) => {
                format!("{{ k0 = {}, \"k 1\" = {} }}", of(self, Type::Text), of(self, Type::Text))
            }
            (Type::Map, 1) => format!("merge({}, {{ k1 = {} }})", of(self, Type::Map), of(self, Type::Text)),
            (Type::Map, 2) => format!("{{ for i, x in {} : \"k${{i}}\" => x }}", of(self, Type::Texts)),
            (Type::Map, 3) => format!("{{ for k, v in {} : upper(k) => v... }}", of(self, Type::Map))
                .replace("=> v...", if self.numbers.one_in(2) { "=> v" } else { "=> lower(v)" }),
            (Type::Map, 4) => format!("zipmap([\"k0\", \"z\"], [{}, \"1\"])", of(self, Type::Text)),
            (Type::Map, 5) => format!("{{ ({}) = 1 }}", of(self, Type::Text)).replace("= 1", "= \"1\""),
            (Type::Set, 0) => format!("toset({})", of(self, Type::Texts)),
            (Type::Set, 1) => format!("setunion({}, [\"a\"])", of(self, Type::Set)),
            (Type::Object, 0) => {
                format!("{{ name = {}, size = {} }}", of(self, Type::Text), of(self, Type::Number))
            }
            (Type::Object, 1) => {
                format!("{{ name : {}, tags : {} }}", of(self, Type::Text), of(self, Type::Map))
            }
            (Type::Set, _) => format!("toset({})", native_constant(&self.constant(Type::Texts))),
            _ => native_constant(&self.constant(ty)),
        }
    }

    /// A condition that holds. Terraform wants it to refer to something.
    fn condition(&mut self, names: &Names) -> Option<Value> {
        let (name, _) = names.get(self.numbers.below(names.len().max(1)))?.clone();
        let condition = self.expression(names, Type::Bool, 2);
        Some(Value::Expression(format!("{condition} || can({name})")))
    }

    fn value(&mut self, names: &Names, ty: Type) -> Value {
        match self.numbers.one_in(5) {
            true if ty != Type::Set => Value::Constant(self.constant(ty)),
            _ => Value::Expression(self.expression(names, ty, 0)),
        }
    }

    fn ty(&mut self) -> Type {
        TYPES[self.numbers.below(TYPES.len())]
    }

    /// Writes a module into a folder; what it has as variables.
    fn module(&mut self, folder: &str, depth: usize) -> Vec<Variable> {
        let mut items = Vec::new();
        let mut names: Names = Vec::new();
        let mut variables = Vec::new();
        if self.numbers.one_in(4) {
            let mut inside = vec![argument("required_version", Value::Literal(json!(">= 1.0")))];
            if self.numbers.one_in(2) {
                let source = json!({"source": "terraform.io/builtin/terraform"});
                inside.push(block(
                    "required_providers",
                    &[],
                    vec![argument("terraform", Value::Literal(source))],
                ));
            }
            items.push(block("terraform", &[], inside));
        }
        for _ in 0..self.numbers.below(5) {
            let (name, ty) = (self.name(), self.ty());
            let has_default = self.numbers.one_in(2);
            items.push(self.variable(&name, ty, has_default));
            names.push((format!("var.{name}"), ty));
            variables.push(Variable { name, ty, has_default });
        }
        let mut locals = Vec::new();
        for _ in 0..self.numbers.below(5) {
            let (name, ty) = (self.name(), self.ty());
            locals.push(argument(&name, self.value(&names, ty)));
            names.push((format!("local.{name}"), ty));
            if self.numbers.one_in(4) {
                items.push(block("locals", &[], std::mem::take(&mut locals)));
            }
        }
        items.push(block("locals", &[], locals));
        for _ in 0..self.numbers.below(3) {
            let resource = self.resource(&mut names);
            items.push(resource);
        }
        if depth < 2 {
            for _ in 0..self.numbers.below(3 - depth) {
                let called = self.call(folder, depth, &mut names);
                items.extend(called);
            }
        }
        let root = folder.is_empty();
        for _ in 0..self.numbers.below(4) + usize::from(root) {
            let (name, ty) = (self.name(), self.ty());
            let mut inside = vec![argument("value", self.value(&names, ty))];
            if self.numbers.one_in(5) {
                inside.push(argument("description", Value::Literal(json!(self.text()))));
            }
            if self.numbers.one_in(8)
                && let Some(condition) = self.condition(&names)
            {
                inside.push(block(
                    "precondition",
                    &[],
                    vec![
                        argument("condition", condition),
                        argument("error_message", Value::Constant(json!("It is not so."))),
                    ],
                ));
            }
            items.push(block("output", &[&name], inside));
        }
        if self.numbers.one_in(6)
            && let Some(condition) = self.condition(&names)
        {
            let assert = vec![
                argument("condition", condition),
                argument("error_message", Value::Expression("\"Not ${1 + 1}.\"".to_owned())),
            ];
            let name = self.name();
            items.push(block("check", &[&name], vec![block("assert", &[], assert)]));
        }
        self.overrides(folder, &items, &names);
        self.files_of(folder, items);
        variables
    }

    fn variable(&mut self, name: &str, ty: Type, has_default: bool) -> Item {
        let mut inside = Vec::new();
        if !self.numbers.one_in(12) || ty == Type::Set || ty == Type::Object {
            inside.push(argument("type", Value::Name(ty.written().to_owned())));
        }
        if has_default {
            inside.push(argument("default", Value::Literal(self.constant(ty))));
        }
        if self.numbers.one_in(4) {
            inside.push(argument("description", Value::Literal(json!(self.text()))));
        }
        if self.numbers.one_in(8) {
            inside.push(argument("nullable", Value::Literal(json!(false))));
        }
        if self.numbers.one_in(6) {
            let condition = format!("var.{name} == var.{name} || length([]) == 0");
            inside.push(block(
                "validation",
                &[],
                vec![
                    argument("condition", Value::Expression(condition)),
                    argument("error_message", Value::Constant(json!("It must be itself."))),
                ],
            ));
        }
        block("variable", &[name], inside)
    }

    fn resource(&mut self, names: &mut Names) -> Item {
        let name = self.name();
        let mut inside = Vec::new();
        let address = format!("terraform_data.{name}");
        let ty = self.ty();
        let mut own = names.clone();
        match self.numbers.below(5) {
            0 => {
                let count = self.numbers.below(3);
                let count = match self.numbers.one_in(3) {
                    true => {
                        Value::Expression(format!("length({})", native_constant(&self.constant(Type::Texts))))
                    }
                    false => Value::Constant(json!(count)),
                };
                inside.push(argument("count", count));
                own.push(("count.index".to_owned(), Type::Number));
                names.push((format!("{address}[*].id"), Type::Texts));
                names.push((format!("length({address})"), Type::Number));
            }
            1 => {
                let keys = json!(["a", "b"]);
                let each = match self.numbers.below(3) {
                    0 => Value::Constant(json!({"a": "x", "b": "y"})),
                    1 => Value::Expression(format!(
                        "{{ for i, x in {} : \"k${{i}}\" => x }}",
                        native_constant(&keys)
                    )),
                    _ => Value::Expression(format!("toset({})", native_constant(&keys))),
                };
                inside.push(argument("for_each", each));
                own.extend([("each.key".to_owned(), Type::Text), ("each.value".to_owned(), Type::Text)]);
                names.push((format!("values({address})[*].id"), Type::Texts));
                names.push((format!("{{ for k, v in {address} : k => v.id }}"), Type::Map));
            }
            _ => {
                names.push((format!("{address}.id"), Type::Text));
                names.push((format!("{address}.input"), ty));
            }
        }
        if !self.numbers.one_in(6) {
            inside.push(argument("input", self.value(&own, ty)));
        } else {
            names.retain(|(name, _)| *name != format!("{address}.input"));
        }
        if self.numbers.one_in(5) {
            let ty = self.ty();
            inside.push(argument("triggers_replace", self.value(&own, ty)));
        }
        if self.numbers.one_in(3) {
            let mut lifecycle = Vec::new();
            if self.numbers.one_in(2) {
                lifecycle.push(argument("create_before_destroy", Value::Literal(json!(true))));
            }
            if self.numbers.one_in(2) {
                lifecycle.push(argument("ignore_changes", Value::Names(vec!["input".to_owned()])));
            }
            if self.numbers.one_in(2)
                && let Some(condition) = self.condition(&own)
            {
                lifecycle.push(block(
                    "precondition",
                    &[],
                    vec![
                        argument("condition", condition),
                        argument("error_message", Value::Constant(json!("Not ready."))),
                    ],
                ));
            }
            if self.numbers.one_in(3) {
                lifecycle.push(block(
                    "postcondition",
                    &[],
                    vec![
                        argument("condition", Value::Expression("self.id != \"\"".to_owned())),
                        argument("error_message", Value::Expression("\"No ${self.id}.\"".to_owned())),
                    ],
                ));
            }
            inside.push(block("lifecycle", &[], lifecycle));
        }
        if self.numbers.one_in(6) {
            inside.push(block(
                "provisioner",
                &["local-exec"],
                vec![argument("command", Value::Expression("\"echo ${self.id}\"".to_owned()))],
            ));
        }
        block("resource", &["terraform_data", &name], inside)
    }

    /// A call of a module of its own, and what it can be referred to with.
    fn call(&mut self, folder: &str, depth: usize, names: &mut Names) -> Vec<Item> {
        let name = self.name();
        let called = format!("{folder}{}/", self.numbers.pick(&["m", "mods/x", "n"]));
        let called = format!("{}{}/", called.trim_end_matches('/'), self.count);
        let variables = self.module(&called, depth + 1);
        let source = format!("./{}", called[folder.len()..].trim_end_matches('/'));
        let mut inside = vec![argument("source", Value::Literal(json!(source)))];
        let mut own = names.clone();
        let repetition = self.numbers.below(5);
        match repetition {
            0 => {
                inside.push(argument("count", Value::Constant(json!(2))));
                own.push(("count.index".to_owned(), Type::Number));
            }
            1 => {
                inside.push(argument("for_each", Value::Expression("toset([\"a\", \"b\"])".to_owned())));
                own.push(("each.key".to_owned(), Type::Text));
            }
            _ => {}
        }
        for variable in variables.iter() {
            if !variable.has_default || self.numbers.one_in(2) {
                inside.push(argument(&variable.name, self.value(&own, variable.ty)));
            }
        }
        // The outputs are those that the files have.
        let outputs = self.outputs_of(&called);
        for (output, ty) in outputs {
            names.push(match repetition {
                0 if ty == Type::Text => (format!("module.{name}[*].{output}"), Type::Texts),
                0 => (format!("module.{name}[1].{output}"), ty),
                1 => (format!("module.{name}[\"a\"].{output}"), ty),
                _ => (format!("module.{name}.{output}"), ty),
            });
        }
        let mut items = vec![block("module", &[&name], inside)];
        if self.numbers.one_in(8) {
            let (from, to) =
                (Value::Name(format!("module.old{name}")), Value::Name(format!("module.{name}")));
            items.push(block("moved", &[], vec![argument("from", from), argument("to", to)]));
        }
        items
    }

    /// The outputs of constant type that a module gets beside its own, in a file of its own.
    fn outputs_of(&mut self, folder: &str) -> Names {
        let mut outputs = Vec::new();
        let mut items = Vec::new();
        for _ in 0..self.numbers.below(3) {
            let (name, ty) = (self.name(), self.ty());
            items.push(block("output", &[&name], vec![argument("value", self.value(&Vec::new(), ty))]));
            outputs.push((name, ty));
        }
        if !items.is_empty() {
            self.write(&format!("{folder}more"), &items);
        }
        outputs
    }

    /// Files that override some of the blocks.
    fn overrides(&mut self, folder: &str, items: &[Item], names: &Names) {
        if !self.numbers.one_in(3) {
            return;
        }
        let mut with = Vec::new();
        for item in items {
            let Item::Block(kind, labels, inside) = item else { continue };
            if !self.numbers.one_in(3) {
                continue;
            }
            let labels: Vec<&str> = labels.iter().map(String::as_str).collect();
            let has =
                |name: &str| inside.iter().any(|item| matches!(item, Item::Argument(of, _) if of == name));
            match kind.as_str() {
                "variable" => {
                    let description = argument("description", Value::Literal(json!("overridden")));
                    with.push(block("variable", &labels, vec![description]));
                }
                "output" => {
                    let ty = self.ty();
                    let variables: Names =
                        names.iter().filter(|(name, _)| name.starts_with("var.")).cloned().collect();
                    with.push(block("output", &labels, vec![argument("value", self.value(&variables, ty))]));
                }
                "locals" => {
                    let first = inside.iter().find_map(|item| match item {
                        Item::Argument(name, value) => Some((name.clone(), value.clone())),
                        Item::Block(..) => None,
                    });
                    let Some((name, value)) = first else { continue };
                    with.push(block("locals", &[], vec![argument(&name, value)]));
                }
                "resource" => {
                    let mut changed = Vec::new();
                    if has("input") {
                        changed.extend(
                            inside
                                .iter()
                                .filter(|item| matches!(item, Item::Argument(name, _) if name == "input"))
                                .cloned(),
                        );
                    }
                    if self.numbers.one_in(2) {
                        let protect = argument("prevent_destroy", Value::Literal(json!(true)));
                        changed.push(block("lifecycle", &[], vec![protect]));
                    }
                    if self.numbers.one_in(4) {
                        let command =
                            argument("command", Value::Expression("\"true ${self.id}\"".to_owned()));
                        changed.push(block("provisioner", &["local-exec"], vec![command]));
                    }
                    with.push(block("resource", &labels, changed));
                }
                _ => {}
            }
        }
        let name = self.numbers.pick(&["override", "a_override", "z_override"]);
        self.write(&format!("{folder}{name}"), &with);
    }

    /// The values of the variables of the root, in files beside it.
    fn values(&mut self, variables: &[Variable]) {
        let mut files: BTreeMap<&str, Vec<Item>> = BTreeMap::new();
        for variable in variables {
            if variable.has_default && self.numbers.one_in(2) {
                continue;
            }
            let name = self.numbers.pick(&[
                "terraform.tfvars",
                "terraform.tfvars.json",
                "b.auto.tfvars",
                "a.auto.tfvars.json",
            ]);
            let value = self.constant(variable.ty);
            files.entry(name).or_default().push(argument(&variable.name, Value::Literal(value)));
            if self.numbers.one_in(6) {
                let value = self.constant(variable.ty);
                let again = argument(&variable.name, Value::Literal(value));
                files.entry("c.auto.tfvars").or_default().push(again);
            }
        }
        if self.numbers.one_in(12) {
            files
                .entry("terraform.tfvars")
                .or_default()
                .push(argument("undeclared", Value::Literal(json!(1))));
        }
        for (name, items) in files {
            let text = match name.ends_with(".json") {
                true => json(&items, false).to_string(),
                false => native(&items, 0),
            };
            self.files.insert(name.to_owned(), text);
        }
    }

    /// Writes the items of a module into some files.
    fn files_of(&mut self, folder: &str, items: Vec<Item>) {
        let mut files: BTreeMap<&str, Vec<Item>> = BTreeMap::from([("main", Vec::new())]);
        for item in items {
            let usual = match &item {
                Item::Block(kind, ..) => match kind.as_str() {
                    "variable" => "variables",
                    "output" => "outputs",
                    "terraform" => "versions",
                    _ => "main",
                },
                Item::Argument(..) => "main",
            };
            let file = if self.numbers.one_in(4) { "main" } else { usual };
            files.entry(file).or_default().push(item);
        }
        for (name, items) in files {
            self.write(&format!("{folder}{name}"), &items);
        }
    }

    fn write(&mut self, stem: &str, items: &[Item]) {
        let (name, text) = match self.numbers.below(5) {
            0 => (format!("{stem}.tf.json"), json(items, false).to_string()),
            1 => (format!("{stem}.tf.json"), json(items, true).to_string()),
            2 => (format!("{stem}.tf"), native(items, 0).replace('\n', "\r\n")),
            _ => (format!("{stem}.tf"), native(items, 0)),
        };
        self.files.insert(name, text);
    }

    /// Makes a mistake somewhere.
    fn mistake(&mut self) {
        const CHANGES: [(&str, &str); 16] = [
            ("var.", "var.no_"),
            ("local.", "local.no_"),
            ("upper(", "uper("),
            ("length(", "length(1, "),
            ("module.", "module.no_"),
            ("value", "valu"),
            (".id", ".idd"),
            ("terraform_data", "terraform_dat"),
            ("string", "strin"),
            ("[0]", "[0"),
            ("count.index", "count.indx"),
            ("each.", "eache."),
            ("\"locals\"", "\"local\""),
            ("condition", "conditions"),
            ("input", "inputs"),
            ("source", "sourc"),
        ];
        let names: Vec<String> = self.files.keys().cloned().collect();
        for _ in 0..40 {
            let name = &names[self.numbers.below(names.len())];
            let (from, to) = CHANGES[self.numbers.below(CHANGES.len())];
            let text = &self.files[name];
            if text.contains(from) {
                let changed = text.replacen(from, to, 1);
                self.files.insert(name.clone(), changed);
                return;
            }
        }
    }
}
