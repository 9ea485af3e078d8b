//! The marks that a schema puts on a value.

use std::collections::BTreeMap;

use crate::mark::{Mark, Marks};
use crate::path::{Path, Step};
use crate::value::{Value, View, view_below_marks};

use super::{Attribute, AttributeType, Block, Nesting, Schema};

impl Schema {
    /// The marks that the schema puts on a value: those of [`Block::marks_for`].
    pub fn marks_for(&self, value: &Value) -> Vec<(Path, Marks)> {
        self.block().marks_for(value)
    }
}

impl Block {
    /// The marks that the schema puts on the places of a value: [`Mark::SENSITIVE`], and [`Mark::DEPRECATED`] with
    /// the message of the schema as its note. Attributes are marked when they are null too; nothing is marked inside
    /// what is null or unknown, nor inside an attribute that is marked itself.
    ///
    /// [`Value::mark_with_paths`] puts them there.
    ///
    /// ```
    /// use plantime::schema::{Attribute, AttributeType, Block};
    /// use plantime::{Mark, Type, value};
    ///
    /// let mut password = Attribute::new(AttributeType::Plain(Type::String));
    /// password.sensitive = true;
    /// let mut block = Block::default();
    /// block.attributes.insert("password".to_owned(), password);
    ///
    /// let marks = block.marks_for(&value!({ "password": "hunter2" })?);
    /// assert_eq!(marks.len(), 1);
    /// assert_eq!(marks[0].0.to_string(), "password");
    /// assert!(marks[0].1.contains(&Mark::SENSITIVE));
    /// # Ok::<(), plantime::Error>(())
    /// ```
    pub fn marks_for(&self, value: &Value) -> Vec<(Path, Marks)> {
        let mut found = Vec::new();
        block(self, value, &mut Path::new(), &mut found);
        found
    }
}

type Found = Vec<(Path, Marks)>;

fn block(schema: &Block, value: &Value, path: &mut Path, found: &mut Found) {
    let View::Object(object) = view_below_marks(value) else { return };
    attributes(&schema.attributes, value, path, found);
    for (name, nested) in &schema.block_types {
        let Some(inside) = object.get(name) else { continue };
        path.push(Step::attr(name));
        if nested.block.deprecated && is_there(inside) {
            found.push((path.clone(), deprecated(nested.block.deprecation_message.as_deref()).into()));
        }
        each(nested.nesting, inside, path, &mut |value, path| block(&nested.block, value, path, found));
        path.pop();
    }
}

fn attributes(schema: &BTreeMap<String, Attribute>, value: &Value, path: &mut Path, found: &mut Found) {
    let View::Object(object) = view_below_marks(value) else { return };
    for (name, attribute) in schema {
        let Some(inside) = object.get(name) else { continue };
        path.push(Step::attr(name));
        let mut marks = Marks::new();
        if attribute.sensitive {
            marks.insert(Mark::SENSITIVE);
        }
        if attribute.deprecated && is_there(inside) {
            marks.insert(deprecated(attribute.deprecation_message.as_deref()));
        }
        if !marks.is_empty() {
            found.push((path.clone(), marks));
        } else if let AttributeType::Nested(nested) = &attribute.ty {
            each(nested.nesting, inside, path, &mut |value, path| {
                attributes(&nested.attributes, value, path, found)
            });
        }
        path.pop();
    }
}

/// Whether something is set: not null, and for blocks at least one.
fn is_there(value: &Value) -> bool {
    match view_below_marks(value) {
        View::Null(_) => false,
        View::List(list) => !list.is_empty(),
        View::Set(set) => set.member_count() > 0,
        View::Map(map) => !map.is_empty(),
        View::Tuple(tuple) => !tuple.is_empty(),
        _ => true,
    }
}

fn deprecated(message: Option<&str>) -> Mark {
    message.map_or(Mark::DEPRECATED, |message| Mark::DEPRECATED.with_note(message))
}

/// Every object of a nested block or attribute.
fn each(nesting: Nesting, value: &Value, path: &mut Path, visit: &mut dyn FnMut(&Value, &mut Path)) {
    if let Nesting::Single | Nesting::Group = nesting {
        return visit(value, path);
    }
    let mut at = |step: Step, value: &Value| {
        path.push(step);
        visit(value, path);
        path.pop();
    };
    match view_below_marks(value) {
        View::List(list) => list.iter().enumerate().for_each(|(i, value)| at(Step::index(i), value)),
        View::Tuple(tuple) => tuple.iter().enumerate().for_each(|(i, value)| at(Step::index(i), value)),
        View::Map(map) => map.iter().for_each(|(key, value)| at(Step::index(key), value)),
        View::Object(object) => object.iter().for_each(|(name, value)| at(Step::attr(name), value)),
        View::Set(set) => set.iter().for_each(|member| at(Step::Index(member.clone()), member)),
        _ => {}
    }
}
