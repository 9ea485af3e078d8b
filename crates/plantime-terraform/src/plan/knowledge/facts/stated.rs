//! One fact about a resource type.

use std::collections::BTreeMap;
use std::sync::Arc;

use crate::plan::knowledge::Origin;
use plantime::rule::{ExprStep, PathExpr};
use plantime::{NumberRange, Range, Refinement, Type, Value, View};
use plantime_schema::catalogue::Fact;

/// A fact about a place of every resource of a type.
pub(super) struct StatedFact {
    pub(super) path: PathExpr,
    /// The type of the value at the place, for plans without schemas, which do not tell it.
    pub(super) ty: Option<Type>,
    pub(super) origin: Origin,
    /// Whether a relation is stated of a value that is not null: then it gives the value even where its type is not known.
    is_not_null: bool,
    says: Says,
}

/// What a fact states about the value at a place.
enum Says {
    Refinement(Refinement),
    /// The refinement of a catalogue's fact, which is parsed when it is first needed.
    OfCatalogue(Arc<Fact>),
    /// The value equals the value of the attribute with this name in the same resource.
    Equals(String),
    /// The value contains the string that the attribute with this name in the same resource has.
    Contains(String),
    /// A fact about the attribute with this name states that it equals the value (there it is an `Equals`). What is known of
    /// that attribute therefore holds of the value, as long as the attribute is unknown.
    EqualTo(String),
}

impl StatedFact {
    /// The fact that a refinement holds of a place.
    pub(super) fn new(path: PathExpr, refinement: Refinement, origin: Origin) -> StatedFact {
        StatedFact { path, ty: None, origin, is_not_null: false, says: Says::Refinement(refinement) }
    }

    /// The facts of a line of a catalogue: its refinement and each of its relations.
    pub(super) fn of_catalogue(fact: &Arc<Fact>) -> impl Iterator<Item = StatedFact> + use<> {
        let fact = Arc::clone(fact);
        let equals = fact.equals().iter().cloned().map(Says::Equals);
        let contains = fact.contains().iter().cloned().map(Says::Contains);
        let own = fact.states_refinement().then(|| Says::OfCatalogue(Arc::clone(&fact)));
        let path = |_: &Says| fact.path().clone();
        let mut says: Vec<(PathExpr, Says)> =
            own.into_iter().chain(equals).chain(contains).map(|says| (path(&says), says)).collect();
        // Equality holds both ways.
        if let [ExprStep::Attr(name)] = fact.path().steps() {
            says.extend(fact.equals().iter().filter_map(|other| {
                let path = PathExpr::from_steps([ExprStep::Attr(other.clone())]).ok()?;
                Some((path, Says::EqualTo(name.clone())))
            }));
        }
        says.into_iter().map(move |(path, says)| StatedFact {
            path,
            ty: fact.ty().cloned(),
            origin: Origin::Catalogue(fact.origin().to_owned()),
            // Whether the other one is null, equality does not say.
            is_not_null: fact.is_not_null() && !matches!(says, Says::EqualTo(_)),
            says,
        })
    }

    /// Whether the fact relates the value to another attribute of the resource.
    pub(super) fn is_relation(&self) -> bool {
        matches!(self.says, Says::Equals(_) | Says::Contains(_) | Says::EqualTo(_))
    }

    /// The refinement that the fact gives its place, where `attribute` returns the attributes of the resource; `None` if it
    /// gives none.
    pub(super) fn refinement_in(&self, attribute: impl Fn(&str) -> Option<Value>) -> Option<Refinement> {
        let stated = match &self.says {
            Says::Refinement(refinement) => Some(refinement.clone()),
            Says::OfCatalogue(fact) => Some(fact.refinement().clone()),
            Says::Equals(name) => equal_to(&attribute(name)?),
            Says::EqualTo(name) => {
                let other = attribute(name).filter(|other| !other.is_known())?;
                equal_to(&other)
            }
            Says::Contains(name) => match attribute(name)?.as_str() {
                Ok(text) => Refinement::containing(text).ok(),
                Err(_) => None,
            },
        };
        let stated = stated.filter(|refinement| !refinement.is_trivial())?;
        Some(if self.is_not_null && self.is_relation() { stated.and_not_null() } else { stated })
    }
}

/// The refinement of a value that is equal to another one. Nothing is taken from a marked value, whose content would show
/// (L5), and not whether it is null: a fact is about values other than null.
fn equal_to(other: &Value) -> Option<Refinement> {
    if other.is_marked() {
        return None;
    }
    match other.view() {
        View::String(text) => Refinement::one_of([text]).ok(),
        View::Number(number) => Some(Refinement::number(NumberRange::exactly(number.clone()))),
        View::Unknown(_) => {
            let refinement = other.range().refinement().clone();
            let of_primitive = matches!(
                refinement.range(),
                Range::Prefix(_)
                    | Range::Language(_)
                    | Range::Number(_)
                    | Range::Multiples(_)
                    | Range::Numbers(_)
            );
            of_primitive.then(|| refinement.join(&Refinement::null()))
        }
        _ => None,
    }
}

/// The facts about one resource type, by the attribute that they are in.
pub(super) struct FactsOfType {
    /// What is said of each attribute by itself.
    pub(super) of_attributes: BTreeMap<String, Vec<StatedFact>>,
    /// What is said of attributes by others, applied afterwards.
    pub(super) relations: BTreeMap<String, Vec<StatedFact>>,
}

impl FactsOfType {
    /// Groups the facts, in their order.
    pub(super) fn new(facts: impl IntoIterator<Item = StatedFact>) -> FactsOfType {
        let mut grouped = FactsOfType { of_attributes: BTreeMap::new(), relations: BTreeMap::new() };
        for fact in facts {
            let Some(ExprStep::Attr(root)) = fact.path.steps().first() else { continue };
            let group = if fact.is_relation() { &mut grouped.relations } else { &mut grouped.of_attributes };
            group.entry(root.clone()).or_default().push(fact);
        }
        grouped
    }
}

/// The text of the origin of a fact of a schema.
pub(super) fn schema_origin(type_name: &str, path: &PathExpr, why: &str) -> Origin {
    Origin::Schema(format!("schema: {type_name}.{path} {why}"))
}
