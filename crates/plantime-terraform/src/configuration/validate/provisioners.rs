//! Provisioners: when they run, and what those that run at destroy may refer to.

use super::quoted::{quoted_text, quoted_warning};
use super::structure::check_labels;
use plantime_hcl::unstable::Problems;
use plantime_hcl::{Argument, Block};
use plantime_hcl::{Diagnostic, Reference, ReferenceKey};

/// The block types that a provisioner or connection may be in.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum ProvisionedBlock {
    Resource,
    /// A `removed` block, whose provisioners all run at destroy.
    Removed,
}

/// Adds the problems of the provisioners of a block: keywords that do not exist, and references that are not available at destroy.
pub(super) fn check_provisioners(block: &Block, place: ProvisionedBlock, problems: &mut Problems) {
    let mut has_destroy = false;
    for provisioner in block.body.blocks_of(&block.source, "provisioner", 1) {
        check_plugin(&provisioner, problems);
        let when = provisioner.body.argument("when");
        let is_destroy = when.and_then(|when| check_keyword(when, ["create", "destroy"], problems));
        if let Some(on_failure) = provisioner.body.argument("on_failure") {
            check_keyword(on_failure, ["continue", "fail"], problems);
        }
        if is_destroy.as_deref() != Some("destroy") {
            if place == ProvisionedBlock::Removed {
                let detail = "Only destroy-time provisioners are valid in \"removed\" blocks. To declare a destroy-time \
                              provisioner, use:\n    when = destroy";
                let (source, span) = (&provisioner.source, provisioner.head());
                problems.push(Diagnostic::new(source, span, "Invalid provisioner block", detail));
            }
            continue;
        }
        has_destroy = true;
        check_destroy_references(&provisioner, problems);
        for connection in provisioner.body.blocks_of(&provisioner.source, "connection", 0) {
            check_destroy_references(&connection, problems);
        }
    }
    if place == ProvisionedBlock::Removed {
        let connections = block.body.blocks_of(&block.source, "connection", 0);
        if let [first, others @ ..] = connections.as_slice() {
            let at = block.source.range_text(first.head());
            for second in others {
                let detail = format!("This \"removed\" block already has a connection block at {at}.");
                problems.push(Diagnostic::new(
                    &block.source,
                    second.head(),
                    "Duplicate connection block",
                    detail,
                ));
            }
        }
    }
    // A connection of the resource is that of all its provisioners.
    if has_destroy {
        for connection in block.body.blocks_of(&block.source, "connection", 0) {
            check_destroy_references(&connection, problems);
        }
    }
}

/// Reports a provisioner that is not part of Terraform, and blocks in a provisioner that Terraform reserves or allows once.
fn check_plugin(provisioner: &Block, problems: &mut Problems) {
    let Some(name) = provisioner.labels.first() else { return };
    let source = &provisioner.source;
    match &**name {
        "file" | "local-exec" | "remote-exec" => {}
        "chef" | "habitat" | "puppet" | "salt-masterless" => {
            let detail = format!(
                "The {name:?} provisioner was deprecated in Terraform 0.13.4 has been removed from Terraform. Visit \
                 https://learn.hashicorp.com/collections/terraform/provision for alternatives to using provisioners that are a \
                 better fit for the Terraform workflow."
            );
            let summary = format!("The {name:?} provisioner has been removed");
            problems.push(Diagnostic::new(source, provisioner.label_span(0), summary, detail));
        }
        _ => {
            let detail = format!(
                "This configuration requires provisioner plugin {name:?}, which isn't available. If you're intending to use an \
                 external provisioner plugin, you must install it manually into one of the plugin search directories before \
                 running Terraform."
            );
            let summary = "Missing required provisioner plugin";
            problems.push(Diagnostic::new(source, provisioner.head(), summary, detail).as_global());
        }
    }
    let (mut connection, mut escape) = (None, None);
    for inner in &provisioner.body.blocks {
        if matches!(&*inner.kind, "connection" | "lifecycle" | "_") && !inner.labels.is_empty() {
            check_labels(inner, &[], problems);
            continue;
        }
        let (summary, detail) = match (&*inner.kind, &connection) {
            ("connection", None) => {
                connection = Some(source.range_text(inner.head()));
                continue;
            }
            ("connection", Some(at)) => {
                let detail = format!("This provisioner already has a connection block at {at}.");
                ("Duplicate connection block", detail)
            }
            (kind @ "lifecycle", _) => (
                "Reserved block type name in provisioner block",
                format!("The block type name {kind:?} is reserved for use by Terraform in a future version."),
            ),
            ("_", _) => {
                let at = source.range_text(inner.head());
                let Some(first) = escape.replace(at) else { continue };
                // The words are those of Terraform.
                let detail = format!(
                    "The special block type \"_\" can be used to force particular arguments to be interpreted as \
                     provisioner-typpe-specific rather than as meta-arguments, but each provisioner block can have only one such \
                     block. The first escaping block was at {first}."
                );
                ("Duplicate escaping block", detail)
            }
            (kind, _) => {
                ("Unsupported block type", format!("Blocks of type {kind:?} are not expected here."))
            }
        };
        problems.push(Diagnostic::new(source, inner.span.clone(), summary, detail));
    }
}

/// The keyword that an argument is, which old versions had in quotes; reports another value.
fn check_keyword(argument: &Argument, keywords: [&str; 2], problems: &mut Problems) -> Option<String> {
    let expression = &argument.expression;
    let quoted = quoted_text(expression);
    if quoted.is_some() && !expression.source().name().ends_with(".json") {
        problems.push(quoted_warning(expression, "keyword", "keywords"));
    }
    let bare = expression.as_reference().filter(|reference| reference.steps().is_empty());
    let keyword = quoted.map(|(text, _)| text).or_else(|| bare.map(|bare| bare.root().to_owned()));
    let keyword = keyword.filter(|keyword| keywords.contains(&&**keyword));
    if keyword.is_none() {
        let (name, [first, second]) = (&argument.name, keywords);
        let detail =
            format!("The {name:?} argument requires one of the following keywords: {first} or {second}.");
        let summary = format!("Invalid {name:?} keyword");
        problems.push(Diagnostic::new(expression.source(), expression.span(), summary, detail));
    }
    keyword
}

/// Reports the arguments of a block that refer to anything but the object that is destroyed. When it is destroyed, other objects
/// may be gone.
fn check_destroy_references(block: &Block, problems: &mut Problems) {
    let arguments = block.body.arguments.iter();
    for argument in arguments.filter(|argument| !matches!(&*argument.name, "when" | "on_failure")) {
        if argument.expression.references().into_iter().all(is_available_at_destroy) {
            continue;
        }
        let detail = "Destroy-time provisioners and their connection configurations may only reference attributes of the \
                      related resource, via 'self', 'count.index', or 'each.key'.\n\nReferences to other resources during the \
                      destroy phase can cause dependency cycles and interact poorly with create_before_destroy.";
        let (source, span) = (argument.expression.source(), argument.expression.span());
        problems.push(Diagnostic::new(source, span, "Invalid reference from destroy provisioner", detail));
    }
}

/// Whether a reference is available when an object is destroyed.
fn is_available_at_destroy(reference: &Reference) -> bool {
    let first = match reference.steps().first().map(|step| step.key()) {
        Some(ReferenceKey::Attribute(name)) => &**name,
        _ => "",
    };
    match reference.root() {
        "self" | "path" | "terraform" | "tofu" => true,
        "count" => first == "index",
        "each" => first == "key",
        _ => false,
    }
}
