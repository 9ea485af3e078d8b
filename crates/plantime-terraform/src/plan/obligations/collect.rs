//! Takes the obligations out of a report.

use std::collections::{BTreeMap, BTreeSet, HashSet};

use super::{Expectation, Obligation, Obligations, RemainingRule, UndeterminedTest, condition, write};
use crate::plan::knowledge::Origin;
use crate::plan::knowledge::facts::UsedFact;
use crate::plan::report::{CheckedResource, PlanReport, Reason, TestAnswer, TestVerdict};
use plantime::rule::{ExprStep, Rule};
use plantime::source::{Position, Source};
use plantime::{Value, View};

impl PlanReport {
    /// The obligations that a check leaves, to be verified after the apply: the assumptions that the answers rest on, and
    /// the undetermined rules. `plan` is the JSON text of the plan, whose hash identifies it.
    ///
    /// They are listed resource by resource, the assumptions of each first. An obligation that several places need is in the list
    /// once.
    ///
    /// ```
    /// use plantime_terraform::plan::{CheckOptions, Obligations, Plan, RulesFile, check, example};
    /// use plantime::source::Source;
    /// use plantime_schema::ProviderSchemas;
    ///
    /// let json = example::PLAN;
    /// let schemas = ProviderSchemas::new();
    /// let plan = Plan::read(json, &schemas)?;
    /// let rules = "rule \"r\" {\n  resource = \"aws_vpc\"\n  attribute \"id\" { starts_with = \"vpc-\" }\n}\n";
    /// let rules = RulesFile::read(Source::new("rules.hcl", rules)).unwrap();
    /// let against = CheckOptions { rules, schemas, configuration: None, show_values: false, facts: Default::default() };
    /// let report = check("plan.json", &plan, &against).unwrap();
    ///
    /// let obligations: Obligations = report.obligations(json);
    /// assert_eq!(obligations.obligations[0].rule(), Some("r"));
    /// assert!(obligations.are_of(json));
    /// # Ok::<(), plantime::Error>(())
    /// ```
    pub fn obligations(&self, plan: &[u8]) -> Obligations {
        let mut assumed: BTreeMap<&str, Vec<Obligation>> = BTreeMap::new();
        for (address, stated) in &self.assumed {
            assumed.entry(address).or_default().push(Obligation {
                address: address.clone(),
                path: stated.assumption.path.clone(),
                position: stated.position,
                file: file_name(&self.rules, stated.position),
                origin: None,
                expectation: Expectation::Assumption(stated.assumption.refinement.clone()),
            });
        }
        for (address, fact) in self.facts_with_addresses() {
            assumed.entry(address).or_default().push(Obligation {
                address: address.to_owned(),
                path: fact.path.clone(),
                position: Position::at(1, 1),
                file: None,
                origin: Some(fact.origin.to_string()),
                expectation: Expectation::Assumption(fact.refinement.clone()),
            });
        }
        for copy in &self.copies {
            assumed.entry(&copy.place.address).or_default().push(Obligation {
                address: copy.place.address.clone(),
                path: copy.place.path.clone(),
                position: Position::at(1, 1),
                file: None,
                origin: Some(copy.origin.to_string()),
                expectation: Expectation::SameAs(copy.of.clone()),
            });
        }
        let mut obligations = Vec::new();
        for checked in &self.checked {
            let mut seen = HashSet::new();
            obligations.extend(assumed.remove(checked.address()).unwrap_or_default());
            for answer in &checked.answers {
                let TestVerdict::Undetermined(reason) = &answer.verdict else { continue };
                let place = reason.same_as.as_ref().map(|open| &open.place);
                if seen.insert((answer.position, &reason.about, reason.remaining().to_string(), place)) {
                    obligations.push(self.test_obligation(checked, answer, reason));
                }
            }
        }
        // The assumptions about resources without an entry in the report.
        obligations.extend(assumed.into_values().flatten());
        let facts = self.recorded_facts(&obligations);
        let sensitive = self.marked_places(&obligations, facts.as_ref());
        Obligations {
            plan: self.name.clone(),
            sha256: super::sha256::sha256(plan),
            terraform_version: self.terraform_version.clone(),
            rules: self.rules.name().to_owned(),
            sensitive,
            obligations,
            facts,
        }
    }

    /// The facts that the answers rest on, each once, with the address of its resource. What a schema promises is left out
    /// where another fact about the same place says it too: where that one is upheld, so is the promise.
    fn facts_with_addresses(&self) -> impl Iterator<Item = (&str, &UsedFact)> {
        self.checked.iter().flat_map(|checked| {
            let is_said_again = |fact: &UsedFact| {
                let others = checked.facts.iter().filter(|other| other.path == fact.path);
                matches!(fact.origin, Origin::Schema(_))
                    && others
                        .filter(|other| !matches!(other.origin, Origin::Schema(_)))
                        .any(|other| fact.refinement.contains(&other.refinement))
            };
            let facts = checked.facts.iter().filter(move |fact| !is_said_again(fact));
            facts.map(|fact| (checked.address(), fact))
        })
    }

    /// The obligation that an undetermined answer leaves: the rest of its rule, at its place.
    fn test_obligation(&self, checked: &CheckedResource, answer: &TestAnswer, reason: &Reason) -> Obligation {
        let rule = reason.remaining();
        let guarded = "`when` is undetermined too, and the rule compares with another place";
        let compared = reason.same_as.as_ref().map(|open| match open.is_guarded {
            true => RemainingRule::NotWritable(guarded.to_owned()),
            false => RemainingRule::SameAs(open.place.clone()),
        });
        let compared = compared
            .or_else(|| reason.not_askable.map(|reason| RemainingRule::NotWritable(reason.to_owned())));
        let unless_null = reason.null_says_nothing.then_some(&*reason.test);
        let of_value = || {
            let before = prior_attributes(rule, checked.before.as_ref())?;
            match condition::remaining(rule, before.clone(), answer.side, reason)? {
                Some(condition) => Ok(RemainingRule::Condition(Box::new(condition))),
                None => {
                    write::rule_form(rule)?;
                    unless_null.into_iter().try_for_each(|rule| write::rule_form(rule).map(drop))?;
                    Ok(RemainingRule::Rule { rule: rule.clone(), before })
                }
            }
        };
        let of_value = || of_value().unwrap_or_else(RemainingRule::NotWritable);
        let remaining = compared.unwrap_or_else(of_value);
        let unless_null = unless_null.filter(|_| matches!(remaining, RemainingRule::Rule { .. }));
        Obligation {
            address: checked.address().to_owned(),
            path: reason.about.clone(),
            position: answer.position,
            file: file_name(&self.rules, answer.position),
            origin: None,
            expectation: Expectation::Test(UndeterminedTest {
                name: answer.rule.to_string(),
                description: self.description(&answer.rule).map(str::to_owned),
                severity: answer.severity,
                claim: answer.claim.to_string(),
                remaining,
                unless_null: unless_null.cloned().map(Box::new),
                passes_if: match &reason.same_as {
                    Some(_) => reason.passes_if(),
                    None => rule.turns_out(),
                },
                waits_for: reason.depends_on.clone(),
                message: reason.message.clone(),
            }),
        }
    }
}

/// The name of the rules file that a position is in; `None` if there is only one file.
fn file_name(rules: &Source, position: Position) -> Option<String> {
    (rules.files().len() > 1).then(|| rules.file(position).name().to_owned())
}

/// The prior values of the attributes that a rule about changes reads; `None` if it reads none. `Err` if they are
/// marked or cannot be written.
fn prior_attributes(rule: &Rule, before: Option<&Value>) -> Result<Option<Value>, String> {
    let Some(before) = before.filter(|_| rule.reads_before()) else { return Ok(None) };
    let hidden = || "it compares with a value before that is marked, which is not written down".to_owned();
    let mut names = BTreeSet::new();
    let selected = match before.view() {
        View::Object(object) if collect_attributes(rule, &mut names) => {
            let selected = object.iter().filter(|(name, _)| names.contains(*name));
            Value::object(selected.map(|(name, value)| (name, value.clone())))
                .map_err(|error| error.to_string())?
        }
        _ => before.clone(),
    };
    if selected.contains_marks() {
        return Err(hidden());
    }
    write::typed_value(&selected).map_err(|error| error.to_string())?;
    Ok(Some(selected))
}

/// Adds the names of the attributes whose prior values a rule reads. Returns false if it may read all of the prior
/// value.
fn collect_attributes<'r>(rule: &'r Rule, names: &mut BTreeSet<&'r str>) -> bool {
    match rule {
        rule if !rule.reads_before() => true,
        Rule::At(path, _) => match path.steps().first() {
            Some(ExprStep::Attr(name)) => {
                names.insert(name);
                true
            }
            _ => false,
        },
        rule => rule.nested().next().is_some() && rule.nested().all(|rule| collect_attributes(rule, names)),
    }
}
