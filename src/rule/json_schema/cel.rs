//! Rules as expressions in CEL, as Kubernetes evaluates them: `self` is a value that is not null.

use crate::number::Number;
use crate::rule::{ExprStep, PathExpr, Rule, Unit};
use crate::types::json::write_escaped;
use crate::types::{ObjectType, Type};
use crate::value::{Value, View};

use super::fragment::is_plain;
use super::presence::attributes;
use super::{any_case, ecma};

/// The rule in CEL; none where CEL cannot say it, or an operand may not be shown.
///
/// | rule | CEL |
/// |---|---|
/// | `equals`, `one_of`, `none_of` of plain values | `self == 1.0`, `self in [1.0, 2.0]`, `!(self in [1.0, 2.0])` |
/// | `starts_with`, `ends_with`, `contains`, `matches` | `self.startsWith("a")`, …, `self.matches("a")` |
/// | lengths | `size(self) >= 3`, `size(bytes(self)) >= 3` |
/// | `min`, `max`, `not_before`, `not_after` | `self >= 1.0`, `self <= "a"` |
/// | `contains`, `unique`, `has_key` | `1.0 in self`, `self.all(x, self.exists_one(y, x == y))`, `"a" in self` |
/// | at attributes | `!has(self.a) \|\| …`, `has(self.a)` |
/// | across attributes | `[has(self.a), has(self.b)].filter(x, x).size() == 1` |
/// | sums and products of attributes beside | `!has(self.n) \|\| self.n == (has(self.a) ? self.a : 0.0) + …` |
/// | `keys` | `self.all(k, …)` |
/// | combinators | `&&`, `\|\|`, `!` |
/// | changes | `self == oldSelf`, `self >= oldSelf`, `self <= oldSelf` |
///
/// A number is a `double`, also where it is whole: no operator of CEL mixes it with an `int`.
pub(super) fn expression(rule: &Rule, ty: &Type) -> Option<String> {
    is_declared(ty).then(|| said(rule, ty, "self"))?
}

/// Whether the schema declares a type, without which CEL does not see a value: tuples have none in Kubernetes. Of an
/// object it sees the attributes that have one.
fn is_declared(ty: &Type) -> bool {
    match ty {
        Type::Bool | Type::Number | Type::String | Type::Object(_) => true,
        Type::List(ty) => is_declared(ty.element()),
        Type::Set(ty) => is_declared(ty.element()),
        Type::Map(ty) => is_declared(ty.element()),
        Type::Tuple(_) | Type::Dynamic | Type::Capsule(_) => false,
    }
}

fn said(rule: &Rule, ty: &Type, it: &str) -> Option<String> {
    Some(match rule {
        Rule::All(rules) | Rule::Sequence(rules) => joined(rules, ty, it, " && ", "true")?,
        Rule::Any(rules) => joined(rules, ty, it, " || ", "false")?,
        Rule::Not(rule) => format!("!({})", said(rule, ty, it)?),
        Rule::Implies(a, b) | Rule::When(a, b) => {
            format!("!({}) || ({})", said(a, ty, it)?, said(b, ty, it)?)
        }
        Rule::At(path, rule) => at(path, rule, ty, it)?,
        Rule::NotNull => "true".to_owned(),
        Rule::IsNull => "false".to_owned(),
        Rule::ExactlyOneOf(paths) => format!("{}.filter(x, x).size() == 1", presence(paths, ty, it)?),
        Rule::Conflicting(paths) => format!("{}.filter(x, x).size() <= 1", presence(paths, ty, it)?),
        Rule::AlsoRequires(path, others) => {
            format!("!{} || {}.all(x, x)", has(path, ty, it)?, presence(others, ty, it)?)
        }
        Rule::RequiredWhen(requirement) if !requirement.one_of.iter().any(Value::is_null) => {
            let decides = Rule::at(requirement.path.clone(), Rule::OneOf(requirement.one_of.clone())).ok()?;
            let (there, decides) = (has(&requirement.path, ty, it)?, said(&decides, ty, it)?);
            format!("!({there} && ({decides})) || {}.all(x, x)", presence(&requirement.required, ty, it)?)
        }
        Rule::OneNotNull(keys) => {
            let Type::Object(object) = ty else { return None };
            let paths = attributes(object, keys.as_deref()).ok()?;
            format!("{}.filter(x, x).size() == 1", presence(&paths, ty, it)?)
        }
        Rule::Keys(rule) if matches!(ty, Type::Map(_)) => {
            format!("{it}.all(k, {})", said(rule, &Type::String, "k")?)
        }
        Rule::AtLeastOneOf(paths) => format!("{}.exists(x, x)", presence(paths, ty, it)?),
        Rule::RequiredTogether(paths) => {
            let all = presence(paths, ty, it)?;
            format!("{all}.all(x, x) || !{all}.exists(x, x)")
        }
        rule => single(rule, ty, it)?,
    })
}

fn joined(rules: &[Rule], ty: &Type, it: &str, with: &str, none: &str) -> Option<String> {
    let parts = rules.iter().map(|rule| Some(format!("({})", said(rule, ty, it)?)));
    let parts = parts.collect::<Option<Vec<String>>>()?;
    Some(if parts.is_empty() { none.to_owned() } else { parts.join(with) })
}

#[inline(never)]
fn single(rule: &Rule, ty: &Type, it: &str) -> Option<String> {
    let is_text = *ty == Type::String;
    Some(match rule {
        Rule::Equals(value) => format!("{it} == {}", constant(value, ty)?),
        Rule::OneOf(values) => format!("{it} in {}", constants(values, ty)?),
        Rule::NoneOf(values) => format!("!({it} in {})", constants(values, ty)?),
        Rule::StartsWith(text) => format!("{it}.startsWith({})", quoted(text)),
        Rule::EndsWith(text) => format!("{it}.endsWith({})", quoted(text)),
        Rule::NotBefore(text) => format!("{it} >= {}", quoted(text)),
        Rule::NotAfter(text) => format!("{it} <= {}", quoted(text)),
        Rule::Contains(value) if is_text => format!("{it}.contains({})", constant(value, ty)?),
        Rule::Contains(value) => format!("{} in {it}", constant(value, ty.element_type()?)?),
        // Objects have no size in CEL; it is part of their type.
        Rule::MinLen(_) | Rule::MaxLen(_) | Rule::Len(_) if matches!(ty, Type::Object(_)) => return None,
        // Sizes are whole numbers of 64 bits with a sign.
        Rule::MinLen(length)
        | Rule::MaxLen(length)
        | Rule::Len(length)
        | Rule::MinLenIn(_, length)
        | Rule::MaxLenIn(_, length)
        | Rule::LenIn(_, length)
            if i64::try_from(*length).is_err() =>
        {
            return None;
        }
        Rule::MinLen(length) => format!("size({it}) >= {length}"),
        Rule::MaxLen(length) => format!("size({it}) <= {length}"),
        Rule::Len(length) => format!("size({it}) == {length}"),
        Rule::MinLenIn(Unit::Bytes, length) => format!("size(bytes({it})) >= {length}"),
        Rule::MaxLenIn(Unit::Bytes, length) => format!("size(bytes({it})) <= {length}"),
        Rule::LenIn(Unit::Bytes, length) => format!("size(bytes({it})) == {length}"),
        Rule::Min(number) => format!("{it} >= {}", double(number)?),
        Rule::Max(number) => format!("{it} <= {}", double(number)?),
        // CEL has the syntax of RE2: what stands for the same in ECMAScript does so there, but for classes of Unicode.
        Rule::Matches(pattern) => {
            ecma::to_ecma(pattern.as_str()).filter(|text| !text.to_ascii_lowercase().contains(r"\p"))?;
            format!("{it}.matches({})", quoted(pattern.as_str()))
        }
        Rule::NoneOfIgnoringCase(words) => {
            format!("!{it}.matches({})", quoted(&any_case::pattern(words.texts(), "^", "$")?))
        }
        Rule::Unique => format!("{it}.all(x, {it}.exists_one(y, x == y))"),
        Rule::HasKey(key) if matches!(ty, Type::Map(_)) => format!("{} in {it}", quoted(key)),
        Rule::Immutable => format!("{it} == {}", old(it)?),
        Rule::OnlyIncrease => format!("{it} >= {}", old(it)?),
        Rule::OnlyDecrease => format!("{it} <= {}", old(it)?),
        _ => return None,
    })
}

/// The value before. Below `self` it may not have been there.
fn old(it: &str) -> Option<&'static str> {
    (it == "self").then_some("oldSelf")
}

fn at(path: &PathExpr, rule: &Rule, ty: &Type, it: &str) -> Option<String> {
    let [ExprStep::Attr(name)] = path.steps() else { return None };
    let Type::Object(object) = ty else { return None };
    let inside = object.get(name).filter(|ty| is_declared(ty))?;
    let part = format!("{it}.{}", word(name)?);
    if let Some(total) = total(rule, object, it, &part) {
        return Some(total);
    }
    Some(match rule {
        Rule::NotNull => format!("has({part})"),
        Rule::IsNull => format!("!has({part})"),
        rule => match rule.check_value(&Value::null(inside.clone())).ok()? {
            null if null.is_pass() => format!("!has({part}) || ({})", said(rule, inside, &part)?),
            null if null.is_fail() => format!("has({part}) && ({})", said(rule, inside, &part)?),
            _ => return None,
        },
    })
}

/// A sum or product of attributes beside this one: a null counts as 0 in a sum, and lets a product pass.
fn total(rule: &Rule, object: &ObjectType, it: &str, part: &str) -> Option<String> {
    let names: Option<Vec<&str>> = rule
        .operands()
        .into_iter()
        .map(|path| match path.steps() {
            [ExprStep::Parent, ExprStep::Attr(name)] if object.get(name) == Some(&Type::Number) => word(name),
            _ => None,
        })
        .collect();
    let names = names.filter(|names| !names.is_empty())?;
    let sum = |how: &str| {
        let parts = names.iter().map(|name| format!("(has({it}.{name}) ? {it}.{name} : 0.0)"));
        format!("!has({part}) || {part} {how} {}", parts.collect::<Vec<String>>().join(" + "))
    };
    Some(match rule {
        Rule::AtLeastSumOf(_) => sum(">="),
        Rule::AtMostSumOf(_) => sum("<="),
        Rule::EqualToSumOf(_) => sum("=="),
        Rule::EqualToProductOf(_) => {
            let missing = names.iter().map(|name| format!("!has({it}.{name}) || "));
            let factors: Vec<String> = names.iter().map(|name| format!("{it}.{name}")).collect();
            format!("!has({part}) || {}{part} == {}", missing.collect::<String>(), factors.join(" * "))
        }
        _ => return None,
    })
}

/// A CEL list that says of each attribute whether it is present.
fn presence(paths: &[PathExpr], ty: &Type, it: &str) -> Option<String> {
    let all = paths.iter().map(|path| has(path, ty, it));
    Some(format!("[{}]", all.collect::<Option<Vec<String>>>()?.join(", ")))
}

/// A CEL expression for: the attribute is present.
fn has(path: &PathExpr, ty: &Type, it: &str) -> Option<String> {
    match (path.steps(), ty) {
        ([ExprStep::Attr(name)], Type::Object(object)) => {
            object.get(name).filter(|ty| is_declared(ty))?;
            Some(format!("has({it}.{})", word(name)?))
        }
        _ => None,
    }
}

/// The name, if CEL reads it without escapes.
fn word(name: &str) -> Option<&str> {
    let mut chars = name.chars();
    let first = chars.next()?;
    let plain = |c: char| c.is_ascii_alphanumeric() || c == '_';
    let reserved =
        ["true", "false", "null", "in", "as", "break", "const", "continue", "else", "for", "function"];
    let more = ["if", "import", "let", "loop", "package", "namespace", "return", "var", "void", "while"];
    let fits = !first.is_ascii_digit() && plain(first) && chars.all(plain) && !name.starts_with("__");
    (fits && !reserved.contains(&name) && !more.contains(&name)).then_some(name)
}

/// The operands of the type; no value of it equals another one.
fn constants(values: &[Value], ty: &Type) -> Option<String> {
    let values = values.iter().filter(|value| !value.is_null() && value.ty() == *ty);
    let values = values.map(|value| constant(value, ty));
    let values = values.collect::<Option<Vec<String>>>()?;
    (!values.is_empty()).then(|| format!("[{}]", values.join(", ")))
}

fn constant(value: &Value, ty: &Type) -> Option<String> {
    if !is_plain(value) || value.ty() != *ty {
        return None;
    }
    Some(match value.view() {
        View::Bool(flag) => flag.to_string(),
        View::Number(number) => double(number)?,
        View::String(text) => quoted(text),
        _ => return None,
    })
}

/// A number as a literal of type `double`; none beyond what that holds.
fn double(number: &Number) -> Option<String> {
    let text = number.to_string();
    text.parse::<f64>().ok().filter(|double| double.is_finite())?;
    Some(if text.contains(['.', 'e', 'E']) { text } else { format!("{text}.0") })
}

fn quoted(text: &str) -> String {
    let mut out = String::from("\"");
    write_escaped(text, &mut out);
    out.push('"');
    out
}
