//! Nested blocks, written out or made by `dynamic` blocks.

use std::borrow::Cow;
use std::ops::Range;

use super::super::scope::ModuleScope;
use super::super::{Engine, added};
use super::Written;
use crate::configuration::module::index;
use crate::configuration::validate::missing_argument;
use plantime::source::Source;
use plantime::unstable::value::refinement_of_outcomes;
use plantime::{Marks, Nullness, Refinement, Type, Value, View};
use plantime_hcl::Diagnostic;
use plantime_hcl::{Block, Body};
use plantime_schema::{Block as BlockSchema, NestedBlock, Nesting};

/// The maximum number of blocks that all `dynamic` blocks make together.
const BLOCKS: u64 = 200_000;

/// The blocks of one kind: the label of each and its value.
struct Found {
    items: Vec<(Option<String>, Value)>,
    /// Where the body of each begins.
    places: Vec<(Source, Range<usize>)>,
    /// Whether a `dynamic` block makes an unknown number of further blocks.
    unknown: bool,
    /// Of each such `dynamic` block, what each of the blocks that it makes becomes.
    further: Vec<Value>,
    marks: Marks,
}

impl<'a> Engine<'a> {
    /// The value of the nested blocks of a kind.
    pub(super) fn nested(
        &self,
        written: &Written<'_>,
        kind: &str,
        nested: &NestedBlock,
        ty: &Type,
        scope: &ModuleScope<'_, 'a>,
    ) -> Value {
        let element = match ty {
            // With `dynamic` inside, the whole is of unknown type.
            Type::Dynamic => nested.block.implied_type().unwrap_or(Type::Dynamic),
            _ => ty.element_type().unwrap_or(ty).clone(),
        };
        let labels = usize::from(nested.nesting == Nesting::Map);
        let found = self.blocks(written, kind, labels, scope, &|written, scope| {
            self.object(written, &nested.block, &element, scope)
        });
        if self.inputs.is_validation {
            self.check_block_count(written, kind, nested, &found.places, found.unknown);
        }
        let least = u64::try_from(found.items.len()).unwrap_or(u64::MAX);
        let mut items = found.items.iter().map(|(_, value)| value.clone());
        let unknown = || {
            let unknown = Value::unknown_not_null(ty.clone());
            let longer = match nested.nesting {
                Nesting::List => unknown.assume_list_length_min(least),
                _ => Ok(unknown.clone()),
            };
            let unknown = longer.unwrap_or(unknown);
            let blocks = found.items.iter().map(|(_, value)| value).chain(&found.further);
            let known = refinement_of_all(blocks, &nested.block);
            known.and_then(|known| unknown.assume(&known).ok()).unwrap_or(unknown)
        };
        let value = match nested.nesting {
            Nesting::Single if found.unknown => Value::unknown(ty.clone()),
            Nesting::Single => items.next_back().unwrap_or_else(|| Value::null(ty.clone())),
            Nesting::Group => items.next_back().unwrap_or_else(|| {
                // An absent group lacks nothing.
                let empty = Body::default();
                let written = Written {
                    body: &empty,
                    source: written.source,
                    body_start: 0..0,
                    is_resource: false,
                    is_data_source: false,
                };
                self.object_of(&written, &nested.block, &element, scope)
            }),
            _ if found.unknown => unknown(),
            Nesting::List if *ty == Type::Dynamic => Value::tuple(items).unwrap_or_else(|_| unknown()),
            Nesting::List => Value::list_of(element, items).unwrap_or_else(|_| unknown()),
            Nesting::Set => Value::set_of(element, items).unwrap_or_else(|_| unknown()),
            Nesting::Map => {
                let entries = found
                    .items
                    .iter()
                    .map(|(label, value)| (label.clone().unwrap_or_default(), value.clone()));
                match *ty {
                    Type::Dynamic => Value::object(entries),
                    _ => Value::map_of(element, entries),
                }
                .unwrap_or_else(|_| unknown())
            }
        };
        value.with_marks(&found.marks)
    }

    /// The value of an attribute that is a list or set of objects and is written as blocks; `None` if there is no such block.
    pub(super) fn attribute_as_blocks(
        &self,
        written: &Written<'_>,
        name: &str,
        ty: &Type,
        scope: &ModuleScope<'_, 'a>,
    ) -> Option<Value> {
        let object = match ty.element_type() {
            Some(Type::Object(object)) if matches!(ty, Type::List(_) | Type::Set(_)) => object,
            _ => return None,
        };
        let found = self.blocks(written, name, 0, scope, &|written, scope| {
            let attributes = object.iter().map(|(name, ty)| {
                let value = match written.body.argument(name) {
                    Some(argument) => {
                        let value = self.evaluate_or_report(&argument.expression, scope);
                        plantime::convert(&value, &ty.clone().into())
                            .unwrap_or_else(|_| Value::unknown(ty.clone()))
                    }
                    None => self
                        .attribute_as_blocks(written, name, ty, scope)
                        .unwrap_or_else(|| Value::null(ty.clone())),
                };
                (name, value)
            });
            Value::object(attributes).unwrap_or_else(|_| Value::unknown(Type::Object(object.clone())))
        });
        if found.items.is_empty() && !found.unknown {
            return None;
        }
        let element = Type::Object(object.clone());
        let items = found.items.into_iter().map(|(_, value)| value);
        let value = match ty {
            _ if found.unknown => Ok(Value::unknown_not_null(ty.clone())),
            Type::List(_) => Value::list_of(element, items),
            _ => Value::set_of(element, items),
        };
        Some(value.unwrap_or_else(|_| Value::unknown_not_null(ty.clone())).with_marks(&found.marks))
    }

    /// The kinds of the nested blocks, each once, in the order of the file; meta blocks such as `lifecycle` left out. Of the properties of
    /// a body in JSON only the `dynamic` blocks are certainly blocks.
    pub(super) fn kinds_of_blocks(&self, written: &Written<'_>) -> Vec<String> {
        let mut kinds: Vec<String> = Vec::new();
        let dynamic = dynamic_properties(written);
        for block in written.body.blocks.iter().chain(&dynamic) {
            let kind = block.produced_kind();
            let is_meta = written.is_meta_block(kind);
            if !is_meta && !kinds.iter().any(|known| known == kind) {
                kinds.push(kind.to_owned());
            }
        }
        kinds
    }

    /// The nested blocks of a kind without a schema, as a tuple of their values; unknown if their number is unknown.
    pub(super) fn untyped_blocks(
        &self,
        written: &Written<'_>,
        kind: &str,
        scope: &ModuleScope<'_, 'a>,
    ) -> Value {
        let found =
            self.blocks(written, kind, 0, scope, &|written, scope| self.untyped_object(written, scope));
        let value = match found.unknown {
            true => Ok(Value::dynamic()),
            false => Value::tuple(found.items.into_iter().map(|(_, value)| value)),
        };
        value.unwrap_or_else(|_| Value::dynamic()).with_marks(&found.marks)
    }

    /// The blocks of a kind, in the order of the file.
    fn blocks(
        &self,
        written: &Written<'_>,
        kind: &str,
        labels: usize,
        scope: &ModuleScope<'_, 'a>,
        object: &dyn Fn(&Written<'_>, &ModuleScope<'_, 'a>) -> Value,
    ) -> Found {
        let mut found = Found {
            items: Vec::new(),
            places: Vec::new(),
            unknown: false,
            further: Vec::new(),
            marks: Marks::new(),
        };
        let body = written.body;
        let is_dynamic = |block: &Block| &*block.kind == "dynamic" && block.produced_kind() == kind;
        for block in body.blocks.iter().filter(|block| &*block.kind == kind || is_dynamic(block)) {
            if is_dynamic(block) {
                self.dynamic(block, scope, object, &mut found);
            } else {
                let label = block.labels.first().map(|label| label.to_string());
                found.places.push((block.source.clone(), block.body_start.clone()));
                found.items.push((label, object(&Written::of(block), scope)));
            }
        }
        if !body.properties.is_empty() {
            let only_properties = Body { properties: body.properties.clone(), ..Body::default() };
            let blocks = only_properties.blocks_of(written.source, kind, labels);
            for block in blocks.into_iter().map(Cow::into_owned) {
                let label = block.labels.first().map(|label| label.to_string());
                found.places.push((block.source.clone(), block.body_start.clone()));
                found.items.push((label, object(&Written::of(&block), scope)));
            }
            for block in dynamic_properties(written) {
                if is_dynamic(&block) {
                    self.dynamic(&block, scope, object, &mut found);
                }
            }
        }
        found
    }

    /// Adds the blocks that a `dynamic` block makes.
    fn dynamic(
        &self,
        block: &Block,
        scope: &ModuleScope<'_, 'a>,
        object: &dyn Fn(&Written<'_>, &ModuleScope<'_, 'a>) -> Value,
        found: &mut Found,
    ) {
        let contents = block.body.blocks_of(&block.source, "content", 0);
        let (Some(each), Some(content)) = (block.body.argument("for_each"), contents.first()) else {
            let (summary, detail) = match block.body.argument("for_each") {
                None => ("Missing required argument", missing_argument("for_each")),
                Some(_) => {
                    ("Insufficient content blocks", "At least 1 \"content\" blocks are required.".to_owned())
                }
            };
            return self.report(Diagnostic::new(&block.source, block.body_start.clone(), summary, detail));
        };
        let (collection, marks) = self.evaluate_or_report(&each.expression, scope).unmark();
        found.marks.extend_from(&marks);
        let iterator = block.iterator_name().to_owned();
        let problem = |detail: String| {
            let (source, span) = (each.expression.source(), each.expression.span());
            self.report(Diagnostic::new(source, span, "Invalid dynamic for_each value", detail));
        };
        let Some(elements) = elements(&collection) else {
            if collection.is_certainly_null() {
                problem("Cannot use a null value in for_each.".to_owned());
            } else if !matches!(collection.view(), View::Unknown(_) | View::Dynamic | View::Set(_)) {
                let ty = collection.ty();
                problem(format!(
                    "Cannot use a {} value in for_each. An iterable collection is required.",
                    ty.friendly_name()
                ));
            }
            found.unknown = true;
            // One block with an unknown element stands for all.
            let (key, value) = unknown_element(&collection);
            let unknown = match self.inputs.is_validation {
                true => [("key", Value::dynamic()), ("value", Value::dynamic())],
                false => [("key", key), ("value", value.with_marks(&marks))],
            };
            let mut scope = scope.nested();
            scope.iterators.push((iterator, Value::object(unknown).unwrap_or_else(|_| Value::dynamic())));
            // If the collection turns out to be empty, nothing in the block is evaluated.
            let block = || object(&Written::of(content), &scope);
            found.further.push(if self.inputs.is_validation { block() } else { self.quietly(block) });
            return;
        };
        if added(&self.counts.blocks, elements.len()) > BLOCKS {
            problem(format!("More than {BLOCKS} blocks are not supported."));
            found.unknown = true;
            return;
        }
        for (key, value) in elements {
            let bound = Value::object([("key", key), ("value", value)]).unwrap_or_else(|_| Value::dynamic());
            let mut scope = scope.nested();
            scope.iterators.push((iterator.clone(), bound));
            let label = block.body.argument("labels").and_then(|argument| {
                let labels = self.evaluate_or_report(&argument.expression, &scope).unmark_deep().0;
                labels.at(0).ok()?.as_str().ok().map(str::to_owned)
            });
            found.places.push((content.source.clone(), content.body_start.clone()));
            found.items.push((label, object(&Written::of(content), &scope)));
        }
    }
}

/// The `dynamic` blocks among the properties of a body in JSON.
fn dynamic_properties(written: &Written<'_>) -> Vec<Block> {
    let properties = written.body.properties.iter().filter(|property| property.name == "dynamic");
    let mut body = Body { properties: properties.cloned().collect(), ..Body::default() };
    body.take_blocks_of(written.source, "dynamic", 1)
}

/// The key and the value of each element of a collection whose number of elements is not known.
fn unknown_element(collection: &Value) -> (Value, Value) {
    let range = collection.range();
    match (collection.view(), range.ty()) {
        (View::Unknown(_), Type::List(list)) => {
            (Value::unknown_not_null(Type::Number), range.unknown_element(list.element()))
        }
        (View::Unknown(_), Type::Map(map)) => (range.unknown_key(), range.unknown_element(map.element())),
        (View::Unknown(_), Type::Set(set)) => {
            let member = range.unknown_element(set.element());
            (member.clone(), member)
        }
        _ => (Value::dynamic(), Value::dynamic()),
    }
}

/// What is known of the collection of nested blocks of which each becomes one of these values; `None` if nothing.
fn refinement_of_all<'v>(
    mut blocks: impl Iterator<Item = &'v Value>,
    schema: &BlockSchema,
) -> Option<Refinement> {
    let known = |block: &Value| refinement_of_outcomes(&without_what_may_change(block, schema));
    let first = known(blocks.next()?);
    let all = blocks.fold(first, |all, block| all.join(&known(block)));
    Refinement::elements(all).ok()
}

/// The value of a nested block without what the provider may plan otherwise: attributes that may be null are left to it, if it computes
/// them. Of what is null, marked, or has attributes or blocks inside, nothing is kept.
fn without_what_may_change(block: &Value, schema: &BlockSchema) -> Value {
    let (block, marks) = block.clone().unmark();
    if !marks.is_empty() {
        return Value::unknown(block.ty());
    }
    let kept = block.map_children(|step, part| {
        let ty = part.ty();
        let is_plain = matches!(ty.element_type().unwrap_or(&ty), Type::Bool | Type::Number | Type::String);
        let attribute = step.name().and_then(|name| schema.attributes.get(name));
        let is_configured = attribute.is_some_and(|attribute| match part.range().nullness() {
            Nullness::NotNull => true,
            _ => !attribute.computed && !part.is_certainly_null(),
        });
        if is_plain && is_configured && !part.contains_marks() { part.clone() } else { Value::unknown(ty) }
    });
    kept.unwrap_or(block)
}

/// The keys and values of a collection; `None` if their number is not known or there are none.
fn elements(collection: &Value) -> Option<Vec<(Value, Value)>> {
    let numbered = |values: &mut dyn Iterator<Item = &Value>| {
        values.enumerate().map(|(number, value)| (index(number), value.clone())).collect()
    };
    Some(match collection.view() {
        View::List(list) => numbered(&mut list.iter()),
        View::Tuple(tuple) => numbered(&mut tuple.iter()),
        View::Map(map) => map.iter().map(|(key, value)| (Value::from(key), value.clone())).collect(),
        View::Object(object) => object.iter().map(|(key, value)| (Value::from(key), value.clone())).collect(),
        View::Set(set) if set.length().exact().is_some() => {
            set.iter().map(|value| (value.clone(), value.clone())).collect()
        }
        _ => return None,
    })
}
