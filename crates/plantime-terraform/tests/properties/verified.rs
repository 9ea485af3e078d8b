//! What `verify` finds is what a check of the applied value says: for random rules, values and settings for nulls.

use std::cell::RefCell;
use std::collections::BTreeMap;

use plantime::rule::Rule;
use plantime::sample::Size;
use plantime::source::Position;
use plantime::strategy::rule_for;
use plantime::{Type, Value};
use plantime_schema::ProviderSchemas;
use plantime_terraform::plan::{
    Expectation, Finding, NamedRule, OnNull, PlanReport, RulesFile, State, TestVerdict,
};
use proptest::prelude::Strategy;

use crate::law;
use crate::plans::{Case, PLAN, STATE, cases, named, object, report, rules, test};

/// What a report says of a rule.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
enum Word {
    Pass,
    Undetermined,
    /// Undetermined, since a value without a schema does not say of which kind it is: an unknown of a known type may say more.
    KindNotStated,
    Fail,
}

fn words(report: &PlanReport) -> BTreeMap<String, Word> {
    let mut words = BTreeMap::new();
    for answer in report.checked.iter().flat_map(|checked| &checked.answers) {
        let word = match &answer.verdict {
            TestVerdict::Fail(_) => Word::Fail,
            TestVerdict::Undetermined(reason)
                if reason.why.notes().iter().any(|note| note.contains("of which kind")) =>
            {
                Word::KindNotStated
            }
            TestVerdict::Undetermined(_) => Word::Undetermined,
            _ => Word::Pass,
        };
        let said = words.entry(answer.rule.to_string()).or_insert(word);
        *said = (*said).max(word);
    }
    words
}

fn null_of(choice: usize) -> Option<OnNull> {
    [None, Some(OnNull::Pass), Some(OnNull::Fail), Some(OnNull::Undetermined)][choice % 4]
}

/// A rule that was checked, with further rules, and the setting for nulls of each.
#[derive(Clone, Debug)]
struct Asked {
    case: Case,
    nulls: Vec<usize>,
    more: Vec<Rule>,
}

fn asked() -> impl Strategy<Value = Asked> {
    (cases(), proptest::collection::vec(0..4_usize, 8)).prop_flat_map(|(case, nulls)| {
        let (x, y) = (case.a.concrete().ty(), case.b.concrete().ty());
        let more = (rule_for(x, Size::default()), rule_for(y, Size::default()));
        more.prop_map(move |(a, b)| Asked { case: case.clone(), nulls: nulls.clone(), more: vec![a, b] })
    })
}

/// Each rule with one test, so that what a rule says is what its test says.
fn file(asked: &Asked) -> RulesFile {
    let mut file = rules(&asked.case);
    let combined =
        asked.more.iter().zip(["a", "b"]).map(|(rule, name)| Rule::at(name.parse().unwrap(), rule.clone()));
    let combined: Vec<Rule> = combined.filter_map(Result::ok).collect();
    let more: [(&str, Option<Rule>); 3] = [
        ("any", Rule::any(combined.clone()).ok()),
        ("all", Rule::all(combined.clone()).ok()),
        (
            "implies",
            combined.first().zip(combined.get(1)).and_then(|(a, b)| Rule::implies(a.clone(), b.clone()).ok()),
        ),
    ];
    let more = more.into_iter().filter_map(|(name, rule)| Some(named(name, None, vec![test(None, rule?)])));
    file.rules.extend(more.collect::<Vec<NamedRule>>());
    for (line, (rule, null)) in (1..).zip(file.rules.iter_mut().zip(&asked.nulls)) {
        rule.tests[0].null = null_of(*null);
        // An obligation that two tests leave at one position is one.
        rule.tests[0].position = Position::at(line, 1);
    }
    file.on_null = null_of(asked.nulls[7]).unwrap_or_default();
    file
}

#[derive(Default)]
struct Seen {
    compared: BTreeMap<(Word, &'static str, Word), usize>,
    wrong: BTreeMap<String, (usize, String)>,
}

fn compare(asked: &Asked, seen: &mut Seen) {
    let case = &asked.case;
    let planned = object(case.a.value(), case.b.value());
    let outcome = object(case.a.concrete(), case.b.concrete());
    let mut file = file(asked);
    // What cannot be asked of the outcome is left out.
    let all = std::mem::take(&mut file.rules);
    for rule in all {
        file.rules.push(rule);
        if report(&outcome, &case.before, &file).is_none() || report(&planned, &case.before, &file).is_none()
        {
            file.rules.pop();
        }
    }
    let (Some(at_plan), Some(afresh)) =
        (report(&planned, &case.before, &file), report(&outcome, &case.before, &file))
    else {
        return;
    };
    let mut state = State::read(STATE, &ProviderSchemas::new()).unwrap();
    state.resources.first_mut().unwrap().value = outcome;
    let verification = at_plan.obligations(PLAN).verify(&state);
    let mut found: BTreeMap<&str, &'static str> = BTreeMap::new();
    for one in &verification.verified {
        let is_test = matches!(one.obligation.expectation, Expectation::Test(_));
        if !is_test && one.finding != Finding::Upheld {
            // Answers hold where the assumptions do.
            return;
        }
        let Some(rule) = one.obligation.rule() else { continue };
        let word = match &one.finding {
            Finding::Upheld => "upheld",
            Finding::Broken(_) => "broken",
            Finding::NotVerifiable(_) => "not verifiable",
        };
        let said = found.entry(rule).or_insert(word);
        if word == "broken" || *said == "upheld" {
            *said = word;
        }
    }
    let (before, after) = (words(&at_plan), words(&afresh));
    for (name, word) in &before {
        let after = after.get(name).copied().unwrap_or(Word::Pass);
        let finding = found.get(name.as_str()).copied();
        *seen.compared.entry((*word, finding.unwrap_or("nothing left"), after)).or_default() += 1;
        let is_right = match (word, finding, after) {
            (_, _, Word::KindNotStated) => true,
            (Word::Pass, None, after) => after == Word::Pass,
            (Word::Fail, _, after) => after == Word::Fail,
            (_, Some("upheld"), after) => after == Word::Pass,
            (_, Some("broken"), after) => after == Word::Fail,
            (_, Some(_), _) => true,
            (_, None, _) => false,
        };
        if !is_right {
            let rule = file.rules.iter().find(|rule| rule.name == *name).unwrap();
            let kind = format!(
                "{name} null {:?} of {:?}: {word:?}, {finding:?}, then {after:?}",
                rule.tests[0].null, file.on_null
            );
            let verified: Vec<_> =
                verification.verified.iter().filter(|one| one.obligation.rule() == Some(name)).collect();
            let example = || {
                format!(
                    "{:?} {:?} guard {:?} on {planned:?} then {:?} before {:?}: {verified:?}",
                    rule.tests[0].path,
                    rule.tests[0].rule,
                    rule.guard,
                    object(case.a.concrete(), case.b.concrete()),
                    case.before
                )
            };
            seen.wrong.entry(kind).or_insert_with(|| (0, example())).0 += 1;
        }
    }
}

#[test]
fn verify_finds_what_a_check_of_the_applied_value_says() {
    let seen = RefCell::new(Seen::default());
    law(1024, &asked(), |asked| compare(&asked, &mut seen.borrow_mut()));
    let seen = seen.into_inner();
    println!("{:?}", seen.compared);
    let wrong: Vec<String> =
        seen.wrong.iter().map(|(kind, (count, example))| format!("{count} {kind}: {example}")).collect();
    seen.wrong.iter().for_each(|(kind, (count, _))| println!("{count} {kind}"));
    assert!(wrong.is_empty(), "{} kinds:\n{}", wrong.len(), wrong.join("\n"));
}

/// A null that passes `implies` passes it too where another part of the value is unknown.
#[test]
fn a_null_passes_an_implication_beside_what_is_not_known() {
    let part = Rule::all([Rule::when(Rule::IsNull, Rule::NotNull).unwrap(), Rule::starts_with("x")]).unwrap();
    let implies = Rule::implies(Rule::any([Rule::IsNull, Rule::NotNull]).unwrap(), part);
    let at = |name: &str, rule: Rule| Rule::at(name.parse().unwrap(), rule).unwrap();
    let both = Rule::all([at("a", implies.unwrap()), at("b", Rule::no_nulls())]).unwrap();
    let mut file = RulesFile::read(plantime::source::Source::new("rules.hcl", "")).unwrap();
    file.rules = vec![named("both", None, vec![test(None, both)])];
    let lists = Type::list(Type::String).unwrap();
    let (null, open) = (Value::null(Type::String), Value::unknown(lists));
    let after = object(&null, &open);
    let said = words(&report(&after, &after, &file).unwrap());
    assert_eq!(said["both"], Word::Undetermined);
}
