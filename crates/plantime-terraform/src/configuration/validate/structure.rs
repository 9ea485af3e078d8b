//! The blocks and arguments that the language has, whatever providers there are.

use std::ops::Range;

use super::declarations::Declarations;
use plantime::source::Source;
use plantime::unstable::text::near_name;
use plantime_hcl::Diagnostic;
use plantime_hcl::unstable::Problems;
use plantime_hcl::{Block, Body};

/// What a body may hold.
struct Shape {
    required: &'static [&'static str],
    optional: &'static [&'static str],
    blocks: &'static [Nested],
    /// Whether it may hold other arguments and blocks, which are checked where they are used.
    is_open: bool,
}

/// Blocks in a body: their kind, the names of their labels, and what they may hold.
struct Nested {
    kind: &'static str,
    labels: &'static [&'static str],
    shape: &'static Shape,
}

/// The shape of a body with these arguments and no others, and without nested blocks.
const fn closed(required: &'static [&'static str], optional: &'static [&'static str]) -> Shape {
    Shape { required, optional, blocks: &[], is_open: false }
}

/// A nested block type with its labels and the shape of its body.
const fn nested(kind: &'static str, labels: &'static [&'static str], shape: &'static Shape) -> Nested {
    Nested { kind, labels, shape }
}

/// Arguments and blocks of any name.
static ANY: Shape = Shape { required: &[], optional: &[], blocks: &[], is_open: true };
/// A condition and its message.
static CONDITION: Shape = closed(&["condition", "error_message"], &[]);
static CONDITIONS: [Nested; 2] =
    [nested("precondition", &[], &CONDITION), nested("postcondition", &[], &CONDITION)];

static ROOT: Shape = Shape {
    required: &[],
    optional: &[],
    is_open: false,
    blocks: &[
        nested(
            "terraform",
            &[],
            &Shape {
                required: &[],
                optional: &["required_version", "experiments", "language"],
                is_open: false,
                blocks: &[
                    nested("backend", &["type"], &ANY),
                    nested("cloud", &[], &ANY),
                    nested("required_providers", &[], &ANY),
                    nested("provider_meta", &["provider"], &ANY),
                    // Of OpenTofu and of newer versions.
                    nested("encryption", &[], &ANY),
                    nested("state_store", &["type"], &ANY),
                ],
            },
        ),
        nested(
            "provider",
            &["name"],
            &Shape {
                required: &[],
                optional: &[],
                is_open: true,
                blocks: &[nested("lifecycle", &[], &ANY), nested("locals", &[], &ANY), ESCAPE],
            },
        ),
        nested(
            "variable",
            &["name"],
            &Shape {
                required: &[],
                optional: &[
                    "description",
                    "default",
                    "type",
                    "sensitive",
                    "nullable",
                    "ephemeral",
                    "deprecated",
                    "const",
                ],
                is_open: false,
                blocks: &[nested("validation", &[], &CONDITION)],
            },
        ),
        nested("locals", &[], &ANY),
        nested(
            "output",
            &["name"],
            &Shape {
                required: &["value"],
                optional: &["description", "depends_on", "sensitive", "ephemeral", "deprecated", "type"],
                is_open: false,
                blocks: &CONDITIONS,
            },
        ),
        nested(
            "module",
            &["name"],
            &Shape { required: &["source"], optional: &[], is_open: true, blocks: &[] },
        ),
        nested("resource", &["type", "name"], &RESOURCE),
        nested("data", &["type", "name"], &DATA_SOURCE),
        nested("ephemeral", &["type", "name"], &DATA_SOURCE),
        nested("action", &["type", "name"], &ANY),
        nested("moved", &[], &closed(&["from", "to"], &[])),
        nested("import", &[], &closed(&["to"], &["id", "identity", "provider", "for_each"])),
        nested(
            "check",
            &["name"],
            &Shape {
                required: &[],
                optional: &[],
                is_open: false,
                blocks: &[nested("data", &["type", "name"], &DATA_SOURCE), nested("assert", &[], &CONDITION)],
            },
        ),
        nested(
            "removed",
            &[],
            &Shape {
                required: &["from"],
                optional: &[],
                is_open: false,
                blocks: &[
                    nested("lifecycle", &[], &closed(&[], &["destroy"])),
                    nested("connection", &[], &ANY),
                    nested("provisioner", &["type"], &ANY),
                ],
            },
        ),
    ],
};

const LIFECYCLE: Nested = nested("lifecycle", &[], &LIFECYCLE_SHAPE);

static LIFECYCLE_SHAPE: Shape = Shape {
    required: &[],
    optional: &[
        "create_before_destroy",
        "prevent_destroy",
        "ignore_changes",
        "replace_triggered_by",
        "enabled",
    ],
    is_open: false,
    blocks: &[
        nested("precondition", &[], &CONDITION),
        nested("postcondition", &[], &CONDITION),
        nested("action_trigger", &[], &ANY),
    ],
};

/// Arguments whose names are not taken for those of the language.
const ESCAPE: Nested = nested("_", &[], &ANY);

/// A data source, as an ephemeral resource, has no connection and no provisioners of its own.
static DATA_SOURCE: Shape =
    Shape { required: &[], optional: &[], is_open: true, blocks: &[LIFECYCLE, ESCAPE] };

static RESOURCE: Shape = Shape {
    required: &[],
    optional: &[],
    is_open: true,
    blocks: &[LIFECYCLE, ESCAPE, nested("connection", &[], &ANY), nested("provisioner", &["type"], &ANY)],
};

/// The problems in the structure of the files of one module, and what has been declared in it so far.
#[derive(Default)]
pub(in crate::configuration) struct Structure {
    declarations: Declarations,
    is_root: bool,
}

impl Structure {
    /// The structure of a module of which no file has been read.
    pub(in crate::configuration) fn new(is_root: bool) -> Structure {
        Structure { declarations: Declarations::default(), is_root }
    }

    /// Adds the problems of a file. A file of overrides may declare again what others declare.
    pub(in crate::configuration) fn check_file(
        &mut self,
        source: &Source,
        body: &Body,
        overrides: bool,
        problems: &mut Problems,
    ) {
        // An override need not repeat what is required.
        check_body(source, body, &ROOT, 0..0, !overrides, problems);
        self.declarations.add_file(source, body, self.is_root, overrides, problems);
    }
}

/// Reports the arguments and blocks of a body that its shape does not have, and required arguments that are
/// missing.
fn check_body(
    source: &Source,
    body: &Body,
    shape: &Shape,
    body_start: Range<usize>,
    is_whole: bool,
    problems: &mut Problems,
) {
    let mut add = |span: Range<usize>, summary: &str, detail: String| {
        problems.push(Diagnostic::new(source, span, summary, detail));
    };
    let names = || shape.required.iter().chain(shape.optional).copied();
    let kinds = || shape.blocks.iter().map(|nested| nested.kind);
    if body.properties.is_empty() {
        for argument in &body.arguments {
            if !shape.is_open && !names().any(|name| name == &*argument.name) {
                // The message does not suggest an argument that the body already has.
                let free = names().filter(|name| body.argument(name).is_none());
                let detail = unsupported_argument(&argument.name, free, kinds());
                add(argument.span.clone(), "Unsupported argument", detail);
            }
        }
        for block in &body.blocks {
            if !shape.is_open && !kinds().any(|kind| kind == &*block.kind) {
                let detail = unsupported_block(&block.kind, kinds(), names());
                add(block.span.clone(), "Unsupported block type", detail);
            }
        }
    } else if !shape.is_open {
        for property in &body.properties {
            let name = property.name.as_str();
            if name != "//" && !names().chain(kinds()).any(|known| known == name) {
                let hint = near_name(name, names().chain(kinds()))
                    .map_or_else(String::new, |near| format!(" Did you mean {near:?}?"));
                let detail = format!("No argument or block type is named {name:?}.{hint}");
                add(property.span.clone(), "Extraneous JSON object property", detail);
            }
        }
    }
    if is_whole {
        for name in shape.required {
            if body.argument(name).is_none() {
                add(body_start.clone(), "Missing required argument", missing_argument(name));
            }
        }
    }
    for nested in shape.blocks {
        for block in body.blocks_of(source, nested.kind, nested.labels.len()) {
            check_labels(&block, nested.labels, problems);
            check_body(
                &block.source,
                &block.body,
                nested.shape,
                block.body_start.clone(),
                is_whole,
                problems,
            );
        }
    }
}

/// Adds the problem of a block with too many or too few labels.
pub(in crate::configuration) fn check_labels(block: &Block, labels: &[&str], problems: &mut Problems) {
    let kind = &block.kind;
    let names = labels.join(", ");
    let (span, summary, detail) = match labels.get(block.labels.len()) {
        Some(missing) => (
            block.body_start.clone(),
            format!("Missing {missing} for {kind}"),
            format!("All {kind} blocks must have {} labels ({names}).", labels.len()),
        ),
        None if block.labels.len() > labels.len() => (
            block.label_span(labels.len()),
            format!("Extraneous label for {kind}"),
            match labels.len() {
                0 => format!("No labels are expected for {kind} blocks."),
                count => format!("Only {count} labels ({names}) are expected for {kind} blocks."),
            },
        ),
        None => return,
    };
    problems.push(Diagnostic::new(&block.source, span, summary, detail));
}

/// The sentence about a required argument that is missing.
pub(in crate::configuration) fn missing_argument(name: &str) -> String {
    format!("The argument {name:?} is required, but no definition was found.")
}

/// The sentence about an argument that is not expected.
pub(in crate::configuration) fn unsupported_argument<'n>(
    name: &str,
    arguments: impl Iterator<Item = &'n str>,
    mut blocks: impl Iterator<Item = &'n str>,
) -> String {
    let hint = match near_name(name, arguments) {
        Some(near) => format!(" Did you mean {near:?}?"),
        None if blocks.any(|kind| kind == name) => {
            format!(" Did you mean to define a block of type {name:?}?")
        }
        None => String::new(),
    };
    format!("An argument named {name:?} is not expected here.{hint}")
}

/// The sentence about a block that is not expected.
pub(in crate::configuration) fn unsupported_block<'n>(
    kind: &str,
    blocks: impl Iterator<Item = &'n str>,
    mut arguments: impl Iterator<Item = &'n str>,
) -> String {
    let hint = match near_name(kind, blocks) {
        Some(near) => format!(" Did you mean {near:?}?"),
        None if arguments.any(|name| name == kind) => format!(
            " Did you mean to define argument {kind:?}? If so, use the equals sign to assign it a value."
        ),
        None => String::new(),
    };
    format!("Blocks of type {kind:?} are not expected here.{hint}")
}
