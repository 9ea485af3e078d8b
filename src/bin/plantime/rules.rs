//! The rules file.

use hcl_edit::Span;
use hcl_edit::expr::Expression;
use hcl_edit::structure::{Attribute, Block, Body};

use crate::plan::Step;

/// A test of one attribute, or of several.
pub(crate) enum Test {
    NotNull,
    StartsWith(String),
    /// Part of the language, not answered yet.
    Later(String),
}

pub(crate) struct Rule {
    pub(crate) name: String,
    pub(crate) resource: String,
    pub(crate) actions: Vec<String>,
    pub(crate) warning: bool,
    pub(crate) guarded: bool,
    pub(crate) tests: Vec<(String, Vec<Step>, Test)>,
}

pub(crate) struct Assumption {
    pub(crate) resource: String,
    pub(crate) attribute: String,
    pub(crate) not_null: bool,
    pub(crate) prefix: String,
    pub(crate) line: usize,
}

pub(crate) struct Skip {
    pub(crate) rule: String,
    pub(crate) address: String,
    pub(crate) reason: String,
}

pub(crate) struct Rules {
    pub(crate) name: String,
    pub(crate) assumptions: Vec<Assumption>,
    pub(crate) rules: Vec<Rule>,
    pub(crate) skips: Vec<Skip>,
}

const LATER: &[&str] = &[
    "is_null",
    "equals",
    "one_of",
    "none_of",
    "ends_with",
    "contains",
    "min_len",
    "max_len",
    "len",
    "min",
    "max",
    "matches",
];
const LATER_ACROSS: &[&str] = &["exactly_one_of", "at_least_one_of", "conflicting", "required_together"];

/// Reads one file; keeps what its errors need.
struct Reader<'a> {
    name: &'a str,
    source: &'a str,
}

impl Rules {
    pub(crate) fn read(name: &str, source: &str) -> Result<Rules, String> {
        let body: Body = source.parse().map_err(|error: hcl_edit::parser::Error| {
            let at = error.location();
            format!("{name}:{}:{}: {}", at.line(), at.column(), error.message())
        })?;
        let reader = Reader { name, source };
        let mut read =
            Rules { name: name.to_owned(), assumptions: Vec::new(), rules: Vec::new(), skips: Vec::new() };
        if let Some(attribute) = body.attributes().next() {
            return Err(reader.error(attribute, "expected a block: assume, rule or skip"));
        }
        for block in body.blocks() {
            let label = reader.label(block)?;
            match block.ident.as_str() {
                "assume" => {
                    for attribute in block.body.attributes() {
                        read.assumptions.push(reader.assumption(&label, attribute)?);
                    }
                }
                "rule" => read.rules.push(reader.rule(label, &block.body)?),
                "skip" => {
                    let text = |key| match block.body.get_attribute(key) {
                        Some(attribute) => reader.text(attribute),
                        None => Err(reader.error(block, &format!("skip needs `{key}`"))),
                    };
                    read.skips.push(Skip { rule: label, address: text("address")?, reason: text("reason")? });
                }
                other => return Err(reader.error(block, &format!("unknown block `{other}`"))),
            }
        }
        Ok(read)
    }
}

impl Reader<'_> {
    fn line(&self, place: &impl Span) -> usize {
        let start = place.span().map_or(0, |span| span.start);
        let before = self.source.get(..start).unwrap_or_default();
        before.matches('\n').count().saturating_add(1)
    }

    fn error(&self, place: &impl Span, message: &str) -> String {
        format!("{}:{}: {message}", self.name, self.line(place))
    }

    fn label(&self, block: &Block) -> Result<String, String> {
        match block.labels.as_slice() {
            [label] => Ok(label.as_str().to_owned()),
            _ => Err(self.error(block, &format!("`{}` takes one label", block.ident.as_str()))),
        }
    }

    fn text(&self, attribute: &Attribute) -> Result<String, String> {
        let expected = || self.error(attribute, &format!("`{}` must be a text", attribute.key.as_str()));
        attribute.value.as_str().map(str::to_owned).ok_or_else(expected)
    }

    fn rule(&self, name: String, body: &Body) -> Result<Rule, String> {
        let mut rule = Rule {
            name,
            resource: String::new(),
            actions: Vec::new(),
            warning: false,
            guarded: false,
            tests: Vec::new(),
        };
        for attribute in body.attributes() {
            match attribute.key.as_str() {
                "description" => drop(self.text(attribute)?),
                "resource" => rule.resource = self.text(attribute)?,
                "severity" => match self.text(attribute)?.as_str() {
                    "error" => rule.warning = false,
                    "warning" => rule.warning = true,
                    other => return Err(self.error(attribute, &format!("unknown severity `{other}`"))),
                },
                "actions" => {
                    rule.actions = strings(&attribute.value);
                }
                key if LATER_ACROSS.contains(&key) => {
                    let names = strings(&attribute.value).join(", ");
                    rule.tests.push((names, Vec::new(), Test::Later(key.replace('_', " "))));
                }
                key => return Err(self.error(attribute, &format!("unknown rule `{key}`"))),
            }
        }
        for block in body.blocks() {
            match block.ident.as_str() {
                "when" => rule.guarded = true,
                "change" => rule.tests.extend(block.body.attributes().map(|test| {
                    let name = test.key.as_str().replace('_', " ");
                    (
                        block.labels.first().map_or("", |l| l.as_str()).to_owned(),
                        Vec::new(),
                        Test::Later(name),
                    )
                })),
                "attribute" => {
                    let path = self.label(block)?;
                    let steps = steps(&path).ok_or_else(|| self.error(block, "not a path"))?;
                    for test in block.body.attributes() {
                        let read = match test.key.as_str() {
                            "message" => continue,
                            "not_null" if test.value.as_bool() == Some(true) => Test::NotNull,
                            "starts_with" => Test::StartsWith(self.text(test)?),
                            key if LATER.contains(&key) => Test::Later(key.replace('_', " ")),
                            key => {
                                return Err(self.error(test, &format!("unknown rule or argument: `{key}`")));
                            }
                        };
                        rule.tests.push((path.clone(), steps.clone(), read));
                    }
                }
                other => return Err(self.error(block, &format!("unknown block `{other}` in a rule"))),
            }
        }
        if rule.resource.is_empty() {
            return Err(format!("{}: rule `{}` does not say its `resource`", self.name, rule.name));
        }
        Ok(rule)
    }

    /// `id = assumed(notnull(stringprefix("vpc-")))`
    fn assumption(&self, resource: &str, attribute: &Attribute) -> Result<Assumption, String> {
        let mut read = Assumption {
            resource: resource.to_owned(),
            attribute: attribute.key.as_str().to_owned(),
            not_null: false,
            prefix: String::new(),
            line: self.line(attribute),
        };
        let mut inner = Some(&attribute.value);
        while let Some(expression) = inner {
            let call = expression.as_func_call().map(|call| {
                let arguments: Vec<&Expression> = call.args.iter().collect();
                (call.name.name.as_str(), arguments)
            });
            inner = match call.as_ref().map(|(name, arguments)| (*name, arguments.as_slice())) {
                Some(("assumed", [inner])) => Some(*inner),
                Some(("notnull", inner @ ([] | [_]))) => {
                    read.not_null = true;
                    inner.first().copied()
                }
                Some(("stringprefix", [Expression::String(prefix)])) => {
                    read.prefix = prefix.as_str().to_owned();
                    None
                }
                _ => {
                    let example = "assumed(notnull(stringprefix(\"vpc-\")))";
                    return Err(self.error(attribute, &format!("expected an assumption such as {example}")));
                }
            };
        }
        Ok(read)
    }
}

fn strings(value: &Expression) -> Vec<String> {
    let members = value.as_array().into_iter().flat_map(|array| array.iter());
    members.filter_map(|member| member.as_str().map(str::to_owned)).collect()
}

/// `ingress[*].cidr_blocks[*]`
fn steps(path: &str) -> Option<Vec<Step>> {
    let mut steps = Vec::new();
    for part in path.split('.') {
        let name = part.trim_end_matches("[*]");
        if name.is_empty() || name.contains(['[', ']']) {
            return None;
        }
        steps.push(Step::Attribute(name.to_owned()));
        let each = part.get(name.len()..).unwrap_or_default().matches("[*]").count();
        steps.extend(std::iter::repeat_n(Step::Each, each));
    }
    Some(steps)
}
