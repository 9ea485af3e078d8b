//! One rule and one plan, asked through every front.

use std::collections::BTreeMap;
use std::fmt;
use std::sync::Arc;

use plantime::source::Source;
use plantime_schema::ProviderSchemas;
use plantime_terraform::plan::{
    CheckOptions, Configuration, Plan, PlanReport, RulesFile, TestVerdict, check, check_askable,
    check_configuration,
};

use super::short::{Shapes, Short, add_named, extend, schemas};
use super::{binary, json};

/// How a rule meets a plan.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) enum Front {
    /// The binary plan, with its configuration and the schemas.
    Binary,
    BinaryWithoutSchemas,
    Json,
    JsonWithoutSchemas,
    /// Plan JSON with the configuration in files, and the schemas.
    JsonWithConfiguration,
    /// The binary plan as this project writes it in JSON: without what is sensitive, or may be.
    WrittenJson,
    /// The configuration without a plan.
    Configuration,
    ConfigurationWithoutSchemas,
}

pub(crate) const FRONTS: [Front; 8] = [
    Front::Binary,
    Front::BinaryWithoutSchemas,
    Front::Json,
    Front::JsonWithoutSchemas,
    Front::JsonWithConfiguration,
    Front::WrittenJson,
    Front::Configuration,
    Front::ConfigurationWithoutSchemas,
];

impl Front {
    /// The name in files of cases.
    pub(crate) fn name(self) -> &'static str {
        match self {
            Front::Binary => "binary",
            Front::BinaryWithoutSchemas => "binary without schemas",
            Front::Json => "json",
            Front::JsonWithoutSchemas => "json without schemas",
            Front::JsonWithConfiguration => "json with configuration",
            Front::WrittenJson => "written json",
            Front::Configuration => "configuration",
            Front::ConfigurationWithoutSchemas => "configuration without schemas",
        }
    }

    fn has_schemas(self) -> bool {
        !matches!(
            self,
            Front::BinaryWithoutSchemas | Front::JsonWithoutSchemas | Front::ConfigurationWithoutSchemas
        )
    }

    /// Whether the front lacks so much that it may say undetermined, or not ask, everywhere.
    fn knows_less(self) -> bool {
        self.is_configuration() || self == Front::WrittenJson
    }

    /// Whether there is no plan: what the provider has chosen is not known.
    pub(crate) fn is_configuration(self) -> bool {
        matches!(self, Front::Configuration | Front::ConfigurationWithoutSchemas)
    }
}

/// The plans of a case, with the schemas that come from all of them.
pub(crate) struct Plans {
    pub(crate) plans: Vec<Short>,
    pub(crate) schemas: ProviderSchemas,
}

impl Plans {
    pub(crate) fn read<'t>(texts: impl IntoIterator<Item = &'t str>, rules: &str) -> Plans {
        Plans::read_with(texts, rules, &Shapes::new())
    }

    /// The plans, with what other plans say of the attributes of their types.
    pub(crate) fn read_with<'t>(
        texts: impl IntoIterator<Item = &'t str>,
        rules: &str,
        all: &Shapes,
    ) -> Plans {
        let plans: Vec<Short> = texts.into_iter().map(Short::read).collect();
        let mut shapes = Shapes::new();
        for plan in &plans {
            plan.add_shapes(&mut shapes);
        }
        extend(&mut shapes, all);
        add_named(&mut shapes, rules);
        let schemas = schemas(&shapes, &plans);
        Plans { plans, schemas }
    }

    /// The report on a plan from a front; `None` where the front has no such plan.
    pub(crate) fn report(&self, at: usize, rules: &str, front: Front) -> Option<PlanReport> {
        let short = &self.plans[at];
        let none = ProviderSchemas::new();
        let schemas = if front.has_schemas() { &self.schemas } else { &none };
        if front.is_configuration() {
            if !short.is_configuration() {
                return None;
            }
            let files = short.configuration();
            let configuration = Configuration::open_tolerantly(files, "").unwrap();
            let against = options(rules, schemas.clone(), Some(configuration));
            return Some(
                check_configuration("infra", &BTreeMap::new(), &against)
                    .unwrap_or_else(|problems| panic!("{front}: {problems:#?}")),
            );
        }
        let contents = short.contents(&self.schemas);
        let (plan, configuration) = match front {
            Front::Binary | Front::BinaryWithoutSchemas => {
                let plan = Plan::read_binary(&binary::write(&contents), schemas);
                let plan = plan.unwrap_or_else(|error| panic!("{front}: {error}"));
                let configuration = Configuration::of_plan(&plan).unwrap().unwrap();
                (plan, Some(configuration))
            }
            _ => {
                let text = match front {
                    Front::WrittenJson => {
                        let plan = Plan::read_binary(&binary::write(&contents), schemas).unwrap();
                        plan.to_json_text(schemas).unwrap()
                    }
                    _ => json::write(&contents),
                };
                let plan = Plan::read(text.as_bytes(), schemas);
                let plan = plan.unwrap_or_else(|error| panic!("{front}: {error}\n{text}"));
                let configuration = (front == Front::JsonWithConfiguration)
                    .then(|| Configuration::open(short.configuration(), "").unwrap());
                (plan, configuration)
            }
        };
        let against = options(rules, plan.schemas_with(schemas), configuration);
        Some(check("plan", &plan, &against).unwrap_or_else(|problems| panic!("{front}: {problems:#?}")))
    }
}

/// The options of a check of these rules.
pub(crate) fn options(
    rules: &str,
    schemas: ProviderSchemas,
    configuration: Option<Configuration>,
) -> CheckOptions {
    let rules =
        RulesFile::read(Source::new("rules.hcl", rules)).unwrap_or_else(|problems| panic!("{problems:#?}"));
    let rules = rules.on("2026-11-28".parse().unwrap());
    CheckOptions { rules, schemas, configuration, show_values: false, facts: Default::default() }
}

impl fmt::Display for Front {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.name())
    }
}

/// Asks the rules of a file on a binary plan, as far as they can be asked, and gives the answer of one of them.
pub(crate) fn answer_in_file(plans: &Plans, at: usize, file: &str, name: &str) -> &'static str {
    let bytes = binary::write(&plans.plans[at].contents(&plans.schemas));
    let plan = Plan::read_binary(&bytes, &plans.schemas).unwrap();
    let configuration = Configuration::of_plan(&plan).unwrap().unwrap();
    let against = options(file, plans.schemas.clone(), Some(configuration));
    let mut report =
        check_askable("plan", &plan, &against).unwrap_or_else(|problems| panic!("{problems:#?}"));
    for checked in &mut report.checked {
        checked.answers.retain(|answer| answer.rule.split('[').next() == Some(name));
    }
    answer_of(&report)
}

/// The answer of a rule as a whole: `fail` if one fails, else `undetermined` if one is, else `pass`; `none` if it is not asked.
pub(crate) fn answer_of(report: &PlanReport) -> &'static str {
    let answers = report.checked.iter().flat_map(|checked| &checked.answers);
    let words: Vec<&str> = answers
        .map(|answer| match &answer.verdict {
            TestVerdict::Pass => "pass",
            TestVerdict::Fail(_) => "fail",
            TestVerdict::Undetermined(_) => "undetermined",
            _ => "none",
        })
        .collect();
    let order = ["fail", "undetermined", "pass", "none"];
    order.into_iter().find(|word| words.contains(word)).unwrap_or("none")
}

/// A case: a rule, and plans with the answers that are expected.
pub(crate) struct Case {
    pub(crate) name: String,
    pub(crate) rule: String,
    /// The answer, and the plan in few words.
    pub(crate) plans: Vec<(String, String)>,
    /// `never ANSWER` or `FRONT ANSWER`, and the reason.
    pub(crate) allowed: Vec<(String, String)>,
}

impl Case {
    /// The cases of a file. Each begins with `=== NAME` and its rule; plans begin with `--- ANSWER`, what fronts cannot know is
    /// `--- on FRONT ANSWER: REASON`, an answer that the rule cannot have `--- never ANSWER: REASON`.
    pub(crate) fn read_all(text: &str) -> Vec<Case> {
        let mut cases: Vec<Case> = Vec::new();
        for block in text.split("\n=== ").skip(1) {
            let mut parts = block.split("\n--- ");
            let (name, rule) = parts.next().unwrap().split_once('\n').unwrap();
            let mut case = Case {
                name: name.trim().to_owned(),
                rule: rule.to_owned(),
                plans: Vec::new(),
                allowed: Vec::new(),
            };
            for part in parts {
                let (head, text) = part.split_once('\n').unwrap_or((part, ""));
                match head.split_once(": ") {
                    Some((what, reason)) if what.starts_with("on ") || what.starts_with("never ") => {
                        let what = what.strip_prefix("on ").unwrap_or(what);
                        case.allowed.push((what.to_owned(), reason.to_owned()));
                    }
                    _ => case.plans.push((head.trim().to_owned(), text.to_owned())),
                }
            }
            cases.push(case);
        }
        cases
    }

    /// Whether a front may give this answer in place of another.
    fn is_allowed(&self, front: Front, answer: &str) -> bool {
        self.allowed.iter().any(|(what, _)| {
            let (fronts, allowed) = what.rsplit_once(' ').unwrap();
            let is_of =
                |name: &str| name == front.name() || name == "json*" && front.name().starts_with("json");
            allowed == answer && fronts.split(", ").any(is_of)
        })
    }
}

/// How many questions were asked, and how many fronts knew less.
#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct Asked {
    pub(crate) rules: usize,
    pub(crate) plans: usize,
    pub(crate) answers: usize,
    pub(crate) weaker: usize,
}

/// Asks each plan of a case through every front. `shared` are the variables and locals of its file. What is wrong is added.
pub(crate) fn ask(case: &Case, shared: &str, wrong: &mut Vec<String>, asked: &mut Asked) {
    let rules = format!("{shared}\n{}", case.rule);
    asked.rules += 1;
    let plans = Plans::read(case.plans.iter().map(|(_, text)| text.as_str()), &rules);
    for word in ["pass", "fail", "undetermined"] {
        let has_plan = case.plans.iter().any(|(expected, _)| expected == word);
        let never = case.allowed.iter().any(|(what, _)| *what == format!("never {word}"));
        if has_plan == never {
            wrong.push(format!("{}: {word} has {} plan", case.name, if has_plan { "a" } else { "no" }));
        }
    }
    for (at, (expected, _)) in case.plans.iter().enumerate() {
        asked.plans += 1;
        for front in FRONTS {
            let ask = || plans.report(at, &rules, front).map(|report| answer_of(&report));
            let found = std::panic::catch_unwind(std::panic::AssertUnwindSafe(ask));
            let answer = match found {
                Ok(Some(answer)) => answer.to_owned(),
                Ok(None) => continue,
                Err(panic) => panic.downcast_ref::<String>().cloned().unwrap_or_default(),
            };
            asked.answers += 1;
            if answer == *expected {
                continue;
            }
            let knows_less = front.knows_less() && matches!(&*answer, "undetermined" | "none");
            if knows_less || case.is_allowed(front, &answer) {
                asked.weaker += 1;
                continue;
            }
            wrong.push(format!("{} ({at}, {front}): {answer}, expected {expected}", case.name));
        }
    }
}

/// Asks all cases of a file, on two threads.
pub(crate) fn ask_all(cases: &[Case], shared: &str) -> Asked {
    let halves = cases.split_at(cases.len() / 2);
    let shared: Arc<str> = shared.into();
    let of = |cases: &[Case]| {
        let (mut wrong, mut asked) = (Vec::new(), Asked::default());
        for case in cases {
            let before = wrong.len();
            let found = std::panic::catch_unwind(std::panic::AssertUnwindSafe(|| {
                ask(case, &shared, &mut wrong, &mut asked);
            }));
            if let Err(panic) = found {
                wrong.truncate(before);
                wrong.push(format!("{}: {:?}", case.name, panic.downcast_ref::<String>()));
            }
        }
        (wrong, asked)
    };
    let (one, other) = std::thread::scope(|scope| {
        let other = scope.spawn(|| of(halves.1));
        (of(halves.0), other.join().unwrap())
    });
    let wrong: Vec<String> = one.0.into_iter().chain(other.0).collect();
    assert!(wrong.is_empty(), "{} wrong:\n{}", wrong.len(), wrong.join("\n"));
    Asked {
        rules: one.1.rules + other.1.rules,
        plans: one.1.plans + other.1.plans,
        answers: one.1.answers + other.1.answers,
        weaker: one.1.weaker + other.1.weaker,
    }
}
