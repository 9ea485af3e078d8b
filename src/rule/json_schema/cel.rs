//! Writes rules as CEL expressions, as Kubernetes evaluates them: `self` is a value that is not null.

use crate::number::Number;
use crate::rule::{
    ChangeRule, ExprStep, LengthRule, LengthTest, MembersRule, NumberRule, PathExpr, Pattern, PresenceRule,
    RequiresRule, Rule, TextRule, TotalRule, Unit, ValueRule,
};
use crate::types::json::write_escaped;
use crate::types::{ObjectType, Type};
use crate::value::{Value, View};

use super::fragment::is_plain;
use super::presence::attributes;
use super::{any_case, ecma};

/// The rule as a CEL expression; `None` if CEL cannot express it, or an operand is marked.
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
/// Every number is written as a `double`, even an integer: no operator of CEL mixes `double` and `int`.
pub(super) fn expression(rule: &Rule, ty: &Type) -> Option<String> {
    is_declared(ty).then(|| write_rule(rule, ty, "self"))?
}

/// Whether CEL in Kubernetes can read values of the type: not tuples, dynamic values, capsules, nor collections of
/// these.
fn is_declared(ty: &Type) -> bool {
    match ty {
        Type::Bool | Type::Number | Type::String | Type::Object(_) => true,
        Type::List(ty) => is_declared(ty.element()),
        Type::Set(ty) => is_declared(ty.element()),
        Type::Map(ty) => is_declared(ty.element()),
        Type::Tuple(_) | Type::Dynamic | Type::Capsule(_) => false,
    }
}

/// Writes a rule as a CEL expression about the value that the expression `it` denotes, such as `self.a`. `None` if
/// CEL cannot express the rule.
fn write_rule(rule: &Rule, ty: &Type, it: &str) -> Option<String> {
    Some(match rule {
        Rule::All(rules) | Rule::Sequence(rules) => join_rules(rules, ty, it, " && ", "true")?,
        Rule::Any(rules) => join_rules(rules, ty, it, " || ", "false")?,
        Rule::Not(rule) => format!("!({})", write_rule(rule, ty, it)?),
        Rule::Implies(a, b) | Rule::When(a, b) => {
            format!("!({}) || ({})", write_rule(a, ty, it)?, write_rule(b, ty, it)?)
        }
        Rule::At(path, rule) => write_attribute_rule(path, rule, ty, it)?,
        Rule::NotNull => "true".to_owned(),
        Rule::IsNull => "false".to_owned(),
        Rule::Presence(how, paths) => {
            let all = presence(paths, ty, it)?;
            match how {
                PresenceRule::ExactlyOneOf => format!("{all}.filter(x, x).size() == 1"),
                PresenceRule::AtLeastOneOf => format!("{all}.exists(x, x)"),
                PresenceRule::Conflicting => format!("{all}.filter(x, x).size() <= 1"),
                PresenceRule::RequiredTogether => format!("{all}.all(x, x) || !{all}.exists(x, x)"),
            }
        }
        Rule::Requires(RequiresRule::AlsoRequires(path, others)) => {
            format!("!{} || {}.all(x, x)", has(path, ty, it)?, presence(others, ty, it)?)
        }
        Rule::Requires(RequiresRule::RequiredWhen(requirement))
            if !requirement.one_of.iter().any(Value::is_null) =>
        {
            let decides = Rule::at(requirement.path.clone(), Rule::one_of(&requirement.one_of)).ok()?;
            let (there, decides) = (has(&requirement.path, ty, it)?, write_rule(&decides, ty, it)?);
            format!("!({there} && ({decides})) || {}.all(x, x)", presence(&requirement.required, ty, it)?)
        }
        Rule::Members(MembersRule::OneNotNull(keys)) => {
            let Type::Object(object) = ty else { return None };
            let paths = attributes(object, keys.as_deref()).ok()?;
            format!("{}.filter(x, x).size() == 1", presence(&paths, ty, it)?)
        }
        Rule::Keys(rule) if matches!(ty, Type::Map(_)) => {
            format!("{it}.all(k, {})", write_rule(rule, &Type::String, "k")?)
        }
        rule => write_leaf(rule, ty, it)?,
    })
}

/// Joins the CEL expressions of several rules by the operator `with`; the expression `none` if there are no rules.
/// `None` if CEL cannot express one of them.
fn join_rules(rules: &[Rule], ty: &Type, it: &str, with: &str, none: &str) -> Option<String> {
    let parts = rules.iter().map(|rule| Some(format!("({})", write_rule(rule, ty, it)?)));
    let parts = parts.collect::<Option<Vec<String>>>()?;
    Some(if parts.is_empty() { none.to_owned() } else { parts.join(with) })
}

/// Writes a rule that reads only its own value as a CEL expression about `it`; `None` if CEL cannot express it.
#[inline(never)]
fn write_leaf(rule: &Rule, ty: &Type, it: &str) -> Option<String> {
    Some(match rule {
        Rule::Value(rule) => write_comparison(rule, ty, it)?,
        Rule::Text(rule) => write_text_rule(rule, it)?,
        Rule::Length(rule) => write_length(rule, ty, it)?,
        Rule::Number(NumberRule::Min(number)) => format!("{it} >= {}", double(number)?),
        Rule::Number(NumberRule::Max(number)) => format!("{it} <= {}", double(number)?),
        Rule::Members(MembersRule::Contains(value)) if *ty == Type::String => {
            format!("{it}.contains({})", constant(value, ty)?)
        }
        Rule::Members(MembersRule::Contains(value)) => {
            format!("{} in {it}", constant(value, ty.element_type()?)?)
        }
        Rule::Members(MembersRule::Unique) => format!("{it}.all(x, {it}.exists_one(y, x == y))"),
        Rule::Members(MembersRule::HasKey(key)) if matches!(ty, Type::Map(_)) => {
            format!("{} in {it}", quoted(key))
        }
        Rule::Change(ChangeRule::Immutable) => format!("{it} == {}", old_value(it)?),
        Rule::Change(ChangeRule::OnlyIncrease) => format!("{it} >= {}", old_value(it)?),
        Rule::Change(ChangeRule::OnlyDecrease) => format!("{it} <= {}", old_value(it)?),
        _ => return None,
    })
}

/// Writes `equals`, `one_of` or `none_of` as a CEL expression about `it`; `None` for other rules and for operands
/// without a CEL literal.
fn write_comparison(rule: &ValueRule, ty: &Type, it: &str) -> Option<String> {
    Some(match rule {
        ValueRule::Equals(value) => format!("{it} == {}", constant(value, ty)?),
        ValueRule::OneOf(values) => format!("{it} in {}", constants(values, ty)?),
        ValueRule::NoneOf(values) => format!("!({it} in {})", constants(values, ty)?),
        ValueRule::TypeIs(_) | ValueRule::NotZero => return None,
    })
}

/// Writes a rule on strings as a CEL expression about `it`; `None` if CEL cannot express it.
fn write_text_rule(rule: &TextRule, it: &str) -> Option<String> {
    Some(match rule {
        TextRule::StartsWith(text) => format!("{it}.startsWith({})", quoted(text)),
        TextRule::EndsWith(text) => format!("{it}.endsWith({})", quoted(text)),
        TextRule::NotBefore(text) => format!("{it} >= {}", quoted(text)),
        TextRule::NotAfter(text) => format!("{it} <= {}", quoted(text)),
        TextRule::Matches(pattern) => write_match(pattern, it)?,
        TextRule::NoneOfIgnoringCase(words) => {
            format!("!{it}.matches({})", quoted(&any_case::pattern(words.texts(), "^", "$")?))
        }
        rule => write_match(&rule.as_pattern()?, it)?,
    })
}

/// Writes that a pattern matches as a CEL expression about `it`. CEL uses RE2: a pattern that means the same in
/// ECMAScript means the same in CEL, except for Unicode classes, for which the answer is `None`.
fn write_match(pattern: &Pattern, it: &str) -> Option<String> {
    ecma::to_ecma(pattern.as_str()).filter(|text| !text.to_ascii_lowercase().contains(r"\p"))?;
    Some(format!("{it}.matches({})", quoted(pattern.as_str())))
}

/// Writes a rule on a length as a CEL comparison of `size(it)`. `None` for a length above the signed 64 bits of a CEL
/// int, grapheme clusters, and the number of attributes of an object.
fn write_length(rule: &LengthRule, ty: &Type, it: &str) -> Option<String> {
    let length = i64::try_from(rule.length).ok()?;
    let size = match (rule.unit, ty) {
        // CEL objects have no size: the number of attributes is part of the type.
        (Unit::Graphemes, _) | (Unit::Elements, Type::Object(_)) => return None,
        (Unit::Elements, _) => format!("size({it})"),
        (Unit::Bytes, _) => format!("size(bytes({it}))"),
    };
    let operator = match rule.test {
        LengthTest::Min => ">=",
        LengthTest::Max => "<=",
        LengthTest::Exact => "==",
    };
    Some(format!("{size} {operator} {length}"))
}

/// The CEL expression for the value that `it` had before the change; `None` unless `it` is `self`, since a part of
/// `self` may have had no value before.
fn old_value(it: &str) -> Option<&'static str> {
    (it == "self").then_some("oldSelf")
}

/// The CEL expression of a rule at one attribute of `it`, guarded with `has(…)` for what null does. `None` for other paths,
/// and if CEL cannot express the rule.
fn write_attribute_rule(path: &PathExpr, rule: &Rule, ty: &Type, it: &str) -> Option<String> {
    let [ExprStep::Attr(name)] = path.steps() else { return None };
    let Type::Object(object) = ty else { return None };
    let inside = object.get(name).filter(|ty| is_declared(ty))?;
    let part = format!("{it}.{}", identifier(name)?);
    if let Some(total) = write_total(rule, object, it, &part) {
        return Some(total);
    }
    Some(match rule {
        Rule::NotNull => format!("has({part})"),
        Rule::IsNull => format!("!has({part})"),
        rule => match rule.check_value(&Value::null(inside.clone())).ok()? {
            null if null.is_pass() => format!("!has({part}) || ({})", write_rule(rule, inside, &part)?),
            null if null.is_fail() => format!("has({part}) && ({})", write_rule(rule, inside, &part)?),
            _ => return None,
        },
    })
}

/// The CEL expression that compares the attribute `part` of `it` with a sum or product of its siblings. A null counts
/// as 0 in a sum, and lets a product pass. `None` if the rule is not such a comparison.
fn write_total(rule: &Rule, object: &ObjectType, it: &str, part: &str) -> Option<String> {
    let Rule::Total(total, paths) = rule else { return None };
    let names: Option<Vec<&str>> = paths
        .iter()
        .map(|path| match path.steps() {
            [ExprStep::Parent, ExprStep::Attr(name)] if object.get(name) == Some(&Type::Number) => {
                identifier(name)
            }
            _ => None,
        })
        .collect();
    let names = names.filter(|names| !names.is_empty())?;
    let sum = |how: &str| {
        let parts = names.iter().map(|name| format!("(has({it}.{name}) ? {it}.{name} : 0.0)"));
        format!("!has({part}) || {part} {how} {}", parts.collect::<Vec<String>>().join(" + "))
    };
    Some(match total {
        TotalRule::AtLeastSum => sum(">="),
        TotalRule::AtMostSum => sum("<="),
        TotalRule::EqualToSum => sum("=="),
        TotalRule::EqualToProduct => {
            let missing = names.iter().map(|name| format!("!has({it}.{name}) || "));
            let factors: Vec<String> = names.iter().map(|name| format!("{it}.{name}")).collect();
            format!("!has({part}) || {}{part} == {}", missing.collect::<String>(), factors.join(" * "))
        }
    })
}

/// A CEL list with one bool for each attribute that the paths lead to: whether it is present. `None` if a path leads
/// elsewhere.
fn presence(paths: &[PathExpr], ty: &Type, it: &str) -> Option<String> {
    let all = paths.iter().map(|path| has(path, ty, it));
    Some(format!("[{}]", all.collect::<Option<Vec<String>>>()?.join(", ")))
}

/// The CEL expression for "the attribute is present in `it`"; `None` if the path does not lead to an attribute that
/// CEL can read.
fn has(path: &PathExpr, ty: &Type, it: &str) -> Option<String> {
    match (path.steps(), ty) {
        ([ExprStep::Attr(name)], Type::Object(object)) => {
            object.get(name).filter(|ty| is_declared(ty))?;
            Some(format!("has({it}.{})", identifier(name)?))
        }
        _ => None,
    }
}

/// Returns the name if CEL accepts it as an identifier without escapes; otherwise `None`.
fn identifier(name: &str) -> Option<&str> {
    let mut chars = name.chars();
    let first = chars.next()?;
    let plain = |c: char| c.is_ascii_alphanumeric() || c == '_';
    let reserved =
        ["true", "false", "null", "in", "as", "break", "const", "continue", "else", "for", "function"];
    let more = ["if", "import", "let", "loop", "package", "namespace", "return", "var", "void", "while"];
    let fits = !first.is_ascii_digit() && plain(first) && chars.all(plain) && !name.starts_with("__");
    (fits && !reserved.contains(&name) && !more.contains(&name)).then_some(name)
}

/// The operands as a CEL list; operands of another type than `ty`, which no value of the type equals, are left out.
/// `None` if no operand is left or one has no CEL literal.
fn constants(values: &[Value], ty: &Type) -> Option<String> {
    let values = values.iter().filter(|value| !value.is_null() && value.ty() == *ty);
    let values = values.map(|value| constant(value, ty));
    let values = values.collect::<Option<Vec<String>>>()?;
    (!values.is_empty()).then(|| format!("[{}]", values.join(", ")))
}

/// Writes an unmarked bool, number or string of the type `ty` as a CEL literal; `None` for any other value.
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

/// A number as a CEL literal of type `double`; `None` if it is too large for one.
fn double(number: &Number) -> Option<String> {
    let text = number.to_string();
    text.parse::<f64>().ok().filter(|double| double.is_finite())?;
    Some(if text.contains(['.', 'e', 'E']) { text } else { format!("{text}.0") })
}

/// Writes a string as a CEL string literal in double quotes.
fn quoted(text: &str) -> String {
    let mut out = String::from("\"");
    write_escaped(text, &mut out);
    out.push('"');
    out
}
