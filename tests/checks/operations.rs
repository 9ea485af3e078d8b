//! The laws for operations.

use plantime::sample::{Sampler, Weakened, may_become};
use plantime::{Result, Type, Value, convert};

use super::laws::{self, Call};
use super::several;

/// What an operand has to be for the operation to make sense.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Kind {
    /// Anything; two of the same type.
    Any,
    Bool,
    Number,
    /// Something with parts, and a key to it.
    Container,
    /// A set, and what may be a member of it.
    Set,
    /// Two sets.
    Sets,
}

pub struct Binary {
    pub name: &'static str,
    pub kind: Kind,
    pub call: fn(&Value, &Value) -> Result<Value>,
    /// Whether the laws about marks are the plain ones: marks at the top stay at the top.
    pub plain_marks: bool,
}

pub struct Unary {
    pub name: &'static str,
    pub kind: Kind,
    pub call: fn(&Value) -> Result<Value>,
}

const fn binary(name: &'static str, kind: Kind, call: fn(&Value, &Value) -> Result<Value>) -> Binary {
    Binary { name, kind, call, plain_marks: true }
}

pub const BINARY: [Binary; 21] = [
    binary("equals", Kind::Any, Value::equals),
    binary("not_equal", Kind::Any, Value::not_equal),
    binary("and", Kind::Bool, Value::and),
    binary("or", Kind::Bool, Value::or),
    binary("less_than", Kind::Number, Value::less_than),
    binary("greater_than", Kind::Number, Value::greater_than),
    binary("less_than_or_equal", Kind::Number, Value::less_than_or_equal),
    binary("greater_than_or_equal", Kind::Number, Value::greater_than_or_equal),
    binary("add", Kind::Number, Value::add),
    binary("subtract", Kind::Number, Value::subtract),
    binary("multiply", Kind::Number, Value::multiply),
    binary("divide", Kind::Number, Value::divide),
    binary("modulo", Kind::Number, Value::modulo),
    binary("index", Kind::Container, Value::index),
    binary("has_index", Kind::Container, Value::has_index),
    binary("has_element", Kind::Set, Value::has_element),
    binary("union", Kind::Sets, Value::union),
    binary("intersection", Kind::Sets, Value::intersection),
    binary("difference", Kind::Sets, Value::difference),
    binary("symmetric_difference", Kind::Sets, Value::symmetric_difference),
    // The assumed value takes the place of the other, without what says that it must not be seen.
    Binary { name: "assume_equal", kind: Kind::Any, call: Value::assume_equal, plain_marks: false },
];

pub const UNARY: [Unary; 5] = [
    Unary { name: "not", kind: Kind::Bool, call: Value::not },
    Unary { name: "negate", kind: Kind::Number, call: Value::negate },
    Unary { name: "absolute", kind: Kind::Number, call: Value::absolute },
    Unary { name: "length", kind: Kind::Any, call: Value::length },
    Unary { name: "assume_not_null", kind: Kind::Any, call: Value::assume_not_null },
];

/// All laws of an operation on two operands; `wide` are weaker than the weakened operands.
#[track_caller]
pub fn two(op: &Binary, a: &Weakened, b: &Weakened, wide: (&Value, &Value)) {
    let text = || {
        format!("{}({:?}, {:?}) with {:?}, {:?}", op.name, a.value(), b.value(), a.concrete(), b.concrete())
    };
    let call = Call(&text);
    let concrete = (op.call)(a.concrete(), b.concrete());
    laws::known(&concrete, &call);
    let weak = (op.call)(a.value(), b.value());
    if op.name == "assume_equal" {
        // At apply it succeeds exactly if the converted value equals the assumed one.
        let converted = convert(a.concrete(), &b.concrete().ty().into());
        let equal = converted.and_then(|value| value.equals(b.concrete())) == Ok(Value::from(true));
        assert_eq!(concrete.as_ref().ok(), Some(b.concrete()).filter(|_| equal), "{}", text());
        let halves = [(a.value(), b.concrete()), (a.concrete(), b.value()), wide];
        for plan in halves.map(|(a, b)| (op.call)(a, b)).iter().chain([&weak]) {
            assert!(plan.is_ok() || !equal, "{}, weaker {wide:?}: {plan:?}", text());
        }
        return;
    }
    laws::sound(&concrete, &weak, &call);
    laws::sound(&concrete, &(op.call)(a.concrete(), b.value()), &call);
    laws::sound(&concrete, &(op.call)(a.value(), b.concrete()), &call);
    let wider = (op.call)(wide.0, wide.1);
    let text_wide = || format!("{}, weaker {:?}, {:?}", text(), wide.0, wide.1);
    let call_wide = Call(&text_wide);
    laws::sound(&concrete, &wider, &call_wide);
    // Close to the limit, a bound that cannot be computed is dropped, and a wider one may be one that can.
    let is_short = |value: &&Value| value.to_string().len() < 1000;
    if [a.concrete(), b.concrete(), a.value(), b.value(), wide.0, wide.1].iter().all(is_short) {
        laws::monotone(&weak, &wider, &call_wide);
    }
    if op.name == "equals" {
        let swapped = b.value().equals(a.value());
        assert_eq!(swapped.ok(), weak.ok(), "not symmetric: {}", text());
        assert_eq!(a.concrete().equals(a.concrete()).unwrap(), Value::from(true), "{:?}", a.concrete());
    }
}

/// All laws of an operation on one operand; `wide` is weaker than the weakened one.
#[track_caller]
pub fn one(op: &Unary, a: &Weakened, wide: &Value) {
    let text = || format!("{}({:?}) with {:?}, weaker {wide:?}", op.name, a.value(), a.concrete());
    let call = Call(&text);
    let concrete = (op.call)(a.concrete());
    laws::known(&concrete, &call);
    let weak = (op.call)(a.value());
    if op.name == "assume_not_null" && a.value().ty() == Type::Dynamic {
        // The named exception: what has no type cannot be refined.
        return;
    }
    laws::sound(&concrete, &weak, &call);
    if wide.ty() == Type::Dynamic && op.name == "assume_not_null" {
        return;
    }
    let wider = (op.call)(wide);
    laws::sound(&concrete, &wider, &call);
    laws::monotone(&weak, &wider, &call);
}

/// The laws of marks of an operation on two operands, one of them marked.
#[track_caller]
pub fn two_marked(op: &Binary, a: &Value, b: &Value, marked: (&Value, &Value)) {
    let text = || format!("{}({:?}, {:?})", op.name, marked.0, marked.1);
    let (bare, answer) = ((op.call)(a, b), (op.call)(marked.0, marked.1));
    laws::erased(&answer, &bare, &Call(&text));
    if op.plain_marks {
        laws::retained(&answer, &[marked.0, marked.1], &Call(&text));
    }
}

#[track_caller]
pub fn one_marked(op: &Unary, a: &Value, marked: &Value) {
    let text = || format!("{}({marked:?})", op.name);
    let (bare, answer) = ((op.call)(a), (op.call)(marked));
    laws::erased(&answer, &bare, &Call(&text));
    laws::retained(&answer, &[marked], &Call(&text));
}

/// A pair of the kind; now and then of another.
pub fn operand(sampler: &mut Sampler<'_>, kind: Kind) -> Weakened {
    sampler.refill();
    if sampler.chance(1, 16) {
        return sampler.pair();
    }
    match kind {
        Kind::Any => sampler.pair(),
        Kind::Bool => sampler.pair_of_type(&Type::Bool),
        Kind::Number => sampler.pair_of_type(&Type::Number),
        Kind::Set | Kind::Sets => {
            let member = sampler.ty(false);
            sampler.refill();
            sampler.pair_of_type(&Type::set(member).unwrap_or(Type::Bool))
        }
        Kind::Container => {
            let inner = sampler.ty(false);
            sampler.refill();
            let ty = match sampler.below(5) {
                0 => Type::list(inner),
                1 => Type::map(inner),
                2 => Type::tuple([inner, Type::Number, Type::Bool]),
                3 => Type::object([("a", inner), ("b", Type::String)]),
                _ => return sampler.pair(),
            };
            sampler.pair_of_type(&ty.unwrap_or(Type::Bool))
        }
    }
}

/// A second operand for the first: often of its type, often with the same or much the same content.
pub fn partner(sampler: &mut Sampler<'_>, kind: Kind, first: &Weakened) -> Weakened {
    sampler.refill();
    match kind {
        Kind::Any => match sampler.below(5) {
            0 => sampler.pair_of(first.concrete().clone()),
            3 => {
                let to = sampler.constraint_for(&first.concrete().ty());
                let converted = convert(first.concrete(), &to).ok().filter(Value::is_wholly_known);
                sampler.pair_of(converted.unwrap_or_else(|| first.concrete().clone()))
            }
            1 => {
                let near = near(sampler, first.concrete());
                sampler.pair_of(near)
            }
            2 => sampler.pair_of_type(&first.concrete().ty()),
            _ => sampler.pair(),
        },
        Kind::Container => {
            let keys: Vec<Value> = match first.concrete().view() {
                plantime::View::Map(map) => map.iter().map(|(key, _)| Value::from(key)).collect(),
                plantime::View::Object(object) => object.iter().map(|(name, _)| Value::from(name)).collect(),
                _ => (0..4).map(Value::from).collect(),
            };
            match keys.get(sampler.below(keys.len() + 1)) {
                Some(key) => sampler.pair_of(key.clone()),
                None => sampler.pair_of_type(&Type::Number),
            }
        }
        Kind::Set => match first.concrete().view() {
            plantime::View::Set(set) => match set.known().get(sampler.below(set.member_count() + 1)) {
                Some(member) => sampler.pair_of(member.clone()),
                None => sampler.pair_of_type(set.element_type()),
            },
            _ => sampler.pair(),
        },
        Kind::Sets => {
            let (near, ty) = (near(sampler, first.concrete()), first.concrete().ty());
            sampler.refill();
            if sampler.chance(1, 2) { sampler.pair_of(near) } else { sampler.pair_of_type(&ty) }
        }
        kind => operand(sampler, kind),
    }
}

/// The value with one part changed.
pub fn near(sampler: &mut Sampler<'_>, value: &Value) -> Value {
    let path = sampler.path_in(value);
    let changed = value.transform(|here, part| {
        Ok(if *here == path && part.parts().count() == 1 { sampler.concrete_of(&part.ty()) } else { part })
    });
    changed.ok().filter(Value::is_wholly_known).unwrap_or_else(|| value.clone())
}

/// An arbitrary operation on a pair of operands, all laws.
pub fn any(sampler: &mut Sampler<'_>) {
    let place = sampler.below(BINARY.len() + UNARY.len() + 7);
    if let Some(op) = BINARY.get(place) {
        let a = operand(sampler, op.kind);
        let b = partner(sampler, op.kind, &a);
        let wide = (sampler.weakened(a.value()), sampler.weakened(b.value()));
        two(op, &a, &b, (&wide.0, &wide.1));
        let marked = (sampler.marked(a.value()), sampler.marked(b.value()));
        two_marked(op, a.value(), b.value(), (&marked.0, &marked.1));
        laws::ordered(a.value(), b.value());
        laws::transitive(a.value(), b.value(), &wide.0);
    } else if let Some(op) = UNARY.get(place - BINARY.len()) {
        let a = operand(sampler, op.kind);
        let wide = sampler.weakened(a.value());
        one(op, &a, &wide);
        let marked = sampler.marked(a.value());
        one_marked(op, a.value(), &marked);
    } else if place - BINARY.len() - UNARY.len() < 5 {
        of_several(sampler, place - BINARY.len() - UNARY.len());
    } else if sampler.chance(1, 2) {
        let a = operand(sampler, Kind::Container);
        let path = sampler.path_in(a.concrete());
        part(&a, &path);
        if let plantime::View::Object(object) = a.concrete().view() {
            let wide = sampler.weakened(a.value());
            for name in object.ty().attribute_names().chain(["no such name"]) {
                attribute(&a, name, &wide);
            }
        }
    } else {
        let (a, wanted) = (sampler.pair(), sampler.ty(true));
        let own = a.concrete().ty();
        let wide = sampler.weakened(a.value());
        assume_type(&a, &wanted, &wide);
        assume_type(&a, &own, &wide);
    }
}

fn of_several(sampler: &mut Sampler<'_>, place: usize) {
    if place == 0 {
        let texts: Vec<Weakened> =
            (0..sampler.below(5)).map(|_| sampler.pair_of_type(&Type::String)).collect();
        let wide: Vec<Value> = texts.iter().map(|text| sampler.weakened(text.value())).collect();
        return several::concatenated(&texts, &wide);
    }
    let a = operand(sampler, Kind::Any);
    if place == 1 {
        let marked = sampler.marked(a.value());
        return several::nulled(&a, &marked);
    }
    let b = partner(sampler, Kind::Any, &a);
    let wide = (sampler.weakened(a.value()), sampler.weakened(b.value()));
    match place {
        2 => several::included(&a, &b, &wide.1),
        3 => {
            let marked = (sampler.marked(a.value()), sampler.marked(b.value()));
            several::joined(&a, &b, (&marked.0, &marked.1));
        }
        _ => {
            let condition = operand(sampler, Kind::Bool);
            let wide_condition = sampler.weakened(condition.value());
            several::chosen(&condition, &a, &b, (&wide_condition, &wide.0, &wide.1));
        }
    }
}

/// A part of the weakened value contains the part of the concrete one.
#[track_caller]
pub fn part(a: &Weakened, path: &plantime::Path) {
    let text = || format!("{path} in {:?} with {:?}", a.value(), a.concrete());
    let (concrete, weak) = (a.concrete().get(path), a.value().get(path));
    laws::sound(&concrete, &weak, &Call(&text));
}

/// An attribute of the weakened value contains that of the concrete one.
#[track_caller]
pub fn attribute(a: &Weakened, name: &str, wide: &Value) {
    let text = || format!("{name} of {:?} with {:?}, weaker {wide:?}", a.value(), a.concrete());
    let (concrete, weak) = (a.concrete().get_attr(name), a.value().get_attr(name));
    laws::sound(&concrete, &weak, &Call(&text));
    laws::sound(&concrete, &wide.get_attr(name), &Call(&text));
    laws::monotone(&weak, &wide.get_attr(name), &Call(&text));
}

/// A type attached at plan and at apply.
#[track_caller]
pub fn assume_type(a: &Weakened, ty: &Type, wide: &Value) {
    let text = || format!("{:?} assumed {ty} with {:?}", a.value(), a.concrete());
    let (concrete, weak) = (a.concrete().assume_type(ty), a.value().assume_type(ty));
    laws::known(&concrete, &Call(&text));
    laws::sound(&concrete, &weak, &Call(&text));
    laws::sound(&concrete, &wide.assume_type(ty), &Call(&text));
    if let Ok(weak) = &weak {
        assert!(!may_become(weak, a.concrete()) || concrete.is_ok(), "plan and apply disagree: {}", text());
    }
}
