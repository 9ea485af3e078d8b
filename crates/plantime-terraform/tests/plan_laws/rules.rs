//! Rules, as a rules file writes them.

use std::fmt::Write as _;

use crate::kind::Kind;
use crate::tree::Tree;

/// One step of a path.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) enum Step {
    /// `.name`
    Dot(&'static str),
    /// `["name"]`
    Key(&'static str),
    /// `[0]`
    Index(usize),
    /// `[*]`
    Each,
}

pub(crate) type Path = Vec<Step>;

/// A test of one value.
#[derive(Clone, Debug)]
pub(crate) enum Test {
    NotNull,
    IsNull,
    Equals(Tree),
    OneOf(Vec<Tree>),
    NoneOf(Vec<Tree>),
    StartsWith(&'static str),
    EndsWith(&'static str),
    MinLen(usize),
    MaxLen(usize),
    Len(usize),
    Min(i64),
    Max(i64),
    MultipleOf(i64),
    Even,
    NotZero,
    Contains(Tree),
    HasKey(&'static str),
    NoNulls,
    Unique,
    OneNotNull,
    Keys(Box<Test>),
    TypeIs(&'static str, Kind),
    Not(Box<Test>),
    Any(Vec<Test>),
}

/// A test of a value before and after.
#[derive(Clone, Copy, Debug)]
pub(crate) enum Change {
    OnlyIncrease,
    OnlyDecrease,
    MultipleOfOld,
    Immutable,
}

/// What a rule says of a resource.
#[derive(Clone, Debug)]
pub(crate) enum Rule {
    At(Path, Test),
    Change(Path, Change),
    All(Vec<Rule>),
    Any(Vec<Rule>),
    Not(Box<Rule>),
    Implies(Box<Rule>, Box<Rule>),
    ExactlyOneOf(Vec<Path>),
    AtLeastOneOf(Vec<Path>),
    Conflicting(Vec<Path>),
    RequiredTogether(Vec<Path>),
    AlsoRequires(Vec<Path>),
    RequiredWhen { path: Path, one_of: Vec<Tree>, required: Vec<Path> },
}

/// A rule with its guard.
#[derive(Clone, Debug)]
pub(crate) struct Guarded {
    pub(crate) when: Option<Rule>,
    pub(crate) rule: Rule,
}

impl From<Rule> for Guarded {
    fn from(rule: Rule) -> Guarded {
        Guarded { when: None, rule }
    }
}

/// A path as a text.
pub(crate) fn text(path: &[Step]) -> String {
    let mut out = String::new();
    for step in path {
        let _ = match step {
            Step::Dot(name) if out.is_empty() => write!(out, "{name}"),
            Step::Dot(name) => write!(out, ".{name}"),
            Step::Key(key) => write!(out, "[{key:?}]"),
            Step::Index(index) => write!(out, "[{index}]"),
            Step::Each => write!(out, "[*]"),
        };
    }
    out
}

fn quoted(path: &[Step]) -> String {
    format!("{:?}", text(path))
}

fn paths(paths: &[Path]) -> String {
    format!("[{}]", paths.iter().map(|path| quoted(path)).collect::<Vec<_>>().join(", "))
}

fn literals(trees: &[Tree]) -> String {
    format!("[{}]", trees.iter().map(|tree| tree.known().to_string()).collect::<Vec<_>>().join(", "))
}

impl Test {
    fn hcl(&self) -> String {
        let flag = |name: &str| format!("{name} = true");
        match self {
            Test::NotNull => flag("not_null"),
            Test::IsNull => flag("is_null"),
            Test::Equals(tree) => format!("equals = {}", tree.known()),
            Test::OneOf(trees) => format!("one_of = {}", literals(trees)),
            Test::NoneOf(trees) => format!("none_of = {}", literals(trees)),
            Test::StartsWith(text) => format!("starts_with = {text:?}"),
            Test::EndsWith(text) => format!("ends_with = {text:?}"),
            Test::MinLen(length) => format!("min_len = {length}"),
            Test::MaxLen(length) => format!("max_len = {length}"),
            Test::Len(length) => format!("len = {length}"),
            Test::Min(number) => format!("min = {number}"),
            Test::Max(number) => format!("max = {number}"),
            Test::MultipleOf(number) => format!("multiple_of = {number}"),
            Test::Even => flag("even"),
            Test::NotZero => flag("not_zero"),
            Test::Contains(tree) => format!("contains = {}", tree.known()),
            Test::HasKey(key) => format!("has_key = {key:?}"),
            Test::NoNulls => flag("no_nulls"),
            Test::Unique => flag("unique"),
            Test::OneNotNull => flag("one_not_null"),
            Test::Keys(test) => block("keys", &[test.hcl()]),
            Test::TypeIs(text, _) => format!("type_is = {text:?}"),
            Test::Not(test) => block("not", &[test.hcl()]),
            Test::Any(tests) => block("any", &tests.iter().map(Test::hcl).collect::<Vec<_>>()),
        }
    }
}

impl Rule {
    /// What stands in the block of the rule.
    pub(crate) fn hcl(&self) -> String {
        let inside = |rules: &[Rule]| rules.iter().map(Rule::hcl).collect::<Vec<_>>();
        match self {
            Rule::At(path, test) => block(&format!("attribute {}", quoted(path)), &[test.hcl()]),
            Rule::Change(path, change) => {
                let keyword = match change {
                    Change::OnlyIncrease => "only_increase = true",
                    Change::OnlyDecrease => "only_decrease = true",
                    Change::MultipleOfOld => "multiple_of_old = true",
                    Change::Immutable => "immutable = true",
                };
                block(&format!("change {}", quoted(path)), &[keyword.to_owned()])
            }
            Rule::All(rules) => block("all", &inside(rules)),
            Rule::Any(rules) => block("any", &inside(rules)),
            Rule::Not(rule) => block("not", &[rule.hcl()]),
            Rule::Implies(condition, consequence) => {
                block("implies", &[block("if", &[condition.hcl()]), block("then", &[consequence.hcl()])])
            }
            Rule::ExactlyOneOf(all) => format!("exactly_one_of = {}", paths(all)),
            Rule::AtLeastOneOf(all) => format!("at_least_one_of = {}", paths(all)),
            Rule::Conflicting(all) => format!("conflicting = {}", paths(all)),
            Rule::RequiredTogether(all) => format!("required_together = {}", paths(all)),
            Rule::AlsoRequires(all) => format!("also_requires = {}", paths(all)),
            Rule::RequiredWhen { path, one_of, required } => format!(
                "required_when = {{ path = {}, one_of = {}, required = {} }}",
                quoted(path),
                literals(one_of),
                paths(required),
            ),
        }
    }
}

impl Guarded {
    /// The block of a rules file.
    pub(crate) fn hcl(&self, name: &str, target: &str) -> String {
        let mut lines = vec![format!("resource = {target:?}")];
        lines.extend(self.when.iter().map(|when| block("when", &[when.hcl()])));
        lines.push(self.rule.hcl());
        block(&format!("rule {name:?}"), &lines)
    }
}

fn block(head: &str, lines: &[String]) -> String {
    format!("{head} {{\n{}\n}}", lines.join("\n"))
}

/// The rules that can read a value of a kind, at a path of their own and below it.
pub(crate) fn rules_on(path: &Path, kind: &Kind) -> Vec<Rule> {
    let kind = kind.of_values();
    let at = |test: Test| Rule::At(path.clone(), test);
    let below = |step: Step| path.iter().cloned().chain([step]).collect::<Path>();
    let mut rules = vec![at(Test::NotNull), at(Test::IsNull)];
    let text = Tree::Text;
    match &kind {
        Kind::Bool => rules.extend([
            at(Test::Equals(Tree::Bool(true))),
            at(Test::Not(Box::new(Test::Equals(Tree::Bool(true))))),
        ]),
        Kind::Number => {
            rules
                .extend([Test::Min(2), Test::Max(4), Test::Even, Test::MultipleOf(4), Test::NotZero].map(at));
            rules.extend([at(Test::OneOf(vec![Tree::Number(1), Tree::Number(9)]))]);
            rules.extend(
                [Change::OnlyIncrease, Change::OnlyDecrease, Change::MultipleOfOld, Change::Immutable]
                    .map(|change| Rule::Change(path.clone(), change)),
            );
        }
        Kind::String => {
            rules.extend([
                at(Test::StartsWith("a")),
                at(Test::EndsWith("b")),
                at(Test::MinLen(2)),
                at(Test::Contains(text("a"))),
                at(Test::OneOf(vec![text("a"), text("c")])),
                at(Test::NoneOf(vec![text("a"), Tree::Null])),
                at(Test::Any(vec![Test::IsNull, Test::StartsWith("bb")])),
                Rule::Change(path.clone(), Change::Immutable),
            ]);
        }
        Kind::List(element) => {
            rules.extend(sized(path, element));
            rules.push(at(Test::Unique));
            if **element == Kind::String {
                rules.push(at(Test::TypeIs("list(string)", kind.clone())));
            }
            for step in [Step::Each, Step::Index(0), Step::Index(1)] {
                rules.extend(rules_on(&below(step), element));
            }
        }
        Kind::Set(element) => {
            rules.extend(sized(path, element));
            rules.push(at(Test::Unique));
            rules.push(at(Test::TypeIs("list(string)", Kind::list(Kind::String))));
            rules.extend(rules_on(&below(Step::Each), element));
        }
        Kind::Tuple(elements) => {
            rules.extend([at(Test::Len(2)), at(Test::Unique), at(Test::NoNulls), at(Test::MinLen(3))]);
            rules.push(Rule::Change(path.clone(), Change::Immutable));
            for (index, element) in elements.iter().enumerate() {
                rules.extend(rules_on(&below(Step::Index(index)), element));
            }
            rules.push(Rule::At(below(Step::Each), Test::NotNull));
        }
        Kind::Map(element) => {
            rules.extend(
                sized(path, element)
                    .into_iter()
                    .filter(|rule| !matches!(rule, Rule::At(_, Test::Contains(_)))),
            );
            rules.extend([
                at(Test::HasKey("k")),
                at(Test::OneNotNull),
                at(Test::Keys(Box::new(Test::OneOf(vec![text("k")])))),
            ]);
            for step in [Step::Each, Step::Dot("k"), Step::Key("k")] {
                rules.extend(rules_on(&below(step), element));
            }
        }
        Kind::Object(fields) => {
            rules.extend([at(Test::NoNulls), at(Test::OneNotNull), at(Test::HasKey("p")), at(Test::Len(2))]);
            rules.push(Rule::Change(path.clone(), Change::Immutable));
            for (name, kind) in fields {
                rules.extend(rules_on(&below(Step::Dot(name)), kind));
            }
            rules.push(Rule::At(below(Step::Key("p")), Test::NotNull));
            rules.push(Rule::At(below(Step::Each), Test::NotNull));
        }
        Kind::Block(..) => {}
    }
    rules
}

/// The rules on how many elements there are, and which.
fn sized(path: &Path, element: &Kind) -> Vec<Rule> {
    let at = |test: Test| Rule::At(path.clone(), test);
    let mut rules: Vec<Rule> =
        [Test::MinLen(1), Test::MinLen(2), Test::MaxLen(1), Test::Len(2), Test::NoNulls].map(at).to_vec();
    if *element == Kind::String {
        rules.push(Rule::At(path.clone(), Test::Contains(Tree::Text("a"))));
    }
    rules.push(Rule::Change(path.clone(), Change::Immutable));
    rules
}

/// The same rules alone, under guards, and combined with the attribute `m`, a string.
pub(crate) fn combined(rules: Vec<Rule>, kind: &Kind) -> Vec<Guarded> {
    let m = || vec![Step::Dot("m")];
    let on = || Rule::At(m(), Test::Equals(Tree::Text("a")));
    let mut all = Vec::new();
    for (i, rule) in rules.into_iter().enumerate() {
        all.push(Guarded::from(rule.clone()));
        // Each rule in one combination, the next rule in the next one.
        all.push(match i % 6 {
            0 => Guarded { when: Some(on()), rule },
            1 => Rule::Not(Box::new(rule)).into(),
            2 => Rule::Any(vec![on(), rule]).into(),
            3 => Guarded { when: Some(rule), rule: on() },
            4 => Rule::Implies(Box::new(rule), Box::new(on())).into(),
            _ => Rule::All(vec![rule, Rule::Not(Box::new(on()))]).into(),
        });
    }
    let crossed =
        crossed(kind).into_iter().flat_map(|rule| [rule.clone().into(), Rule::Not(Box::new(rule)).into()]);
    all.extend(crossed);
    all
}

/// The rules across `m` and `p`, or something in `p`.
fn crossed(kind: &Kind) -> Vec<Rule> {
    let m = || vec![Step::Dot("m")];
    let p = || vec![Step::Dot("p")];
    let a = || vec![Tree::Text("a")];
    let mut rules = vec![
        Rule::ExactlyOneOf(vec![p(), m()]),
        Rule::AtLeastOneOf(vec![p(), m()]),
        Rule::Conflicting(vec![p(), m()]),
        Rule::RequiredTogether(vec![p(), m()]),
        Rule::AlsoRequires(vec![p(), m()]),
        Rule::AlsoRequires(vec![m(), p()]),
        Rule::RequiredWhen { path: m(), one_of: a(), required: vec![p()] },
    ];
    let (inner, is_text) = match kind.of_values() {
        Kind::List(element) => (vec![Step::Each, Step::Index(0)], *element == Kind::String),
        Kind::Set(element) => (vec![Step::Each], *element == Kind::String),
        Kind::Map(element) => (vec![Step::Each, Step::Dot("k"), Step::Key("j")], *element == Kind::String),
        Kind::Object(_) => (vec![Step::Dot("p")], true),
        Kind::Tuple(_) => (vec![Step::Index(1)], true),
        _ => (Vec::new(), false),
    };
    for step in inner {
        let below = || p().into_iter().chain([step.clone()]).collect::<Path>();
        rules.extend([
            Rule::ExactlyOneOf(vec![below(), m()]),
            Rule::RequiredTogether(vec![m(), below()]),
            Rule::AlsoRequires(vec![below(), m()]),
            Rule::RequiredWhen { path: m(), one_of: a(), required: vec![below()] },
        ]);
        if is_text {
            rules.push(Rule::RequiredWhen { path: below(), one_of: a(), required: vec![m()] });
        }
    }
    rules
}
