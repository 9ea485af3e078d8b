//! Packs: folders with rules files that have a name and a version.

use super::reader::FREEDOM;
use plantime::source::{Problem, Source};
use plantime::unstable::text::nearest;
use plantime_hcl::unstable::{Problems, parse_body};

/// What `pack.hcl` says of the rules files beside it.
///
/// | argument | |
/// |---|---|
/// | `name` | the name of the pack |
/// | `version` | its version, such as `"1.2.0"` |
/// | `description` | what it is about, in words |
/// | `plantime` | the version of plantime that it needs at least: `">= 0.1.0"` |
///
/// Its parameters are the variables of its rules files.
///
/// ```
/// use plantime_terraform::plan::RulePack;
/// use plantime::source::Source;
///
/// let text = "name = \"basics\"\nversion = \"1.2.0\"\nplantime = \">= 0.1.0\"\n";
/// let pack = RulePack::read(&Source::new("basics/pack.hcl", text)).unwrap();
/// assert_eq!((pack.name.as_str(), pack.version.as_deref()), ("basics", Some("1.2.0")));
/// assert!(pack.is_for("0.1.0") && pack.is_for("0.10.0") && !pack.is_for("0.0.9"));
///
/// let problems = RulePack::read(&Source::new("pack.hcl", "nmae = \"basics\"\n")).unwrap_err();
/// assert_eq!(problems[0].to_string(), "pack.hcl:1:1: unknown argument `nmae`; the nearest is `name`");
/// ```
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct RulePack {
    /// The name that no other pack of a run has.
    pub name: String,
    /// The version, such as `1.2.0`.
    pub version: Option<String>,
    /// What it is about, in words.
    pub description: Option<String>,
    /// The version of plantime that it needs at least.
    pub least: Option<String>,
}

/// The arguments of `pack.hcl`.
const ARGUMENTS: [&str; 4] = ["description", "name", "plantime", "version"];

impl RulePack {
    /// The name of the file in the folder of a pack.
    pub const FILE: &'static str = "pack.hcl";

    /// What the text of a `pack.hcl` says.
    ///
    /// [Example](RulePack)
    ///
    /// # Errors
    ///
    /// Everything that is wrong, in the order of the file.
    pub fn read(source: &Source) -> Result<RulePack, Vec<Problem>> {
        let mut syntax = Problems::default();
        let body = parse_body(source, FREEDOM, &mut syntax);
        let mut problems: Vec<Problem> = syntax
            .iter()
            .map(|one| source.problem_at(one.position(), format!("{}: {}", one.summary(), one.detail())))
            .collect();
        if !problems.is_empty() {
            return Err(problems);
        }
        let mut pack = RulePack { name: String::new(), version: None, description: None, least: None };
        for argument in &body.arguments {
            let mut problem = |message: String| problems.push(source.problem(argument.span.start, message));
            let name = &*argument.name;
            if !ARGUMENTS.contains(&name) {
                let hint = nearest(name, ARGUMENTS)
                    .map_or_else(String::new, |near| format!("; the nearest is `{near}`"));
                problem(format!("unknown argument `{name}`{hint}"));
                continue;
            }
            let literal = argument.expression.as_literal();
            let text =
                literal.as_ref().and_then(|value| value.as_str().ok()).filter(|text| !text.trim().is_empty());
            let Some(text) = text.map(str::to_owned) else {
                problem(format!("`{name}` takes a text"));
                continue;
            };
            match name {
                "name" => pack.name = text,
                "version" if version(&text).is_none() => {
                    problem(format!("{text:?} is no version: expected one such as \"1.2.0\""));
                }
                "version" => pack.version = Some(text),
                "plantime" => {
                    match text.strip_prefix(">=").map(str::trim).filter(|least| version(least).is_some()) {
                        Some(least) => pack.least = Some(least.to_owned()),
                        None => problem(format!(
                            "`plantime` takes the least version, such as \">= 0.1.0\", not {text:?}"
                        )),
                    }
                }
                _ => pack.description = Some(text),
            }
        }
        for block in &body.blocks {
            let message = format!("a pack has no blocks: {} stands beside it, in a rules file", &*block.kind);
            problems.push(source.problem(block.span.start, message));
        }
        if pack.name.is_empty() && problems.is_empty() {
            problems.push(source.problem(0, "the pack has no `name`"));
        }
        if problems.is_empty() { Ok(pack) } else { Err(problems) }
    }

    /// Whether the pack can be used with this version of plantime.
    ///
    /// [Example](RulePack)
    pub fn is_for(&self, plantime: &str) -> bool {
        let least = self.least.as_deref().and_then(version);
        least.is_none_or(|least| version(plantime).is_none_or(|plantime| plantime >= least))
    }
}

/// The numbers of a version, without what comes after a hyphen or a plus; `None` if it is none.
fn version(text: &str) -> Option<[u64; 3]> {
    let numbers = text.split(['-', '+']).next().unwrap_or_default();
    let mut version = [0; 3];
    let mut parts = numbers.split('.');
    for (at, number) in version.iter_mut().enumerate() {
        match parts.next() {
            Some(part) if part.bytes().all(|byte| byte.is_ascii_digit()) => *number = part.parse().ok()?,
            None if at > 0 => {}
            _ => return None,
        }
    }
    parts.next().is_none().then_some(version)
}
