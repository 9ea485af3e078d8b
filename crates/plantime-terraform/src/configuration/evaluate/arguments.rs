//! The arguments and blocks of a resource as a value: by its schema, or as they are written.

mod blocks;
mod check;

pub(super) use check::extraneous_property;

use super::Engine;
use super::scope::ModuleScope;
use std::ops::Range;

use crate::configuration::module::is_override;
use crate::configuration::validate::unsupported_argument;
use plantime::source::Source;
use plantime::{Type, TypeConstraint, Value, conversion, convert, mismatch_message};
use plantime_hcl::{Argument, Block, Body};
use plantime_hcl::{Diagnostic, Diagnostics};
use plantime_schema::unstable::attribute_constraint;

/// Whether a value that is not known yet would convert by its type, and fails by what is known of its content: Terraform reports
/// this once the value is known.
pub(super) fn fails_for_its_content(value: &Value, target: &TypeConstraint) -> bool {
    !value.is_wholly_known() && conversion(&value.ty(), target).is_some()
}

/// The arguments that the language defines for every resource; all others belong to the provider.
const META_ARGUMENTS: [&str; 4] = ["count", "for_each", "depends_on", "provider"];

/// Whether a nested block of this kind in a resource belongs to the language, not to the provider.
pub(super) fn is_meta_block(kind: &str) -> bool {
    matches!(kind, "lifecycle" | "connection" | "provisioner" | "_")
}

/// The arguments of the provider in a block that has some in the block `_`, where their names cannot be taken for those of the
/// language; `None` where it has no such block.
pub(super) fn with_escaped_arguments(block: &Block, is_language: fn(&str) -> bool) -> Option<Body> {
    let escapes = block.body.blocks_of(&block.source, "_", 0);
    if escapes.is_empty() {
        return None;
    }
    let mut own = without_arguments(&block.body, is_language);
    for escape in escapes {
        let escape = escape.into_owned();
        own.arguments.extend(escape.body.arguments);
        own.blocks.extend(escape.body.blocks);
        own.properties.extend(escape.body.properties);
    }
    Some(own)
}

/// A body without the arguments and blocks that belong to the language.
pub(super) fn without_arguments(body: &Body, is_language: fn(&str) -> bool) -> Body {
    let mut own = body.clone();
    own.blocks.retain(|nested| !is_language(&nested.kind));
    own.arguments.retain(|argument| !is_language(&argument.name));
    own.properties.retain(|property| !is_language(&property.name));
    own
}

/// Whether an argument or block of this name in a resource belongs to the language.
pub(super) fn is_of_the_language(name: &str) -> bool {
    META_ARGUMENTS.contains(&name) || is_meta_block(name)
}

/// The content of a block, and the file that it is in.
pub(super) struct Written<'b> {
    pub(super) source: &'b Source,
    pub(super) body: &'b Body,
    /// The place where it begins: [`Block::body_start`].
    pub(super) body_start: Range<usize>,
    /// Whether it is the block of a resource, which has arguments of the language.
    pub(super) is_resource: bool,
    /// Whether the resource is a data source, which has no connection and no provisioners.
    pub(super) is_data_source: bool,
}

impl<'b> Written<'b> {
    /// The content of a block that is nested in another one.
    pub(super) fn of(block: &'b Block) -> Written<'b> {
        Written {
            source: &block.source,
            body: &block.body,
            body_start: block.body_start.clone(),
            is_resource: false,
            is_data_source: false,
        }
    }

    /// Whether a block of this kind, nested here, belongs to the language, not to the provider.
    fn is_meta_block(&self, kind: &str) -> bool {
        let is_of_managed = matches!(kind, "connection" | "provisioner");
        self.is_resource && is_meta_block(kind) && !(self.is_data_source && is_of_managed)
    }

    /// The arguments that belong to the provider: all but those of the language, such as `count`. In JSON the blocks of the language are
    /// among the arguments of the body.
    fn arguments(&self) -> impl Iterator<Item = &Argument> {
        let is_json = !self.body.properties.is_empty();
        let is_meta = move |name: &str| {
            self.is_resource && META_ARGUMENTS.contains(&name)
                || is_json && (name == "dynamic" || self.is_meta_block(name))
        };
        self.body.arguments.iter().filter(move |argument| !is_meta(&argument.name))
    }
}

impl<'a> Engine<'a> {
    /// Evaluates a block to an object with the attributes and nested blocks of its schema, and reports what the schema
    /// does not allow. `ty` is the type of the object.
    pub(super) fn object(
        &self,
        written: &Written<'_>,
        block: &plantime_schema::Block,
        ty: &Type,
        scope: &ModuleScope<'_, 'a>,
    ) -> Value {
        for argument in written.arguments() {
            self.check_argument(argument, written, block);
        }
        if self.inputs.is_validation {
            self.check_body(written, block);
        }
        self.object_of(written, block, ty, scope)
    }

    /// The object of a block whose arguments are those of the schema.
    fn object_of(
        &self,
        written: &Written<'_>,
        block: &plantime_schema::Block,
        ty: &Type,
        scope: &ModuleScope<'_, 'a>,
    ) -> Value {
        let attribute_type = |name: &str| match ty {
            Type::Object(object) => object.get(name).cloned().unwrap_or(Type::Dynamic),
            _ => Type::Dynamic,
        };
        let mut parts: Vec<(&str, Value)> = Vec::new();
        for (name, attribute) in block.attributes.sorted() {
            let value = match written.body.argument(name) {
                Some(argument) => self.argument(argument, attribute, scope),
                None => {
                    let ty = attribute_type(name);
                    let blocks = self.attribute_as_blocks(written, name, &ty, scope);
                    blocks.unwrap_or_else(|| Value::null(ty))
                }
            };
            parts.push((name, value));
        }
        for (name, nested) in block.block_types.sorted() {
            parts.push((name, self.nested(written, name, nested, &attribute_type(name), scope)));
        }
        Value::object(parts).unwrap_or_else(|_| Value::unknown(ty.clone()))
    }

    /// The value of an argument, converted to the type of its attribute.
    fn argument(
        &self,
        argument: &Argument,
        attribute: &plantime_schema::Attribute,
        scope: &ModuleScope<'_, 'a>,
    ) -> Value {
        let value = self.evaluate_or_report(&argument.expression, scope);
        let target = attribute_constraint(attribute).unwrap_or_else(|_| Type::Dynamic.into());
        let converted = convert(&value, &target);
        if self.inputs.is_validation && !scope.allows_ephemeral && converted.is_ok() {
            self.check_ephemeral_value(argument, attribute, &value);
        }
        converted.unwrap_or_else(|error| {
            let reason = match conversion(&value.ty(), &target) {
                None if !value.ty().has_dynamic() => mismatch_message(&value.ty(), &target),
                _ => error.message().to_owned(),
            };
            let detail = format!("Inappropriate value for attribute {:?}: {reason}.", argument.name);
            let (source, span) = (argument.expression.source(), argument.expression.span());
            let problem: Diagnostics =
                Diagnostic::new(source, span, "Incorrect attribute value type", detail).into();
            self.report(problem.reported_once_known_if(fails_for_its_content(&value, &target)));
            Value::unknown(target.to_type()).with_marks(&value.unmark_deep().1)
        })
    }

    /// Reports an argument that the schema does not have.
    fn check_argument(&self, argument: &Argument, written: &Written<'_>, block: &plantime_schema::Block) {
        let name = &*argument.name;
        let is_json = !written.body.properties.is_empty();
        if block.attributes.contains_key(name) || is_json && name != "//" {
            return;
        }
        // What is in a file of overrides is looked up by the names of the schema; Terraform does not see the rest.
        if is_override(argument.expression.source().name()) {
            return;
        }
        let arguments = block.attributes.sorted().map(|(name, _)| name.as_str());
        // The message does not suggest an argument that the block already has.
        let arguments = arguments.filter(|name| written.body.argument(name).is_none());
        let detail =
            unsupported_argument(name, arguments, block.block_types.sorted().map(|(name, _)| name.as_str()));
        let source = argument.expression.source();
        self.report(Diagnostic::new(source, argument.span.clone(), "Unsupported argument", detail));
    }

    /// Evaluates a block without a schema to an object: the value of each argument, and for each kind of nested blocks
    /// a tuple.
    pub(super) fn untyped_object(&self, written: &Written<'_>, scope: &ModuleScope<'_, 'a>) -> Value {
        let mut parts: Vec<(String, Value)> = Vec::new();
        for argument in written.arguments() {
            parts.push((argument.name.to_string(), self.evaluate_or_report(&argument.expression, scope)));
        }
        for kind in self.kinds_of_blocks(written) {
            parts.push((kind.clone(), self.untyped_blocks(written, &kind, scope)));
        }
        Value::object(parts).unwrap_or_else(|_| Value::dynamic())
    }
}
