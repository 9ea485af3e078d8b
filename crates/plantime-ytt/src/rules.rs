//! The rules of `@schema/validation`: arguments, meaning and messages.

use std::cmp::Ordering;

use crate::literal::{Arguments, Literal, quoted};
use crate::node::{Annotation, Content, Node, Position, Scalar, float_text, key_text};
use crate::schema::arguments_of;

/// A rule, by its keyword.
#[derive(Clone, Debug)]
enum Rule {
    MinLen(i128),
    MaxLen(i128),
    Min(Literal),
    Max(Literal),
    /// The keys, or all children, and the text of the argument.
    OneNotNull(Option<Vec<Literal>>, String),
    OneOf(Vec<Form>, String),
}

/// The rules of a node, in the order in which they are evaluated.
#[derive(Clone, Debug)]
pub(crate) struct Rules {
    not_null: bool,
    rules: Vec<Rule>,
    at: Position,
    /// The length of the arguments, which bounds what an evaluation costs beside the size of the value.
    pub(crate) cost: usize,
}

/// A rule that a value violates.
#[derive(Debug)]
pub(crate) struct Violation {
    pub(crate) description: String,
    pub(crate) found: String,
}

impl Rules {
    /// Reads an annotation; the error is ytt's.
    pub(crate) fn of(annotation: &Annotation) -> Result<Rules, String> {
        let given = arguments_of(annotation)?;
        let invalid = |text: String| format!("Invalid @{} annotation - {text}", annotation.name);
        let mut rules = rules(&given, &annotation.at).map_err(invalid)?;
        rules.cost = annotation.arguments.len();
        Ok(rules)
    }

    pub(crate) fn at(&self) -> &Position {
        &self.at
    }

    /// Returns the rules that a value violates, in the order of evaluation.
    pub(crate) fn violations(&self, value: &Content) -> Vec<Violation> {
        if value.is_null() {
            let null = || Violation { description: "not null".to_owned(), found: "value is null".to_owned() };
            return if self.not_null { vec![null()] } else { Vec::new() };
        }
        let violation = |rule: &Rule| {
            rule.violation(value).map(|found| Violation { description: rule.describe(), found })
        };
        self.rules.iter().filter_map(violation).collect()
    }
}

fn rules(given: &Arguments, at: &Position) -> Result<Rules, String> {
    if given.positional.is_empty() && given.keywords.is_empty() {
        return Err(format!(
            "expected annotation to have 2-tuple as argument(s), but found no arguments (by {at})"
        ));
    }
    // A literal is never a function, so the first one is the error.
    if let Some(item) = given.positional.first() {
        let Literal::Tuple(items) = item else {
            return Err(format!(
                "expected annotation to have 2-tuple as argument(s), but found: {item} (by {at})"
            ));
        };
        let [text, function] = items.as_slice() else {
            return Err(format!("expected 2-tuple, but found tuple with length {} (by {at})", items.len()));
        };
        if !matches!(text, Literal::Text(_)) {
            let found = text.type_name();
            return Err(format!(
                "expected first item in the 2-tuple to be a string describing a valid value, but was {found} (at {at})"
            ));
        }
        let found = function.type_name();
        return Err(format!(
            "expected second item in the 2-tuple to be an assertion function, but was {found} (at {at})"
        ));
    }
    let mut rules = Rules { not_null: false, rules: Vec::new(), at: at.clone(), cost: 0 };
    for (name, argument) in &given.keywords {
        let expected = |wanted: &str| {
            let found = argument.type_name();
            Err(format!("expected keyword argument \"{name}\" to be {wanted}, but was {found} (at {at})"))
        };
        match (name.as_str(), argument) {
            ("min_len" | "max_len", Literal::Int(_) | Literal::Float(_)) => {
                let Some(bound) = length(argument) else { return expected("a number") };
                rules.rules.push(if name == "min_len" { Rule::MinLen(bound) } else { Rule::MaxLen(bound) });
            }
            ("min_len" | "max_len", _) => return expected("a number"),
            ("min", _) => rules.rules.push(Rule::Min(argument.clone())),
            ("max", _) => rules.rules.push(Rule::Max(argument.clone())),
            ("not_null", Literal::Bool(wanted)) => rules.not_null = *wanted,
            ("not_null", _) => return expected("a boolean"),
            ("one_of", argument) => match elements(argument) {
                Some(allowed) => {
                    let allowed = allowed.iter().map(Form::of_literal).collect();
                    rules.rules.push(Rule::OneOf(allowed, argument.to_string()));
                }
                None => {
                    let found = argument.type_name();
                    return Err(format!(
                        "expected keyword argument one_of to be a sequence, but was {found}"
                    ));
                }
            },
            ("one_not_null", Literal::Bool(true)) => {
                rules.rules.push(Rule::OneNotNull(None, "all children".to_owned()))
            }
            ("one_not_null", Literal::Bool(false)) => return Err("one_not_null= cannot be False".to_owned()),
            ("one_not_null", argument) => match elements(argument) {
                Some(keys) => rules.rules.push(Rule::OneNotNull(Some(keys), argument.to_string())),
                None => {
                    let found = argument.type_name();
                    return Err(format!("expected True or a sequence of keys, but was a '{found}'"));
                }
            },
            ("when", _) => return expected("a function"),
            _ => return Err(format!("unknown keyword argument \"{name}\" (at {at})")),
        }
    }
    rules.rules.sort_by_key(Rule::order);
    Ok(rules)
}

/// A bound of a length: a float is cut.
fn length(literal: &Literal) -> Option<i128> {
    match literal {
        Literal::Int(int) => i128::try_from(int).ok(),
        Literal::Float(float) if float.is_finite() && float.abs() < 1e18 => {
            format!("{:.0}", float.trunc()).parse().ok()
        }
        _ => None,
    }
}

/// The elements of a sequence: of a dict its keys.
fn elements(literal: &Literal) -> Option<Vec<Literal>> {
    match literal {
        Literal::List(items) | Literal::Tuple(items) => Some(items.clone()),
        Literal::Dict(entries) => Some(entries.iter().map(|(key, _)| key.clone()).collect()),
        _ => None,
    }
}

impl Rule {
    fn order(&self) -> u8 {
        match self {
            Rule::MinLen(_) => 0,
            Rule::MaxLen(_) => 1,
            Rule::Min(_) => 2,
            Rule::Max(_) => 3,
            Rule::OneNotNull(..) => 4,
            Rule::OneOf(..) => 5,
        }
    }

    fn describe(&self) -> String {
        match self {
            Rule::MinLen(bound) => format!("length >= {bound}"),
            Rule::MaxLen(bound) => format!("length <= {bound}"),
            Rule::Min(bound) => format!("a value >= {bound}"),
            Rule::Max(bound) => format!("a value <= {bound}"),
            Rule::OneNotNull(_, text) => format!("exactly one of {text} to be not null"),
            Rule::OneOf(_, text) => format!("one of {text}"),
        }
    }

    /// Returns what was found if a value violates the rule.
    fn violation(&self, value: &Content) -> Option<String> {
        match self {
            Rule::MinLen(bound) => length_violation(value, |length| length >= *bound),
            Rule::MaxLen(bound) => length_violation(value, |length| length <= *bound),
            Rule::Min(bound) => order_violation(value, bound, ">=", "<", |order| order != Ordering::Less),
            Rule::Max(bound) => order_violation(value, bound, "<=", ">", |order| order != Ordering::Greater),
            Rule::OneNotNull(keys, _) => one_not_null(value, keys.as_deref()),
            Rule::OneOf(allowed, _) => {
                let value = Form::of_content(value).without_empty();
                let found = allowed.iter().any(|allowed| allowed.equals(&value));
                (!found).then(|| "not one of allowed values".to_owned())
            }
        }
    }
}

fn length_violation(value: &Content, holds: impl Fn(i128) -> bool) -> Option<String> {
    let length = match value {
        Content::Scalar(Scalar::Text(text)) => text.len(),
        Content::Map(children) | Content::Array(children) => children.len(),
        Content::Scalar(_) => {
            return Some(format!("len: value of type {} has no len", Form::of_content(value).type_name()));
        }
    };
    let length = i128::try_from(length).unwrap_or(i128::MAX);
    (!holds(length)).then(|| format!("length = {length}"))
}

fn order_violation(
    value: &Content,
    bound: &Literal,
    operator: &str,
    found: &str,
    holds: impl Fn(Ordering) -> bool,
) -> Option<String> {
    let bound = Form::of_literal(bound).without_empty();
    match Form::of_content(value).without_empty().order(&bound) {
        Ok(Some(order)) if holds(order) => None,
        Ok(_) => Some(format!("value {found} {}", bound.text(false))),
        Err((left, right)) => Some(format!("{left} {operator} {right} not implemented")),
    }
}

fn one_not_null(value: &Content, keys: Option<&[Literal]>) -> Option<String> {
    let children = match value {
        Content::Map(children) if !children.is_empty() => children,
        other => {
            let found = Form::of_content(other).without_empty();
            return Some(format!("value must be a map or dict, but was '{}'", found.type_name()));
        }
    };
    let set = |node: &&Node| !node.content.is_null();
    let present: Vec<Form> = match keys {
        None => children.iter().filter(set).map(|node| Form::of_key(node.key.as_ref())).collect(),
        Some(keys) => {
            let is_set = |key: &Form| {
                children.iter().filter(set).any(|node| Form::of_key(node.key.as_ref()).equals(key))
            };
            keys.iter().map(Form::of_literal).filter(is_set).collect()
        }
    };
    match present.as_slice() {
        [_] => None,
        [] => Some("all values are null".to_owned()),
        _ => Some(format!("{} are not null", Form::List(present).text(true))),
    }
}

/// A value as rules compare it.
#[derive(Clone, Debug)]
enum Form {
    None,
    Bool(bool),
    Int(num_bigint::BigInt),
    Float(f64),
    Text(String),
    List(Vec<Form>),
    Dict(Vec<(Form, Form)>),
}

impl Form {
    fn of_key(key: Option<&Scalar>) -> Form {
        match key {
            None | Some(Scalar::Null) => Form::None,
            Some(Scalar::Bool(bool)) => Form::Bool(*bool),
            Some(Scalar::Int(int)) => Form::Int(int.clone()),
            Some(Scalar::Float(float)) => Form::Float(*float),
            Some(Scalar::Text(text)) => Form::Text(text.clone()),
        }
    }

    fn of_content(content: &Content) -> Form {
        match content {
            Content::Scalar(scalar) => Form::of_key(Some(scalar)),
            Content::Array(items) => {
                Form::List(items.iter().map(|item| Form::of_content(&item.content)).collect())
            }
            Content::Map(items) => {
                let entry = |item: &Node| (Form::of_key(item.key.as_ref()), Form::of_content(&item.content));
                Form::Dict(items.iter().map(entry).collect())
            }
        }
    }

    /// The form of a literal after it went through YAML: a whole float is an int.
    fn of_literal(literal: &Literal) -> Form {
        match literal {
            Literal::None => Form::None,
            Literal::Bool(bool) => Form::Bool(*bool),
            Literal::Int(int) => Form::Int(int.clone()),
            Literal::Float(float) if float.fract() == 0.0 && float.abs() < 1e21 => {
                float_text(*float).parse().map_or(Form::Float(*float), Form::Int)
            }
            Literal::Float(float) => Form::Float(*float),
            Literal::Text(text) => Form::Text(text.clone()),
            Literal::List(items) | Literal::Tuple(items) => {
                Form::List(items.iter().map(Form::of_literal).collect())
            }
            Literal::Dict(entries) => {
                let entry =
                    |(key, value): &(Literal, Literal)| (Form::of_literal(key), Form::of_literal(value));
                Form::Dict(entries.iter().map(entry).collect())
            }
        }
    }

    /// Makes an empty collection null, as it becomes one on ytt's way through YAML.
    fn without_empty(self) -> Form {
        match self {
            Form::List(items) if items.is_empty() => Form::None,
            Form::Dict(entries) if entries.is_empty() => Form::None,
            other => other,
        }
    }

    fn type_name(&self) -> &'static str {
        match self {
            Form::None => "NoneType",
            Form::Bool(_) => "bool",
            Form::Int(_) => "int",
            Form::Float(_) => "float",
            Form::Text(_) => "string",
            Form::List(_) => "list",
            Form::Dict(_) => "dict",
        }
    }

    /// Starlark's `str`, or `repr`, which quotes strings.
    fn text(&self, repr: bool) -> String {
        match self {
            Form::None => "None".to_owned(),
            Form::Bool(true) => "True".to_owned(),
            Form::Bool(false) => "False".to_owned(),
            Form::Int(int) => int.to_string(),
            Form::Float(float) => float_text(*float),
            Form::Text(text) if repr => quoted(text),
            Form::Text(text) => text.clone(),
            Form::List(items) => {
                format!("[{}]", items.iter().map(|item| item.text(true)).collect::<Vec<_>>().join(", "))
            }
            Form::Dict(entries) => {
                let entry = |(key, value): &(Form, Form)| format!("{}: {}", key.text(true), value.text(true));
                format!("{{{}}}", entries.iter().map(entry).collect::<Vec<_>>().join(", "))
            }
        }
    }

    fn equals(&self, other: &Form) -> bool {
        match (self, other) {
            (Form::Dict(left), Form::Dict(right)) => {
                let inside =
                    |(key, value): &(Form, Form)| right.iter().any(|(k, v)| k.equals(key) && v.equals(value));
                left.len() == right.len() && left.iter().all(inside)
            }
            (Form::List(left), Form::List(right)) => {
                left.len() == right.len() && left.iter().zip(right).all(|(l, r)| l.equals(r))
            }
            (Form::None, Form::None) => true,
            (Form::Dict(_) | Form::List(_) | Form::None, _) => false,
            _ => matches!(self.order(other), Ok(Some(Ordering::Equal))),
        }
    }

    /// The order of two values: `None` with NaN; the types if they have no order.
    fn order(&self, other: &Form) -> Result<Option<Ordering>, (&'static str, &'static str)> {
        let float_of = |int: &num_bigint::BigInt| int.to_string().parse::<f64>().unwrap_or(f64::NAN);
        match (self, other) {
            (Form::Int(left), Form::Int(right)) => Ok(Some(left.cmp(right))),
            (Form::Float(left), Form::Float(right)) => Ok(left.partial_cmp(right)),
            // ytt orders infinities against ints the wrong way round.
            (Form::Float(left), Form::Int(right)) => {
                let order = left.partial_cmp(&float_of(right));
                Ok(if left.is_infinite() { order.map(Ordering::reverse) } else { order })
            }
            (Form::Int(_), Form::Float(_)) => Ok(other.order(self)?.map(Ordering::reverse)),
            (Form::Text(left), Form::Text(right)) => Ok(Some(left.as_bytes().cmp(right.as_bytes()))),
            (Form::Bool(left), Form::Bool(right)) => Ok(Some(left.cmp(right))),
            (Form::List(left), Form::List(right)) => {
                for (l, r) in left.iter().zip(right) {
                    if !l.equals(r) {
                        return l.order(r);
                    }
                }
                Ok(Some(left.len().cmp(&right.len())))
            }
            _ => Err((self.type_name(), other.type_name())),
        }
    }
}

/// Returns the path of a child: keys joined by points, items by index.
pub(crate) fn child_path(path: &str, node: &Node, index: usize) -> String {
    match &node.key {
        None => format!("{path}[{index}]"),
        Some(key) if path.is_empty() => key_text(key),
        Some(key) => format!("{path}.{}", key_text(key)),
    }
}
