//! Rules in words.

use crate::types::Type;

use super::{PathExpr, Rule, Words, sums};
use crate::value::Value;

/// A known rule says how things are (`starts with "a"`), an open one how they must turn out.
#[derive(Clone, Copy, PartialEq)]
enum Mood {
    Is,
    TurnsOut,
}

impl Rule {
    /// What the rule asks for, in words: `starts with "vpc-"`, `vpc_id is not null`, `exactly one of a, b is set`.
    ///
    /// ```
    /// use plantime::rule::Rule;
    ///
    /// let rule = Rule::at("vpc_id".parse()?, Rule::StartsWith("vpc-".into()))?;
    /// assert_eq!(rule.describe(), r#"vpc_id starts with "vpc-""#);
    /// assert_eq!(Rule::MinLen(16).describe(), "has a length of at least 16");
    /// # Ok::<(), plantime::Error>(())
    /// ```
    ///
    /// Operands that are marked are not shown.
    pub fn describe(&self) -> String {
        clause(self, &PathExpr::new(), None, Mood::Is)
    }

    /// The same for values of a type, which says what a length counts: `has at least 16 characters`.
    ///
    /// ```
    /// use plantime::Type;
    /// use plantime::rule::Rule;
    ///
    /// assert_eq!(Rule::MinLen(16).describe_for(&Type::String), "has at least 16 characters");
    /// ```
    pub fn describe_for(&self, ty: &Type) -> String {
        clause(self, &PathExpr::new(), Some(ty), Mood::Is)
    }

    /// The same as Markdown: one line, or a nested list for rules with rules inside.
    pub fn markdown(&self) -> String {
        let mut out = String::new();
        markdown(self, &PathExpr::new(), 0, &mut out);
        out.truncate(out.trim_end().len());
        out
    }

    /// What must turn out for the rule to hold: `it turns out null`.
    pub(crate) fn turns_out(&self) -> String {
        clause(self, &PathExpr::new(), None, Mood::TurnsOut)
    }
}

fn clause(rule: &Rule, subject: &PathExpr, ty: Option<&Type>, mood: Mood) -> String {
    match rule {
        Rule::At(path, rule) => {
            let place = join(subject, path);
            let types = ty.and_then(|ty| path.types(ty).ok());
            let part = types.as_deref().and_then(|types| if let [ty] = types { Some(ty) } else { None });
            clause(rule, &place, part, mood)
        }
        Rule::All(rules) => series(rules, subject, ty, mood, " and ", "holds always"),
        Rule::Any(rules) => series(rules, subject, ty, mood, " or ", "never holds"),
        Rule::Not(rule) => not(rule, subject, ty, mood),
        Rule::Implies(condition, rule) | Rule::When(condition, rule) => {
            implies((condition, rule), subject, ty, mood)
        }
        Rule::Keys(rule) => of_keys(rule, subject, mood),
        rule => single(rule, subject, ty, mood),
    }
}

#[inline(never)]
fn not(rule: &Rule, subject: &PathExpr, ty: Option<&Type>, mood: Mood) -> String {
    match (verb(rule, ty), rule, mood) {
        (Some(verb), _, Mood::Is) => said(subject, &verb.negated()),
        (Some(verb), _, Mood::TurnsOut) => turns(subject, &verb.turns_out_not()),
        // At one place, what is not null is null; of anything else, null passes the rule inside.
        (None, Rule::At(path, part), _)
            if !path.has_wildcard() && matches!(**part, Rule::NotNull | Rule::IsNull) =>
        {
            let opposite = if **part == Rule::NotNull { Rule::IsNull } else { Rule::NotNull };
            clause(&opposite, &join(subject, path), None, mood)
        }
        (None, ..) => format!("not ({})", clause(rule, subject, ty, mood)),
    }
}

#[inline(never)]
fn implies((condition, rule): (&Rule, &Rule), subject: &PathExpr, ty: Option<&Type>, mood: Mood) -> String {
    match mood {
        Mood::Is => {
            let (condition, rule) = (clause(condition, subject, ty, mood), clause(rule, subject, ty, mood));
            format!("if {condition}, then {rule}")
        }
        Mood::TurnsOut => {
            let part = |rule: &Rule| {
                let words = clause(rule, subject, ty, mood);
                if is_compound(rule) { format!("({words})") } else { words }
            };
            format!("{} whenever {}", part(rule), part(condition))
        }
    }
}

#[inline(never)]
fn of_keys(rule: &Rule, subject: &PathExpr, mood: Mood) -> String {
    let each = clause(rule, &PathExpr::new(), Some(&Type::String), Mood::Is);
    let each = if is_compound(rule) { format!("each key ({each})") } else { format!("each key {each}") };
    let turns_out = if mood == Mood::Is { "" } else { "it turns out that " };
    within(subject, format!("{turns_out}{each}"))
}

/// Of a rule without rules inside. In a function of its own: rules nest, and each frame counts in a debug build.
#[inline(never)]
fn single(rule: &Rule, subject: &PathExpr, ty: Option<&Type>, mood: Mood) -> String {
    match rule {
        Rule::ExactlyOneOf(paths) => match (mood, paths.len()) {
            (Mood::Is, _) => within(subject, format!("exactly one of {} is set", list(paths))),
            (Mood::TurnsOut, 2) => within(subject, "exactly one of the two turns out null".to_owned()),
            (Mood::TurnsOut, _) => {
                within(subject, format!("exactly one of {} turns out not null", list(paths)))
            }
        },
        Rule::AtLeastOneOf(paths) => {
            let verb = if mood == Mood::Is { "is set" } else { "turns out not null" };
            within(subject, format!("at least one of {} {verb}", list(paths)))
        }
        Rule::Conflicting(paths) => {
            let verb = if mood == Mood::Is { "is set" } else { "turns out not null" };
            within(subject, format!("at most one of {} {verb}", list(paths)))
        }
        Rule::RequiredTogether(paths) => {
            let verb = if mood == Mood::Is { "are set" } else { "turn out not null" };
            within(subject, format!("all or none of {} {verb}", list(paths)))
        }
        Rule::AlsoRequires(path, others) => {
            let (if_set, set) = (format!("{path} is set"), required(others, mood));
            within(subject, conditional(&if_set, &set, mood))
        }
        Rule::RequiredWhen(requirement) => {
            let asked = condition(&requirement.path, &requirement.one_of);
            within(subject, conditional(&asked, &required(&requirement.required, mood), mood))
        }
        Rule::PreferWriteOnly(path, alternative) => {
            let verb = if mood == Mood::Is { "is null" } else { "turns out null" };
            within(subject, format!("{path} {verb}, as {alternative} is write-only"))
        }
        Rule::AtLeastSumOf(paths)
        | Rule::AtMostSumOf(paths)
        | Rule::EqualToSumOf(paths)
        | Rule::EqualToProductOf(paths)
            if !subject.is_empty() =>
        {
            let paths: Vec<PathExpr> = paths.iter().map(|path| join(subject, path)).collect();
            let words = sums::words(rule, &paths);
            if mood == Mood::Is {
                said(subject, &format!("is {words}"))
            } else {
                turns(subject, &format!("to be {words}"))
            }
        }
        rule => match (verb(rule, ty), mood) {
            (Some(verb), Mood::Is) => said(subject, &verb.third),
            (Some(verb), Mood::TurnsOut) => turns(subject, &verb.turns_out()),
            (None, _) => String::new(),
        },
    }
}

fn conditional(condition: &str, rule: &str, mood: Mood) -> String {
    match mood {
        Mood::Is => format!("if {condition}, then {rule}"),
        Mood::TurnsOut => format!("{rule} whenever {condition}"),
    }
}

fn required(paths: &[PathExpr], mood: Mood) -> String {
    let (paths, one) = (list(paths), paths.len() == 1);
    match mood {
        Mood::Is => format!("{paths} {} set", if one { "is" } else { "are" }),
        Mood::TurnsOut => format!("{paths} {} out not null", if one { "turns" } else { "turn" }),
    }
}

/// `mode is "a"`, `mode is one of "a", "b"`. Values that are marked are not shown.
pub(super) fn condition(path: &PathExpr, values: &[Value]) -> String {
    let place = if path.is_empty() { "the value".to_owned() } else { path.to_string() };
    match values {
        [value] => format!("{place} is {value}"),
        values => format!("{place} is one of {}", list(values)),
    }
}

fn join(subject: &PathExpr, path: &PathExpr) -> PathExpr {
    // Longer than the limit only where the rule could not be checked either.
    PathExpr::from_steps(subject.steps().iter().chain(path.steps()).cloned()).unwrap_or_else(|_| path.clone())
}

fn series(
    rules: &[Rule],
    subject: &PathExpr,
    ty: Option<&Type>,
    mood: Mood,
    joint: &str,
    none: &str,
) -> String {
    if rules.is_empty() {
        return said(subject, none);
    }
    let one = rules.len() == 1;
    let parts = rules.iter().map(|rule| {
        let part = clause(rule, subject, ty, mood);
        if is_compound(rule) && !one { format!("({part})") } else { part }
    });
    parts.collect::<Vec<String>>().join(joint)
}

/// Whether the words of the rule have an `and`, `or` or `if` of their own.
fn is_compound(rule: &Rule) -> bool {
    match rule {
        Rule::At(_, rule) => is_compound(rule),
        Rule::All(rules) | Rule::Any(rules) => match &**rules {
            [rule] => is_compound(rule),
            rules => !rules.is_empty(),
        },
        Rule::Implies(..) | Rule::When(..) | Rule::AlsoRequires(..) | Rule::RequiredWhen(_) => true,
        _ => false,
    }
}

fn said(subject: &PathExpr, what: &str) -> String {
    if subject.is_empty() { what.to_owned() } else { format!("{subject} {what}") }
}

fn turns(subject: &PathExpr, what: &str) -> String {
    if subject.is_empty() { format!("it turns out {what}") } else { format!("{subject} turns out {what}") }
}

fn within(subject: &PathExpr, what: String) -> String {
    if subject.is_empty() { what } else { format!("in {subject}, {what}") }
}

pub(super) fn list(items: &[impl ToString]) -> String {
    items.iter().map(ToString::to_string).collect::<Vec<String>>().join(", ")
}

/// `starts with "a"` and `start with "a"`.
pub(super) struct Verb {
    pub(super) third: String,
    base: String,
}

impl Verb {
    fn negated(&self) -> String {
        match self.third.as_str() {
            "is null" => "is not null".to_owned(),
            "is not null" => "is null".to_owned(),
            third => match third.strip_prefix("is ") {
                Some(rest) => format!("is not {rest}"),
                None => format!("does not {}", self.base),
            },
        }
    }

    fn turns_out(&self) -> String {
        match self.third.as_str() {
            "is null" => "null".to_owned(),
            "is not null" => "not null".to_owned(),
            _ => format!("to {}", self.base),
        }
    }

    fn turns_out_not(&self) -> String {
        match self.third.as_str() {
            "is null" => "not null".to_owned(),
            "is not null" => "null".to_owned(),
            _ => format!("not to {}", self.base),
        }
    }
}

/// The rules that speak of one value.
fn verb(rule: &Rule, ty: Option<&Type>) -> Option<Verb> {
    let being = |what: String| Verb { third: format!("is {what}"), base: format!("be {what}") };
    let doing = |third: &str, base: &str, what: String| Verb {
        third: format!("{third} {what}"),
        base: format!("{base} {what}"),
    };
    Some(match rule {
        Rule::NotNull => being("not null".to_owned()),
        Rule::IsNull => being("null".to_owned()),
        Rule::Equals(value) => being(value.to_string()),
        Rule::OneOf(values) => match values.as_slice() {
            [value] => being(value.to_string()),
            values => being(format!("one of {}", list(values))),
        },
        Rule::NoneOf(values) => being(format!("none of {}", list(values))),
        Rule::StartsWith(text) => doing("starts with", "start with", quoted(text)),
        Rule::EndsWith(text) => doing("ends with", "end with", quoted(text)),
        Rule::Contains(value) => doing("contains", "contain", value.to_string()),
        Rule::MinLen(length) => doing("has", "have", length_of(ty, "at least", *length)),
        Rule::MaxLen(length) => doing("has", "have", length_of(ty, "at most", *length)),
        Rule::Len(length) => doing("has", "have", length_of(ty, "exactly", *length)),
        Rule::MinLenIn(unit, length) => doing("has", "have", counted("at least", *length, unit.noun())),
        Rule::MaxLenIn(unit, length) => doing("has", "have", counted("at most", *length, unit.noun())),
        Rule::LenIn(unit, length) => doing("has", "have", counted("exactly", *length, unit.noun())),
        Rule::MultipleOf(number) => being(format!("a multiple of {number}")),
        Rule::Even => being("even".to_owned()),
        Rule::Odd => being("odd".to_owned()),
        Rule::Format(format) => being(format.noun().to_owned()),
        Rule::OneOfIgnoringCase(words) => being(format!("one of {} in any case", texts(words))),
        Rule::NoneOfIgnoringCase(words) => being(format!("none of {} in any case", texts(words))),
        Rule::NoNulls => being("without nulls".to_owned()),
        Rule::Unique => doing("has", "have", "no two equal elements".to_owned()),
        Rule::HasKey(key) => doing("has", "have", format!("the key {}", quoted(key))),
        Rule::NotZero => being("neither empty nor 0".to_owned()),
        Rule::TypeIs(ty) => being(format!("of type {ty}")),
        Rule::Port => being("a port number".to_owned()),
        Rule::PortOrZero => being("a port number or 0".to_owned()),
        Rule::Url(schemes) => being(match schemes.names() {
            [] => "a URL".to_owned(),
            [name] => format!("a URL with the scheme {name}"),
            names => format!("a URL with one of the schemes {}", list(names)),
        }),
        Rule::CidrNetwork(networks) if networks.least() == networks.most() => {
            being(format!("the CIDR block of a network of {} bits", networks.least()))
        }
        Rule::CidrNetwork(networks) => {
            being(format!("the CIDR block of a network of {} to {} bits", networks.least(), networks.most()))
        }
        Rule::OneNotNull(None) => doing("has", "have", "exactly one part that is not null".to_owned()),
        Rule::OneNotNull(Some(keys)) => {
            let keys: Vec<String> = keys.iter().map(|key| quoted(key)).collect();
            doing("has", "have", format!("exactly one of {} not null", list(&keys)))
        }
        Rule::AtLeastSumOf(paths)
        | Rule::AtMostSumOf(paths)
        | Rule::EqualToSumOf(paths)
        | Rule::EqualToProductOf(paths) => being(sums::words(rule, paths)),
        Rule::Min(number) => being(format!("at least {number}")),
        Rule::Max(number) => being(format!("at most {number}")),
        Rule::NotBefore(text) => being(format!("{} or after it", quoted(text))),
        Rule::NotAfter(text) => being(format!("{} or before it", quoted(text))),
        Rule::Matches(pattern) => doing("matches", "match", pattern.to_string()),
        Rule::OnlyIncrease => Verb { third: "only increases".to_owned(), base: "only increase".to_owned() },
        Rule::OnlyDecrease => Verb { third: "only decreases".to_owned(), base: "only decrease".to_owned() },
        Rule::MultipleOfOld => being("a multiple of what it was".to_owned()),
        Rule::Immutable => doing("stays", "stay", "as it was".to_owned()),
        Rule::Custom(custom) => doing("satisfies", "satisfy", custom.name().to_owned()),
        _ => return None,
    })
}

pub(super) fn quoted(text: &str) -> String {
    let mut out = String::new();
    // Writing into a String does not fail.
    let _ = crate::text::write_quoted(&mut out, text);
    out
}

/// `at least 16 characters`, `exactly 1 element`; `a length of at least 16` where the type is not known.
pub(super) fn length_of(ty: Option<&Type>, how: &str, length: u64) -> String {
    let noun = match ty {
        Some(Type::String) => "character",
        Some(Type::Set(_)) => "member",
        Some(Type::Object(_)) => "attribute",
        Some(Type::List(_) | Type::Map(_) | Type::Tuple(_)) => "element",
        _ if how == "exactly" => return format!("a length of {length}"),
        _ => return format!("a length of {how} {length}"),
    };
    counted(how, length, noun)
}

fn counted(how: &str, length: u64, noun: &str) -> String {
    let plural = if length == 1 { "" } else { "s" };
    format!("{how} {length} {noun}{plural}")
}

fn texts(words: &Words) -> String {
    let quoted: Vec<String> = words.texts().iter().map(|text| quoted(text)).collect();
    list(&quoted)
}

/// What the value of a failing rule must be, in the shapes of the plugin framework: `value must start with "vpc-"`.
pub(super) fn requirement(rule: &Rule, ty: &Type) -> String {
    let counted = |how: &str, length: u64| match ty {
        Type::String => format!("string length must be {how} {length}"),
        ty => {
            let kind = ty.friendly_name();
            let kind = kind.split_whitespace().next().unwrap_or_default();
            format!("{kind} must contain {}", length_of(Some(ty), how, length))
        }
    };
    match rule {
        Rule::OneOf(values) => format!("value must be one of: [{}]", list(values)),
        Rule::NoneOf(values) => format!("value must be none of: [{}]", list(values)),
        Rule::MinLen(length) => counted("at least", *length),
        Rule::MaxLen(length) => counted("at most", *length),
        Rule::Len(length) => counted("exactly", *length),
        Rule::MinLenIn(unit, length) => text_length("at least", *length, *unit),
        Rule::MaxLenIn(unit, length) => text_length("at most", *length, *unit),
        Rule::LenIn(unit, length) => text_length("exactly", *length, *unit),
        Rule::OneOfIgnoringCase(words) => format!("value must be one of (ignoring case): [{}]", texts(words)),
        Rule::NoneOfIgnoringCase(words) => {
            format!("value must be none of (ignoring case): [{}]", texts(words))
        }
        Rule::NoNulls => "value must not contain null".to_owned(),
        Rule::Unique => "value must not contain two equal elements".to_owned(),
        Rule::Matches(pattern) => format!("value must match regular expression '{pattern}'"),
        Rule::OnlyIncrease => "value may only increase".to_owned(),
        Rule::OnlyDecrease => "value may only decrease".to_owned(),
        Rule::Immutable => "value may not change".to_owned(),
        rule => match verb(rule, Some(ty)) {
            Some(verb) if verb.third == "is not null" => "value must not be null".to_owned(),
            Some(verb) => format!("value must {}", verb.base),
            None => format!("value must satisfy: {}", rule.describe_for(ty)),
        },
    }
}

fn text_length(how: &str, length: u64, unit: super::Unit) -> String {
    format!("string must have {}", counted(how, length, unit.noun()))
}

/// What the value of a failing `not` must be.
pub(super) fn requirement_not(rule: &Rule, ty: &Type) -> String {
    match verb(rule, Some(ty)) {
        Some(verb) if verb.third == "is not null" => "value must be null".to_owned(),
        Some(verb) => format!("value must not {}", verb.base),
        None => format!("value must not satisfy: {}", rule.describe_for(ty)),
    }
}

fn markdown(rule: &Rule, subject: &PathExpr, depth: usize, out: &mut String) {
    let (heading, rules): (&str, Vec<&Rule>) = match rule {
        Rule::All(rules) => ("all of", rules.iter().collect()),
        Rule::Any(rules) => ("at least one of", rules.iter().collect()),
        Rule::Implies(condition, rule) | Rule::When(condition, rule) => {
            ("if the first, then the second", vec![condition, rule])
        }
        Rule::At(path, rule) => return markdown(rule, &join(subject, path), depth, out),
        rule => {
            let indent = "  ".repeat(depth);
            let text = clause(rule, &PathExpr::new(), None, Mood::Is);
            let place = if subject.is_empty() { String::new() } else { format!("`{subject}` ") };
            out.push_str(&format!("{indent}- {place}{}\n", escaped(&text)));
            return;
        }
    };
    let indent = "  ".repeat(depth);
    out.push_str(&format!("{indent}- {heading}:\n"));
    for rule in rules {
        markdown(rule, subject, depth.saturating_add(1), out);
    }
}

/// Characters that Markdown would read as its own.
pub(super) fn escaped(text: &str) -> String {
    let mut out = String::with_capacity(text.len());
    for c in text.chars() {
        if matches!(c, '*' | '_' | '`' | '[' | ']' | '<' | '\\' | '#' | '|') {
            out.push('\\');
        }
        out.push(c);
    }
    out
}
