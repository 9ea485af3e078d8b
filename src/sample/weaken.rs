//! Weakens values: from a value to one that contains it.
//!
//! Values of every level of known-ness can be weakened, so weakening a weakened value gives a still weaker one. Marks
//! stay on each part that the weakened value still has.

use super::{Sampler, Weakened};
use crate::refinement::Refinement;
use crate::types::Type;
use crate::value::{Value, View, view_below_marks};

impl Sampler<'_> {
    /// A random concrete value, with an abstract value that may become it.
    pub fn pair(&mut self) -> Weakened {
        let concrete = self.concrete();
        self.pair_of(concrete)
    }

    /// A random concrete value of this type, with an abstract value that may become it.
    pub fn pair_of_type(&mut self, ty: &Type) -> Weakened {
        let concrete = self.concrete_of(ty);
        self.pair_of(concrete)
    }

    /// This wholly known value, with a random abstract value that may become it.
    pub fn pair_of(&mut self, concrete: Value) -> Weakened {
        let value = self.weakened(&concrete);
        Weakened { concrete, value }
    }

    /// A random value that may become everything that this value may become. It is of the same type or of one that
    /// covers it. Marks stay on each part that the result still has.
    pub fn weakened(&mut self, value: &Value) -> Value {
        let weakened = match self.below(8) {
            0 if self.chance(1, 3) => value.clone(),
            0..=4 => self.weaken_children(value),
            5 => self.unknown(value),
            6 => self.refined(value),
            _ => Value::dynamic(),
        };
        weakened.with_marks(value.marks())
    }

    /// The container with some of its children replaced by weaker values; other values stay as they are.
    fn weaken_children(&mut self, value: &Value) -> Value {
        let weakened = match view_below_marks(value) {
            View::Tuple(tuple) => {
                let items: Vec<Value> = tuple.iter().map(|item| self.weaken_child(item)).collect();
                Value::tuple(items).ok()
            }
            View::Object(object) => {
                let slots: Vec<(&str, Value)> =
                    object.iter().map(|(name, item)| (name, self.weaken_child(item))).collect();
                Value::object(slots).ok()
            }
            View::List(_) | View::Set(_) | View::Map(_) => {
                let ty = value.ty();
                let target = if self.chance(1, 3) { self.widened(&ty) } else { ty };
                return self.weakened_to(value, &target, false);
            }
            _ => None,
        };
        weakened.unwrap_or_else(|| value.clone())
    }

    /// Weakens a child of a tuple or object in half of the cases. The others stay as they are, so that large values
    /// do not become unknown as a whole.
    fn weaken_child(&mut self, value: &Value) -> Value {
        if self.chance(1, 2) { self.weakened(value) } else { value.clone() }
    }

    /// An unknown value, without any fact, of a random type that covers the value's.
    fn unknown(&mut self, value: &Value) -> Value {
        let ty = value.ty();
        Value::unknown(self.widened(&ty))
    }

    /// An unknown value of the value's type, or of one that covers it, with random facts that hold for the value.
    fn refined(&mut self, value: &Value) -> Value {
        let ty = value.ty();
        let target = if self.chance(1, 4) { self.widened(&ty) } else { ty };
        self.refined_to(value, target)
    }

    /// An unknown value of the target type, with random facts that hold for the value.
    fn refined_to(&mut self, value: &Value, target: Type) -> Value {
        let refinement = self.refinement_holding(value);
        Value::refined(target.clone(), refinement).unwrap_or_else(|_| Value::unknown(target))
    }

    /// A random value of exactly the type `target` that may become this value; `target` covers the value's type.
    /// `open` is true inside a collection whose element type the target leaves undecided: there a null or an empty
    /// collection of another type counts as one of the target type.
    fn weakened_to(&mut self, value: &Value, target: &Type, open: bool) -> Value {
        let weakened = match self.below(8) {
            0..=4 => self.weaken_children_to(value, target, open),
            5 => Some(self.refined_to(value, target.clone())),
            6 => Some(self.refined_to(value, target.clone())),
            _ => None,
        };
        weakened.unwrap_or_else(|| Value::unknown(target.clone())).with_marks(value.marks())
    }

    /// The value as one of the type `target`, with some children weakened. `None` if the value has no such form, as
    /// with a null whose type the target leaves undecided.
    fn weaken_children_to(&mut self, value: &Value, target: &Type, open: bool) -> Option<Value> {
        let same = value.has_type(target);
        match (view_below_marks(value), target) {
            (View::Null(_), target) => (same || open).then(|| Value::null(target.clone())),
            (View::Tuple(tuple), Type::Tuple(types)) => {
                let items: Vec<Value> =
                    tuple.iter().zip(types).map(|(item, ty)| self.weaken_child_to(item, ty, open)).collect();
                Value::tuple(items).ok()
            }
            (View::Object(object), Type::Object(types)) => {
                let slots = object.iter().zip(types.iter());
                let slots: Vec<Value> =
                    slots.map(|((_, item), (_, ty))| self.weaken_child_to(item, ty, open)).collect();
                Value::object_of(types, slots).ok()
            }
            (View::List(list), Type::List(ty)) => {
                let (ty, items) = (ty.element(), list.iter().collect::<Vec<_>>());
                let items = self.elements(&items, ty, same, open)?;
                Value::list_of(ty.clone(), items).ok()
            }
            (View::Map(map), Type::Map(ty)) => {
                let (ty, items) = (ty.element(), map.iter().map(|(_, item)| item).collect::<Vec<_>>());
                let items = self.elements(&items, ty, same, open)?;
                Value::map_of(ty.clone(), map.iter().map(|(key, _)| key).zip(items)).ok()
            }
            (View::Set(set), Type::Set(ty)) => {
                let (ty, members) = (ty.element(), set.iter().collect::<Vec<_>>());
                let mut items = self.elements(&members, ty, same, open)?;
                // Two undecided members may become equal.
                if let Some(member) = members.first()
                    && self.chance(1, 4)
                {
                    items.push(self.weaken_child_to(member, ty, open || ty.has_dynamic()));
                }
                let built = Value::set_of(ty.clone(), items).ok()?;
                let length = Refinement::length(set.length());
                if self.chance(1, 2) { built.assume(&length).ok().or(Some(built)) } else { Some(built) }
            }
            _ => same.then(|| value.clone().unmark().0),
        }
    }

    /// Weakens the elements of a collection to the element type `ty`. `same` says whether the collection is already
    /// of the target type; for `open` see [`weakened_to`](Sampler::weakened_to). `None` for an empty collection of
    /// another type, unless `open`: it cannot become one of the target type.
    fn elements(&mut self, items: &[&Value], ty: &Type, same: bool, open: bool) -> Option<Vec<Value>> {
        if items.is_empty() && !same && !open {
            // An empty collection of undecided element type is a value of its own.
            return None;
        }
        let open = open || ty.has_dynamic();
        Some(items.iter().map(|item| self.weaken_child_to(item, ty, open)).collect())
    }

    /// Weakens a child to the target type; half of those that are of this type already stay as they are.
    fn weaken_child_to(&mut self, value: &Value, target: &Type, open: bool) -> Value {
        if value.has_type(target) && !self.chance(1, 2) {
            return value.clone();
        }
        self.weakened_to(value, target, open)
    }
}
