//! What a file that is no plan seems to be, for the message of the error.

/// What is expected in place of the file.
const EXPECTED: &str =
    "expected a binary plan (terraform plan -out=FILE) or its JSON (terraform show -json FILE)";

/// The message for a file that cannot be read as a plan, for the reason that the reader gives.
pub(crate) fn message(name: &str, bytes: &[u8], reason: &str) -> String {
    match seeming(name, bytes) {
        Some(kind) => format!("this seems to be {kind}, not a plan; {EXPECTED}"),
        // JSON says where it is wrong; everything else was never a plan.
        None if bytes.trim_ascii_start().starts_with(b"{") => reason.to_owned(),
        None => format!("{reason}; {EXPECTED}"),
    }
}

/// What a file seems to be: a noun with its article.
fn seeming(name: &str, bytes: &[u8]) -> Option<&'static str> {
    let start = bytes.trim_ascii_start();
    if start.is_empty() {
        return Some("an empty file");
    }
    if start.starts_with(b"{") {
        return seeming_json(start);
    }
    let is_named = |endings: &[&str]| endings.iter().any(|ending| name.ends_with(ending));
    if is_named(&[".tfvars"]) {
        return Some("a file of variables");
    }
    let text = String::from_utf8_lossy(start.get(..start.len().min(100_000)).unwrap_or(start));
    let has = |part: &str| text.contains(part);
    if has("will perform the following actions")
        || has("used the selected providers to generate")
        || has("\nPlan: ")
        || text.starts_with("Plan: ")
    {
        return Some("the text of a plan");
    }
    let is_configuration = is_named(&[".tf", ".tofu", ".hcl"]) || text.lines().any(is_block_head);
    is_configuration.then_some("a configuration")
}

/// Whether a line begins a block of a configuration: `resource "aws_vpc" "main" {`.
fn is_block_head(line: &str) -> bool {
    const KINDS: [&str; 11] = [
        "check",
        "data",
        "import",
        "locals",
        "module",
        "moved",
        "output",
        "provider",
        "resource",
        "terraform",
        "variable",
    ];
    let words = line.trim().strip_suffix('{').map(str::split_whitespace);
    words.is_some_and(|mut words| {
        words.next().is_some_and(|kind| KINDS.contains(&kind)) && words.all(|label| label.starts_with('"'))
    })
}

/// What a JSON object seems to be, by the keys with which Terraform begins it.
fn seeming_json(bytes: &[u8]) -> Option<&'static str> {
    /// The number of bytes in which the first keys are.
    const BEGIN: usize = 300;
    let begin = String::from_utf8_lossy(bytes.get(..bytes.len().min(BEGIN)).unwrap_or(bytes));
    let has = |key: &str| begin.contains(&format!("\"{key}\""));
    let is_anywhere = |key: &[u8]| bytes.windows(key.len()).any(|window| window == key);
    if is_anywhere(b"\"planned_values\"") || is_anywhere(b"\"resource_changes\"") {
        None
    } else if has("provider_schemas") {
        Some("the schemas of providers (terraform providers schema -json)")
    } else if has("lineage") || has("serial") {
        Some("a state file")
    } else if has("values") && has("format_version") {
        Some("a state in JSON (terraform show -json without the name of a plan)")
    } else if has("@level") {
        Some("the log of terraform plan -json")
    } else if has("valid") && has("error_count") {
        Some("the result of terraform validate -json")
    } else if !has("format_version")
        && ["resource", "variable", "terraform", "locals", "module"].iter().any(|key| has(key))
    {
        Some("a configuration in JSON")
    } else {
        None
    }
}

#[cfg(test)]
mod tests {
    use super::message;

    #[test]
    fn the_message_names_what_the_file_seems_to_be() {
        for (name, content, expected) in [
            ("main.tf", "locals {\n  a = 1\n}\n", "seems to be a configuration, not a plan"),
            ("x", "# net\nresource \"a_b\" \"c\" {\n}\n", "seems to be a configuration,"),
            ("a.tfvars", "a = 1\n", "a file of variables"),
            ("x.json", "{\"resource\": {\"a_b\": {}}}", "a configuration in JSON"),
            ("x", "  \n", "an empty file"),
            ("x", "Terraform will perform the following actions:\n", "the text of a plan"),
            ("x", "{\"version\": 4, \"serial\": 1, \"lineage\": \"\"}", "a state file"),
            ("x", "{\"format_version\": \"1.0\", \"values\": {}}", "a state in JSON"),
            ("x", "{\"format_version\": \"1.0\", \"provider_schemas\": {}}", "the schemas of providers"),
            ("x", "{\"@level\": \"info\"}\n{\"@level\": \"info\"}\n", "the log of terraform plan -json"),
            (
                "x",
                "{\"format_version\": \"1.0\", \"valid\": true, \"error_count\": 0}",
                "terraform validate -json",
            ),
            ("x", "nope", "why; expected a binary plan (terraform plan -out=FILE)"),
            ("x", "{\"a\": 1}", "why"),
            ("x", "{\"planned_values\": 1}", "why"),
        ] {
            let message = message(name, content.as_bytes(), "why");
            assert!(message.contains(expected), "{content}: {message}");
        }
    }
}
