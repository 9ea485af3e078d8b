//! The source of a module: an address that Terraform can install from.

use super::constants::{check_constant, constant_problems, text_of_constant};
use super::version::is_version_constraint;
use crate::configuration::module::constant;
use plantime::Type;
use plantime_hcl::Block;
use plantime_hcl::Diagnostic;
use plantime_hcl::unstable::Problems;

/// Adds the problems of the source and the version of a module call.
pub(super) fn check_module_source(call: &Block, problems: &mut Problems) {
    let Some(argument) = call.body.argument("source") else { return };
    check_constant(&call.body, "source", &Type::String, problems);
    let expression = &argument.expression;
    let mut report = |summary: &str, detail: String| {
        problems.push(Diagnostic::new(expression.source(), expression.span(), summary, detail));
    };
    let value = constant(expression);
    let version = call.body.argument("version");
    let converted = plantime::convert(&value, &Type::String.into());
    if let Some(address) = converted.as_ref().ok().and_then(|value| value.as_str().ok())
        && let Some((summary, detail)) = address_problem(address, version.is_some())
    {
        report(summary, detail);
    }
    let Some(version) = version else { return };
    let wrong = constant_problems(&version.expression);
    if !wrong.is_empty() {
        problems.extend(wrong);
        return;
    }
    // One that converts to no text is no constraint either.
    let value = constant(&version.expression);
    let text = text_of_constant(&version.expression);
    if !value.is_null() && value.is_known() && !text.is_some_and(|text| is_version_constraint(&text)) {
        let detail = "This string does not use correct version constraint syntax.";
        let (source, span) = (version.expression.source(), version.expression.span());
        problems.push(Diagnostic::new(source, span, "Invalid version constraint", detail));
    }
}

/// The summary and the detail of what is wrong with the address of a module, which may have a version beside it.
pub(in crate::configuration) fn address_problem(
    address: &str,
    has_version: bool,
) -> Option<(&'static str, String)> {
    let is_local = ["./", "../", ".\\", "..\\"].iter().any(|start| address.starts_with(start));
    let invalid = "Invalid module source address";
    if address.is_empty() {
        Some((invalid, "Failed to parse module source address: invalid source address: .".to_owned()))
    } else if is_local && has_version {
        let detail = format!(
            "Failed to parse module registry address: can't use local directory {address:?} as a module registry \
             address.\n\nTerraform assumed that you intended a module registry source address because you also set the argument \
             \"version\", which applies only to registry modules."
        );
        Some(("Invalid registry module source address", detail))
    } else if is_bare_folder(address) {
        let detail = format!(
            "Terraform failed to determine your intended installation method for remote module package \
             {address:?}.\n\nIf you intended this as a path relative to the current module, use \"./{address}\" instead. The \
             \"./\" prefix indicates that the address is a relative filesystem path."
        );
        Some((invalid, detail))
    } else {
        None
    }
}

/// Whether an address is a folder without `./`: too short for one of a registry, and nothing in it names a host or a protocol.
fn is_bare_folder(address: &str) -> bool {
    let parts: Vec<&str> = address.split('/').collect();
    parts.len() < 3
        && parts.first().is_some_and(|first| !first.is_empty() && !first.contains('.'))
        && !address.contains([':', '@', '\\', '?'])
}

#[cfg(test)]
mod tests {
    use super::is_bare_folder;

    #[test]
    fn a_path_without_dot_and_slash_is_recognized() {
        for address in ["m", "modules/m", "1"] {
            assert!(is_bare_folder(address), "{address}");
        }
        for address in [
            "./m",
            "../m",
            "/abs/m",
            "hashicorp/consul/aws",
            "github.com/a",
            "git::https://example.com/x.git",
            "git@github.com:a/b.git",
            "https://example.com/x.zip",
            "C:\\m",
            "..",
        ] {
            assert!(!is_bare_folder(address), "{address}");
        }
    }
}
