//! A report as JUnit XML, the form in which build servers take the results of tests.

use std::fmt::Write as _;
use std::io;

use super::PlanReport;
use super::finding::FindingKind;
use super::render::{AnswerKind, printable};
use crate::plan::Baseline;

impl PlanReport {
    /// Writes the report as a `testsuite` of JUnit XML: an element of `testsuites` in a document. Each answer is a test
    /// case, whose class is the address.
    ///
    /// | answer | test case |
    /// |---|---|
    /// | pass | passes |
    /// | fail, contradicted assumption | `<failure>` |
    /// | failure that fails nothing, or that a baseline knows | passes, with the failure in `<system-out>` |
    /// | undetermined, skipped | `<skipped>` with the reason |
    ///
    /// So is each gap of the plan, of the class that the plan is named: planning that failed is an `<error>`, as resources that
    /// break a rule may be missing, unless the report [allows it](PlanReport::allow_errored); anything else is `<skipped>`, and so are rules and skips that match nothing.
    ///
    /// It has what `junit-10.xsd` asks for, the schema of Jenkins' plugin xUnit, and beside it the place of the resource in the
    /// configuration as `file` and `line` of the test case, where that was read; the schema does not have these two, and readers
    /// of annotations do. Marked content appears nowhere.
    ///
    /// ```
    /// use plantime_terraform::plan::{CheckOptions, Plan, RulesFile, check};
    /// use plantime::source::Source;
    /// use plantime_schema::ProviderSchemas;
    ///
    /// let plan = Plan::read(br#"{"format_version": "1.2", "resource_changes": []}"#, &ProviderSchemas::new())?;
    /// let rules = RulesFile::read(Source::new("rules.hcl", "")).unwrap();
    /// let against = CheckOptions { rules, schemas: ProviderSchemas::new(), configuration: None, show_values: false, facts: Default::default() };
    /// let mut suite = Vec::new();
    /// check("plan.json", &plan, &against).unwrap().write_junit(&mut suite)?;
    /// assert!(suite.starts_with(b"<testsuite name=\"plan.json\" tests=\"0\" failures=\"0\" errors=\"0\" skipped=\"0\">"));
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    ///
    /// # Errors
    ///
    /// Those of the writer.
    pub fn write_junit(&self, mut writer: impl io::Write) -> io::Result<()> {
        let (mut tests, mut failures, mut skipped) = (0usize, 0usize, 0usize);
        let besides = self.gap_cases();
        for (_, is_error) in &besides {
            tests = tests.saturating_add(1);
            skipped = skipped.saturating_add(usize::from(!is_error));
        }
        let errors = besides.iter().filter(|(_, is_error)| *is_error).count();
        for finding in self.findings() {
            let count = |count: &mut usize| *count = count.saturating_add(1);
            count(&mut tests);
            match finding.kind {
                FindingKind::Contradicted | FindingKind::Expired | FindingKind::Answer(AnswerKind::Fail) => {
                    count(&mut failures);
                }
                FindingKind::Answer(AnswerKind::Undetermined | AnswerKind::Skipped) => count(&mut skipped),
                FindingKind::Answer(AnswerKind::Pass | AnswerKind::Warning | AnswerKind::Known) => {}
            }
        }
        writeln!(
            writer,
            "<testsuite name=\"{}\" tests=\"{tests}\" failures=\"{failures}\" errors=\"{errors}\" skipped=\"{skipped}\">",
            xml(&self.name)
        )?;
        for (case, _) in &besides {
            writeln!(writer, "{case}")?;
        }
        for finding in self.findings() {
            let separator = if finding.claim.is_empty() { "" } else { ": " };
            let id = self.metadata(finding.rule).and_then(|metadata| metadata.id.as_deref());
            let id = id.map_or_else(String::new, |id| format!("{id} "));
            let name = xml(&format!("{id}{}{separator}{}", finding.rule, finding.claim));
            let mut case = format!("  <testcase classname=\"{}\" name=\"{name}\"", xml(finding.address));
            if let Some(place) = &finding.resource_location {
                // Writing to a string cannot fail.
                let _ = write!(case, " file=\"{}\"", xml(&place.file));
                if let Some(line) = place.line {
                    let _ = write!(case, " line=\"{line}\"");
                }
            }
            let (summary, message) = (xml(&finding.summary), xml(&finding.message));
            let content = match finding.kind {
                FindingKind::Answer(AnswerKind::Pass) => {
                    writeln!(writer, "{case}/>")?;
                    continue;
                }
                FindingKind::Contradicted | FindingKind::Expired | FindingKind::Answer(AnswerKind::Fail) => {
                    format!(
                        "<failure message=\"{summary}\" type=\"{}\">{message}</failure>",
                        xml(finding.rule)
                    )
                }
                FindingKind::Answer(kind @ (AnswerKind::Warning | AnswerKind::Known)) => {
                    format!("<system-out>{}: {summary}\n{message}</system-out>", kind.word())
                }
                FindingKind::Answer(AnswerKind::Undetermined | AnswerKind::Skipped) => {
                    format!("<skipped message=\"{}\"/>", message.replace('\n', " "))
                }
            };
            writeln!(writer, "{case}>{content}</testcase>")?;
        }
        writer.write_all(b"</testsuite>\n")
    }

    /// A test suite of the failures of a baseline that no longer fail, each as a test that passes; nothing if there are none.
    ///
    /// ```
    /// use plantime_terraform::plan::{Baseline, PlanReport};
    ///
    /// let json = br#"{"format_version": "1.0", "failures": [{"rule": "tags", "address": "aws_vpc.a", "place": "tags"}]}"#;
    /// let suite = PlanReport::junit_of_baseline(&Baseline::read(json)?);
    /// assert!(suite.contains("<testcase classname=\"aws_vpc.a\" name=\"tags: tags\">"));
    /// # Ok::<(), plantime::Error>(())
    /// ```
    pub fn junit_of_baseline(vanished: &Baseline) -> String {
        if vanished.is_empty() {
            return String::new();
        }
        let cases: Vec<String> = vanished
            .failures()
            .map(|known| {
                let name = match known.place.as_str() {
                    "" => known.rule.clone(),
                    place => format!("{}: {place}", known.rule),
                };
                let (address, name) = (xml(&known.address), xml(&name));
                format!(
                    "  <testcase classname=\"{address}\" name=\"{name}\"><system-out>in the baseline, and no longer failing\
                     </system-out></testcase>\n"
                )
            })
            .collect();
        let count = cases.len();
        format!(
            "<testsuite name=\"baseline\" tests=\"{count}\" failures=\"0\" errors=\"0\" skipped=\"0\">\n{}</testsuite>\n",
            cases.concat()
        )
    }

    /// The test cases for gaps of the plan, and for rules and skips that matched nothing; each with whether it is an error.
    fn gap_cases(&self) -> Vec<(String, bool)> {
        let case = |name: &str, what: &str, message: &str| {
            format!(
                "  <testcase classname=\"{}\" name=\"{}\"><{what} message=\"{}\"/></testcase>",
                xml(&self.name),
                xml(name),
                xml(message).replace('\n', " ")
            )
        };
        let mut cases = Vec::new();
        for gap in &self.gaps {
            let is_error = self.is_failure(*gap);
            let what = if is_error { "error" } else { "skipped" };
            cases.push((case(gap.word(), what, &gap.to_string()), is_error));
        }
        cases.extend(self.not_asked().map(|(what, why)| (case(&what, "skipped", &why), false)));
        cases
    }
}

/// Escapes text as content of an XML element or a quoted attribute. Characters that XML 1.0 does not have are escaped in
/// another way.
pub(in crate::plan) fn xml(text: &str) -> String {
    let mut out = String::with_capacity(text.len());
    for c in printable(text).chars() {
        match c {
            '&' => out.push_str("&amp;"),
            '<' => out.push_str("&lt;"),
            '>' => out.push_str("&gt;"),
            '"' => out.push_str("&quot;"),
            '\u{fffe}' | '\u{ffff}' => out.push('\u{fffd}'),
            c => out.push(c),
        }
    }
    out
}
