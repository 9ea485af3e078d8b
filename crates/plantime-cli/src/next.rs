//! What a reader can do next about the undetermined answers of a check.

use plantime_terraform::plan::Summary;

use crate::args::Check;

/// One line of text that names the options for undetermined answers that were not given; empty if no answer is
/// undetermined, or all were given. A configuration without a plan has no apply to keep them for.
pub(crate) fn steps(arguments: &Check, summary: &Summary, is_configuration: bool) -> String {
    if summary.undetermined_answers() == 0 {
        return String::new();
    }
    let mut steps = Vec::new();
    if arguments.obligations.is_none() && summary.plans() == 1 && !is_configuration {
        steps.push("--obligations FILE keeps them for `plantime verify` after the apply");
    }
    if !arguments.strict {
        steps.push("--strict ends with status 3 because of them");
    }
    if steps.is_empty() { String::new() } else { format!("Undetermined answers: {}.\n", steps.join("; ")) }
}
