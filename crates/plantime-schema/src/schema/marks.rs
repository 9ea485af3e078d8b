//! The marks that a schema puts on a value, such as `sensitive`.

use plantime::{Mark, Marks, Path, Step, Value, View};

use super::{Attribute, AttributeType, Block, DeclaredMap, Nesting, Schema};

impl Schema {
    /// The marks that the schema puts on a value: see [`Block::marks_for`].
    ///
    /// [Example](Block::marks_for)
    pub fn marks_for(&self, value: &Value) -> Vec<(Path, Marks)> {
        self.block().marks_for(value)
    }
}

impl Block {
    /// The marks that the schema puts on the attributes and blocks of a value: [`Mark::SENSITIVE`], and
    /// [`Mark::DEPRECATED`] with the message of the schema as its note. A sensitive attribute is marked even if it
    /// is null. Nothing is marked inside a null or unknown value, nor inside an attribute that is marked itself.
    ///
    /// Apply them with [`Value::mark_with_paths`].
    ///
    /// ```
    /// use plantime_schema::{Attribute, AttributeType, Block};
    /// use plantime::{Mark, Type};
    /// use plantime::value;
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

/// The marks found so far, with their paths.
type MarkedPaths = Vec<(Path, Marks)>;

/// Adds the marks that a block's schema puts on its value, located at `path`, to `found`.
fn block(schema: &Block, value: &Value, path: &mut Path, found: &mut MarkedPaths) {
    let View::Object(object) = value.view_below_marks() else { return };
    attributes(&schema.attributes, value, path, found);
    for (name, nested) in schema.block_types.sorted() {
        let Some(inside) = object.get(name) else { continue };
        path.push(Step::attr(name));
        if nested.block.deprecated && is_set(inside) {
            found.push((path.clone(), deprecated(nested.block.deprecation_message.as_deref()).into()));
        }
        for_each_object(nested.nesting, inside, path, &mut |value, path| {
            block(&nested.block, value, path, found)
        });
        path.pop();
    }
}

/// Adds the marks that the schemas of an object's attributes put on them to `found`; the object is located at `path`.
fn attributes(schema: &DeclaredMap<Attribute>, value: &Value, path: &mut Path, found: &mut MarkedPaths) {
    let View::Object(object) = value.view_below_marks() else { return };
    for (name, attribute) in schema.sorted() {
        let Some(inside) = object.get(name) else { continue };
        path.push(Step::attr(name));
        let mut marks = Marks::new();
        if attribute.sensitive {
            marks.insert(Mark::SENSITIVE);
        }
        if attribute.deprecated && is_set(inside) {
            marks.insert(deprecated(attribute.deprecation_message.as_deref()));
        }
        if !marks.is_empty() {
            found.push((path.clone(), marks));
        } else if let AttributeType::Nested(nested) = &attribute.ty {
            for_each_object(nested.nesting, inside, path, &mut |value, path| {
                attributes(&nested.attributes, value, path, found)
            });
        }
        path.pop();
    }
}

/// Whether the configuration sets the attribute or block, so that a deprecation concerns it: not null, and not an
/// empty collection.
fn is_set(value: &Value) -> bool {
    match value.view_below_marks() {
        View::Null(_) => false,
        View::List(list) => !list.is_empty(),
        View::Set(set) => set.member_count() > 0,
        View::Map(map) => !map.is_empty(),
        View::Tuple(tuple) => !tuple.is_empty(),
        _ => true,
    }
}

/// The mark of a deprecated attribute or block, with the schema's message as its note.
fn deprecated(message: Option<&str>) -> Mark {
    message.map_or(Mark::DEPRECATED, |message| Mark::DEPRECATED.with_note(message))
}

/// Calls `visit` with every object of a nested block or attribute and its path: the value itself, or, where the
/// nesting mode makes a collection, each element.
fn for_each_object(
    nesting: Nesting,
    value: &Value,
    path: &mut Path,
    visit: &mut dyn FnMut(&Value, &mut Path),
) {
    if let Nesting::Single | Nesting::Group = nesting {
        return visit(value, path);
    }
    let mut at = |step: Step, value: &Value| {
        path.push(step);
        visit(value, path);
        path.pop();
    };
    match value.view_below_marks() {
        View::List(list) => list.iter().enumerate().for_each(|(i, value)| at(Step::index(i), value)),
        View::Tuple(tuple) => tuple.iter().enumerate().for_each(|(i, value)| at(Step::index(i), value)),
        View::Map(map) => map.iter().for_each(|(key, value)| at(Step::index(key), value)),
        View::Object(object) => object.iter().for_each(|(name, value)| at(Step::attr(name), value)),
        View::Set(set) => set.iter().for_each(|member| at(Step::Index(member.clone()), member)),
        _ => {}
    }
}
