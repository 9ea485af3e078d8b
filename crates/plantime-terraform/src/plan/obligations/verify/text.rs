//! A verification as text for people.

use super::{Finding, Verification, VerificationTotals, Verified};
use crate::plan::obligations::{Expectation, Obligation};
use crate::plan::report::render::{Colour, TerminalText, plural};
use plantime::rule::Severity;

impl Verification {
    /// The findings, resource by resource, and the totals.
    pub fn text(&self, colour: Colour) -> String {
        let mut out = TerminalText::new(colour);
        let version = match &self.terraform_version {
            Some(version) => format!(" · state of Terraform {version}"),
            None => String::new(),
        };
        let count = self.verified.len();
        out.line(&format!("{} · {count} {}{version}", self.plan, plural(count, "obligation")));
        out.dim(&format!("  # plan sha256 {}", self.sha256));
        out.line("");
        let mut last = None;
        for verified in &self.verified {
            let address = verified.obligation.address.as_str();
            if last != Some(address) {
                out.line("");
                out.bold(&format!("  # {address}"));
                out.line("");
                last = Some(address);
            }
            write_row(&mut out, verified);
        }
        let VerificationTotals { upheld, broken, warned, not_verifiable } = self.totals();
        let mut parts = vec![format!("{upheld} upheld"), format!("{broken} broken")];
        if warned > 0 {
            parts.push(format!("{warned} warned"));
        }
        parts.push(format!("{not_verifiable} not verifiable"));
        out.line("");
        out.line(&format!("Obligations: {}.", parts.join(", ")));
        out.text
    }
}

/// Writes one finding as a row of a table, with its details in lines below.
fn write_row(out: &mut TerminalText, verified: &Verified) {
    out.word("    ", finding_word(verified), 16);
    out.line(&format!("{:<18} {}", rule_or_assumption(&verified.obligation), claim(&verified.obligation)));
    let mut detail = |text: &str| out.line(&format!("                    {text}"));
    if let (Some(description), false) =
        (verified.obligation.description(), verified.finding == Finding::Upheld)
    {
        detail(description);
    }
    if let (Some(origin), false) = (&verified.obligation.origin, verified.finding == Finding::Upheld) {
        detail(origin);
    }
    match &verified.finding {
        Finding::Upheld => {}
        Finding::NotVerifiable(why) => detail(why),
        Finding::Broken(breaches) => {
            for breach in breaches {
                let place = breach.path.to_string();
                match place.is_empty() || breach.message.contains(&place) {
                    true => detail(&breach.message),
                    false => detail(&format!("{place}: {}", breach.message)),
                }
            }
        }
    }
}

/// The word for a finding in the report. A broken rule of severity warning is a `warning`.
pub(super) fn finding_word(verified: &Verified) -> &'static str {
    match (&verified.finding, verified.severity()) {
        (Finding::Upheld, _) => "upheld",
        (Finding::Broken(_), Severity::Error) => "broken",
        (Finding::Broken(_), Severity::Warning) => "warning",
        (Finding::NotVerifiable(_), _) => "not verifiable",
    }
}

/// The name of the rule, or the word `assumption` or `fact`.
fn rule_or_assumption(obligation: &Obligation) -> &str {
    let stated = if obligation.origin.is_some() { "fact" } else { "assumption" };
    obligation.rule().unwrap_or(stated)
}

/// The claim that the obligation requires, in words, with its path before it.
fn claim(obligation: &Obligation) -> String {
    let path = obligation.path.to_string();
    let what = match &obligation.expectation {
        Expectation::Assumption(refinement) => refinement.to_string(),
        Expectation::SameAs(place) => format!("is the same as {place}"),
        Expectation::Test(open) => open.claim.clone(),
    };
    match (path.is_empty(), what.is_empty()) {
        (true, _) => what,
        (false, true) => path,
        (false, false) => format!("{path} {what}"),
    }
}
