//! Tuples and objects.

use plantime::{Marks, Type, Value};

use super::{Evaluated, Evaluator, Frame, Place, unknown_with_marks_of};
use crate::expression::diagnostic::{Diagnostic, all};
use crate::expression::tree::{Key, Kind, Node};

impl Evaluator<'_> {
    /// Evaluates a tuple constructor: `[a, b]`.
    pub(super) fn tuple(&self, nodes: &[Node], node: &Node, frame: Option<&Frame<'_>>) -> Evaluated {
        let values = all(nodes.iter().map(|node| self.value(node, frame)))?;
        Value::tuple(values).map_err(|error| self.too_large(&error, node, frame))
    }

    /// Evaluates an object constructor: `{ a = 1, (b) = 2 }`. With an unknown key the result is unknown, and so
    /// is its type.
    pub(super) fn object(&self, items: &[(Key, Node)], node: &Node, frame: Option<&Frame<'_>>) -> Evaluated {
        let mut key_marks = Marks::new();
        let mut are_keys_known = true;
        let read = all(items.iter().map(|(key, value)| {
            let key = match key {
                Key::Name(name, _) => Ok(Some(String::from(&**name))),
                Key::Expression(key) => self.object_key(key, value, frame).map(|(key, marks)| {
                    key_marks.extend_from(&marks);
                    are_keys_known &= key.is_some();
                    key
                }),
            };
            let value = self.value(value, frame);
            key.and_then(|key| Ok((key, value?)))
        }))?;
        if !are_keys_known {
            return Ok(unknown_with_marks_of(read.iter().map(|(_, value)| value)).with_marks(&key_marks));
        }
        let entries = read.into_iter().map(|(key, value)| (key.unwrap_or_default(), value));
        // The last item of a key counts.
        let entries: std::collections::BTreeMap<String, Value> = entries.collect();
        match Value::object(entries) {
            Ok(object) => Ok(object.with_marks(&key_marks)),
            Err(error) => Err(self.too_large(&error, node, frame)),
        }
    }

    /// The key of an item, if it is known, and its marks. `item` is the value behind it.
    fn object_key(
        &self,
        node: &Node,
        item: &Node,
        frame: Option<&Frame<'_>>,
    ) -> Evaluated<(Option<String>, Marks)> {
        let place = Place { span: &node.span, about: node, frame };
        // With parentheses it would be one of their kind.
        if matches!(node.kind, Kind::Reference(_)) {
            let detail = "If this expression is intended to be a reference, wrap it in parentheses. If it's instead intended as \
                          a literal name containing periods, wrap it in quotes to create a string literal.";
            return Err(
                Diagnostic::new(self.source, node.span.clone(), "Ambiguous attribute key", detail).into()
            );
        }
        let (key, marks) = self.value(node, frame)?.unmark();
        if key.is_certainly_null() {
            // Terraform points at the value.
            let place = Place { span: &item.span, ..place };
            return Err(self.problem(place, "Null value as key", "Can't use a null value as a key."));
        }
        let key = self.converted(&key, &Type::String.into()).map_err(|message| {
            self.problem(place, "Incorrect key type", format!("Can't use this value as a key: {message}."))
        })?;
        if !key.is_known() {
            self.may_fail();
        }
        // Values hold strings in normalization form C already.
        Ok((key.as_str().ok().map(str::to_owned), marks))
    }

    /// A value that is larger than plantime allows.
    #[cold]
    pub(super) fn too_large(
        &self,
        error: &plantime::Error,
        node: &Node,
        frame: Option<&Frame<'_>>,
    ) -> crate::expression::Diagnostics {
        let place = Place { span: &node.span, about: node, frame };
        self.problem(place, "Invalid value", format!("{}.", error.message())).of_limit_if(error.is_limit())
    }
}
