//! Gives a value the type of its schema.

use plantime::unstable::error::Kind;
use plantime::{
    Error, Nullness, Refinement, Result, Step, Type, TypeConstraint, Value, ValueRange, View, conversion,
    convert, mismatch_message,
};

use super::empty::empty_blocks;
use super::layout::{Entry, Layout, Nest};
use super::{Block, Nesting};

impl Block {
    /// Converts a value to the type of the block, as Terraform's core does before a provider sees a configuration.
    ///
    /// | given | result |
    /// |---|---|
    /// | null, unknown | null, unknown of the type; the refinements stay where the type is the same, "not null" always |
    /// | an attribute that is missing | null of its type; an error if it is required |
    /// | an attribute | converted to its type ([`convert`]) |
    /// | nested attributes | those that the schema lacks are dropped, optional and computed ones may be missing |
    /// | blocks that are missing | their [empty value](Block::empty_value) |
    /// | a single or group block | the same for its object |
    /// | a list, set, tuple, map or object for a list or set of blocks | its elements, as a list or set |
    /// | a map or object for a map of blocks | its elements, as a map |
    /// | a list or map of blocks with an attribute of type `dynamic` | a tuple or object |
    /// | a set of several members, not all wholly known, for a list of blocks | an unknown list of that length: the order is not known |
    ///
    /// Marks stay where they are. As in core, a required attribute may be null, only not missing; how many blocks there
    /// are is another question ([`check_block_counts`](Block::check_block_counts)). Coercing a second time changes
    /// nothing.
    ///
    /// ```
    /// use plantime_schema::{Attribute, AttributeType, Block, NestedBlock, Nesting};
    /// use plantime::Type;
    /// use plantime::value;
    ///
    /// let mut port = Attribute::new(AttributeType::Plain(Type::Number));
    /// port.optional = true;
    /// let mut listener = Block::default();
    /// listener.attributes.insert("port".to_owned(), port);
    /// let mut block = Block::default();
    /// block.block_types.insert("listener".to_owned(), NestedBlock::new(Nesting::List, listener));
    ///
    /// let coerced = block.coerce(&value!({ "listener": [{ "port": "80" }, {}] })?)?;
    /// assert_eq!(coerced.to_string(), "{listener = [{port = 80}, {port = null}]}");
    ///
    /// let error = block.coerce(&value!({ "listener": [{ "prot": 80 }] })?).unwrap_err();
    /// assert_eq!(error.to_string(), "listener[0]: unexpected attribute \"prot\"");
    /// # Ok::<(), plantime::Error>(())
    /// ```
    ///
    /// # Errors
    ///
    /// For the first part of the value that does not fit the schema, with its path and the message of core: `unexpected
    /// attribute "x"`, `attribute "x" is required`, `an object is required`, `must be a list`, or why an attribute does
    /// not convert. If that part is inside a marked value, the path ends at the marked value and the message gives no
    /// reason. Also the errors of [`implied_type`](Block::implied_type).
    pub fn coerce(&self, value: &Value) -> Result<Value> {
        let layout = Layout::of(self)?;
        let ty = Type::Object(layout.ty.clone());
        // A value that already has the type of the schema lacks no attribute, and none needs a conversion.
        if !ty.has_dynamic() && value.ty() == ty {
            return Ok(value.clone());
        }
        coerce_block(&layout, value)
    }
}

/// Converts the value of one block to the type of its schema.
fn coerce_block(layout: &Layout<'_>, value: &Value) -> Result<Value> {
    let ty = || Type::Object(layout.ty.clone());
    let coerced = match value.view_below_marks() {
        View::Null(_) => Value::null(ty()),
        View::Dynamic => Value::unknown(ty()),
        View::Unknown(range) => unknown(&range, ty())?,
        View::Object(_) => coerce_object(layout, value)?,
        _ => return Err(type_error("an object is required")),
    };
    Ok(coerced.with_marks(value.marks()))
}

/// Converts a known object to one with exactly the attributes and blocks of the schema.
fn coerce_object(layout: &Layout<'_>, value: &Value) -> Result<Value> {
    let View::Object(object) = value.view_below_marks() else {
        return Err(type_error("an object is required"));
    };
    if let Some((name, _)) = object.iter().find(|(name, _)| layout.ty.index_of(name).is_none()) {
        return Err(Error::new(Kind::NotFound, format!("unexpected attribute \"{name}\"")));
    }
    let mut entries = Vec::with_capacity(layout.ty.len());
    for (name, entry) in layout.entries() {
        let given = object.get(name);
        if given.is_none() && is_required(entry) {
            return Err(Error::new(Kind::NotFound, format!("attribute \"{name}\" is required")));
        }
        let coerced = match (entry, given) {
            (Entry::Attribute { ty, .. }, None) => Ok(Value::null(ty.clone())),
            (Entry::Attribute { constraint, .. }, Some(given)) => coerce_attribute(constraint, given),
            (Entry::Blocks(blocks), None) => empty_blocks(blocks),
            (Entry::Blocks(blocks), Some(given)) => coerce_blocks(blocks, given),
        };
        entries.push(coerced.map_err(|error| error_below(value, Step::attr(name), error))?);
    }
    Value::object_of(&layout.ty, entries)
}

/// Whether the attribute must be in the configuration.
fn is_required(entry: &Entry<'_>) -> bool {
    matches!(entry, Entry::Attribute { attribute, .. } if !attribute.optional && !attribute.computed)
}

/// Converts the value of an attribute to its type. If that fails, the error says why, in the words of cty.
fn coerce_attribute(constraint: &TypeConstraint, value: &Value) -> Result<Value> {
    convert(value, constraint).map_err(|error| {
        let ty = value.ty();
        if conversion(&ty, constraint).is_none() && !ty.has_dynamic() {
            // The message names the place below the attribute. It depends on the types only, so it shows no content.
            return Error::new(Kind::TypeMismatch, mismatch_message(&ty, constraint));
        }
        error
    })
}

/// Converts the blocks of one nested block type.
fn coerce_blocks(blocks: &Nest<'_>, value: &Value) -> Result<Value> {
    let must_be = match blocks.nesting {
        Nesting::Single | Nesting::Group => return coerce_block(&blocks.item, value),
        Nesting::List => "must be a list",
        Nesting::Set => "must be a set",
        Nesting::Map => "must be a map",
    };
    let coerced = match value.view_below_marks() {
        View::Null(_) => Value::null(blocks.ty.clone()),
        View::Dynamic => Value::unknown(blocks.ty.clone()),
        View::Unknown(range) => unknown(&range, blocks.ty.clone())?,
        // The unknown members decide how many distinct members the set has, and in which order.
        View::Set(set)
            if blocks.nesting == Nesting::List
                && !set.not_wholly_known().is_empty()
                && set.member_count() > 1 =>
        {
            coerce_items(blocks, value)?;
            let length = Refinement::length(set.length()).and_not_null();
            match &blocks.ty {
                Type::Dynamic => Value::dynamic(),
                ty => Value::refined(ty.clone(), length)?,
            }
        }
        View::Map(_) | View::Object(_) => blocks.collect(coerce_items(blocks, value)?)?,
        View::List(_) | View::Set(_) | View::Tuple(_) if blocks.nesting != Nesting::Map => {
            blocks.collect(coerce_items(blocks, value)?)?
        }
        _ => return Err(type_error(must_be)),
    };
    Ok(coerced.with_marks(value.marks()))
}

/// Converts each element of a collection as one block; returns each with the step to it.
fn coerce_items(blocks: &Nest<'_>, value: &Value) -> Result<Vec<(Step, Value)>> {
    let item = |(step, item): (Step, &Value)| {
        let coerced = coerce_block(&blocks.item, item);
        coerced.map_err(|error| error_below(value, step.clone(), error)).map(|coerced| (step, coerced))
    };
    value.elements().map(item).collect()
}

/// An unknown value of the type `ty` with the facts of `range` that stay true. If `range` is of another type, only "not
/// null" stays: core accepts any unknown.
fn unknown(range: &ValueRange, ty: Type) -> Result<Value> {
    let same = *range.ty() == ty;
    match ty {
        Type::Dynamic => Ok(Value::dynamic()),
        ty if same => Value::refined(ty, range.refinement().clone()),
        ty if range.is_not_null() => Value::refined(ty, Refinement::not_null()),
        // A null converts to a null of every type.
        ty if range.nullness() == Nullness::Null => Value::refined(ty, Refinement::null()),
        ty => Ok(Value::unknown(ty)),
    }
}

/// Prefixes the path of an error with a step into `whole`. If `whole` is marked, the error tells nothing of its content.
pub(super) fn error_below(whole: &Value, step: Step, error: Error) -> Error {
    if whole.is_marked() { error.behind_mark() } else { error.under(step) }
}

/// An error that the value has another type than the schema.
fn type_error(message: &'static str) -> Error {
    Error::of(Kind::TypeMismatch, message.into())
}
