//! Concrete values that a value may become, drawn at random. Apart from `sample.rs`, which the reasons use: this one tries
//! odd texts and keys, long collections and every kind of type, so that it finds what that one leaves out.

use plantime::{Bound, Nullness, Number, Type, Value, View};

use crate::calls::{Answer, Call};
use crate::within::within;

/// Pseudo-random numbers, the same for the same seed.
pub(crate) struct Dice(u64);

impl Dice {
    pub(crate) fn new(seed: &str) -> Dice {
        // FNV-1a, so that neighbouring identifiers give other rolls.
        let hash = seed.bytes().fold(0xcbf2_9ce4_8422_2325_u64, |hash, byte| {
            (hash ^ u64::from(byte)).wrapping_mul(0x0100_0000_01b3)
        });
        Dice(hash | 1)
    }

    /// A number below the limit.
    pub(crate) fn below(&mut self, limit: usize) -> usize {
        self.0 ^= self.0 << 13;
        self.0 ^= self.0 >> 7;
        self.0 ^= self.0 << 17;
        usize::try_from((self.0 >> 11) % limit.max(1) as u64).unwrap_or(0)
    }

    pub(crate) fn one_in(&mut self, times: usize) -> bool {
        self.below(times) == 0
    }

    pub(crate) fn pick<'a, T>(&mut self, from: &'a [T]) -> &'a T {
        &from[self.below(from.len())]
    }
}

const TEXTS: [&str; 30] = [
    "",
    "a",
    "b",
    "x",
    "0",
    "1",
    "7",
    "12",
    "-1",
    "1.5",
    "00",
    "1e3",
    "true",
    "false",
    "\u{e9}",
    "e\u{301}",
    "\u{301}",
    " ",
    "a b",
    "-",
    "/",
    "\"",
    "[1]",
    "{}",
    "null",
    "A",
    "\u{1f600}",
    "10.0.0.0/8",
    "2024-01-01T00:00:00Z",
    "a,b",
];
const NUMBERS: [&str; 22] = [
    "0",
    "1",
    "-1",
    "2",
    "3",
    "4",
    "5",
    "7",
    "10",
    "0.5",
    "-0.5",
    "1.5",
    "1e-30",
    "100",
    "1024",
    "-1000",
    "9007199254740993",
    "1e40",
    "-1e40",
    "inf",
    "-inf",
    "0.3333333333",
];
const KEYS: [&str; 9] = ["a", "b", "k", "\u{e9}", "", "x y", "0", "n", "zz"];

/// What stands in the arguments, for values that have something in common with them.
struct Seen {
    values: Vec<Value>,
    types: Vec<Type>,
    keys: Vec<String>,
    numbers: Vec<Number>,
}

impl Seen {
    fn of(args: &[Value]) -> Seen {
        let mut seen = Seen {
            values: Vec::new(),
            types: vec![Type::String, Type::Number, Type::Bool],
            keys: KEYS.map(str::to_owned).to_vec(),
            numbers: Vec::new(),
        };
        for text in [
            "list(string)",
            "list(number)",
            "set(string)",
            "map(string)",
            "tuple([string, number])",
            "object({a = string})",
            "object({})",
            "tuple([])",
            "list(list(string))",
            "map(object({a = string}))",
        ] {
            seen.types.extend(text.parse::<Type>());
        }
        for arg in args {
            let bare = arg.unmark_deep().0;
            bare.walk(|_, part| {
                seen.note(part);
                true
            });
        }
        seen
    }

    fn note(&mut self, part: &Value) {
        let ty = part.ty();
        if !ty.has_dynamic() && !self.types.contains(&ty) {
            self.types.push(ty);
        }
        if part.is_wholly_known() {
            self.values.push(part.clone());
        }
        match part.view() {
            View::Number(number) => self.numbers.push(number.clone()),
            View::String(text) => self.keys.push(text.to_owned()),
            View::Map(map) => self.keys.extend(map.iter().map(|(key, _)| key.to_owned())),
            View::Unknown(range) => {
                let bounds = range.number_range().map(|range| [range.lower().clone(), range.upper().clone()]);
                let ends = bounds.into_iter().flatten().filter_map(|bound| bound.number().cloned());
                self.numbers.extend(ends);
            }
            _ => {}
        }
    }

    fn number(&self, dice: &mut Dice) -> Number {
        let constant = || NUMBERS.map(|text| text.parse::<Number>().expect("a number"));
        if self.numbers.is_empty() || dice.one_in(3) {
            return dice.pick(&constant()).clone();
        }
        let near = dice.pick(&self.numbers).clone();
        let step: Number = dice
            .pick(&["0", "0", "1", "-1", "0.5", "-0.5", "1e-30", "-1e-30", "3"])
            .parse()
            .expect("a number");
        near.add(&step).unwrap_or(near)
    }

    fn ty(&self, dice: &mut Dice) -> Type {
        dice.pick(&self.types).clone()
    }
}

/// The type with something in place of each undecided part: everywhere the same, or each by itself.
fn decided(ty: &Type, seen: &Seen, dice: &mut Dice) -> Type {
    let built = match ty {
        Type::Dynamic => return seen.ty(dice),
        Type::List(list) => Type::list(decided(list.element(), seen, dice)),
        Type::Set(set) => Type::set(decided(set.element(), seen, dice)),
        Type::Map(map) => Type::map(decided(map.element(), seen, dice)),
        Type::Tuple(tuple) => Type::tuple(tuple.iter().map(|ty| decided(ty, seen, dice)).collect::<Vec<_>>()),
        Type::Object(object) => {
            Type::object(object.iter().map(|(name, ty)| (name, decided(ty, seen, dice))).collect::<Vec<_>>())
        }
        ty => return ty.clone(),
    };
    built.unwrap_or_else(|_| ty.clone())
}

/// A concrete value of the type.
fn of_type(ty: &Type, seen: &Seen, dice: &mut Dice, depth: usize) -> Option<Value> {
    let same: Vec<&Value> = seen.values.iter().filter(|value| value.ty() == *ty).collect();
    if !same.is_empty() && dice.one_in(4) {
        return Some((*dice.pick(&same)).clone());
    }
    if dice.one_in(9) {
        return Some(Value::null(ty.clone()));
    }
    filled(ty, None, seen, dice, depth)
}

/// A concrete value of the type that is not null, with so many elements if it is a collection.
fn filled(ty: &Type, length: Option<usize>, seen: &Seen, dice: &mut Dice, depth: usize) -> Option<Value> {
    let length =
        length.unwrap_or_else(|| if depth > 2 { dice.below(2) } else { *dice.pick(&[0, 1, 1, 2, 2, 3, 5]) });
    match ty {
        Type::Bool => Some(Value::from(dice.one_in(2))),
        Type::Number => Some(Value::from(seen.number(dice))),
        Type::String => match dice.one_in(3) {
            true => Some(Value::from(dice.pick(&seen.keys).as_str())),
            false => Some(Value::from(*dice.pick(&TEXTS))),
        },
        Type::List(list) => {
            let items = (0..length)
                .map(|_| of_type(list.element(), seen, dice, depth + 1))
                .collect::<Option<Vec<_>>>()?;
            Value::list_of(list.element().clone(), items).ok()
        }
        Type::Set(set) => {
            let mut items: Vec<Value> = Vec::new();
            for i in 0..length * 3 {
                if items.len() < length {
                    let item = match set.element() {
                        Type::String if i > length => Value::from(format!("m{i}")),
                        Type::Number if i > length => Value::from(i + 40),
                        element => of_type(element, seen, dice, depth + 1)?,
                    };
                    if !items.contains(&item) {
                        items.push(item);
                    }
                }
            }
            Value::set_of(set.element().clone(), items).ok()
        }
        Type::Map(map) => {
            let mut keys: Vec<String> = Vec::new();
            for i in 0..length * 3 {
                let key = if i > length { format!("k{i}") } else { dice.pick(&seen.keys).clone() };
                if keys.len() < length && !keys.contains(&key) {
                    keys.push(key);
                }
            }
            let items =
                keys.into_iter().map(|key| Some((key, of_type(map.element(), seen, dice, depth + 1)?)));
            Value::map_of(map.element().clone(), items.collect::<Option<Vec<_>>>()?).ok()
        }
        Type::Tuple(tuple) => {
            let items =
                tuple.iter().map(|ty| of_type(ty, seen, dice, depth + 1)).collect::<Option<Vec<_>>>()?;
            Value::tuple(items).ok()
        }
        Type::Object(object) => {
            let items = object.iter().map(|(name, ty)| Some((name, of_type(ty, seen, dice, depth + 1)?)));
            Value::object(items.collect::<Option<Vec<_>>>()?).ok()
        }
        Type::Dynamic | Type::Capsule(_) => None,
    }
}

/// A concrete value that the value may become, or none where the roll gave none.
fn concrete(value: &Value, seen: &Seen, dice: &mut Dice) -> Option<Value> {
    if value.is_wholly_known() {
        return Some(value.clone());
    }
    let roll = |value: &Value, dice: &mut Dice| concrete(value, seen, dice);
    match value.view() {
        View::Tuple(tuple) => {
            Value::tuple(tuple.iter().map(|item| roll(item, dice)).collect::<Option<Vec<_>>>()?).ok()
        }
        View::Object(object) => {
            let items = object.iter().map(|(name, item)| Some((name, roll(item, dice)?)));
            Value::object(items.collect::<Option<Vec<_>>>()?).ok()
        }
        View::List(list) => {
            let element = decided(list.element_type(), seen, dice);
            let items = list
                .iter()
                .map(|item| roll(&of_element(item, &element), dice))
                .collect::<Option<Vec<_>>>()?;
            Value::list_of(element, items).ok()
        }
        View::Set(set) => {
            let element = decided(set.element_type(), seen, dice);
            let items =
                set.iter().map(|item| roll(&of_element(item, &element), dice)).collect::<Option<Vec<_>>>()?;
            Value::set_of(element, items).ok()
        }
        View::Map(map) => {
            let element = decided(map.element_type(), seen, dice);
            let items = map.iter().map(|(key, item)| Some((key, roll(&of_element(item, &element), dice)?)));
            let items = items.collect::<Option<Vec<_>>>()?;
            Value::map_of(element, items).ok()
        }
        View::Unknown(range) => {
            if range.nullness() == Nullness::Null || range.nullness() == Nullness::Nullable && dice.one_in(7)
            {
                return Some(Value::null(decided(range.ty(), seen, dice)));
            }
            let ty = decided(range.ty(), seen, dice);
            if let Some(prefix) = range.prefix() {
                return Some(Value::from(format!("{prefix}{}", dice.pick(&TEXTS))));
            }
            if let Some(numbers) = range.number_range() {
                let end = |bound: &Bound| bound.number().cloned();
                let ends: Vec<Number> =
                    [end(numbers.lower()), end(numbers.upper())].into_iter().flatten().collect();
                if !ends.is_empty() && dice.one_in(2) {
                    let step: Number =
                        dice.pick(&["0", "1", "-1", "0.5", "-0.5", "1e-30", "-1e-30"]).parse().ok()?;
                    return dice.pick(&ends).add(&step).ok().map(Value::from);
                }
            }
            let length = range.length_range().map(|length| {
                let least = usize::try_from(length.lower()).unwrap_or(usize::MAX).min(2000);
                let most = length.upper().and_then(|most| usize::try_from(most).ok()).unwrap_or(least + 14);
                match dice.below(4) {
                    0 => least,
                    1 => most.min(least + 14),
                    2 => (least + 1).min(most),
                    _ => least + dice.below((most - least.min(most)).min(6) + 1),
                }
            });
            filled(&ty, length, seen, dice, 0)
        }
        _ => {
            let ty = seen.ty(dice);
            of_type(&ty, seen, dice, 0)
        }
    }
}

/// An element as one of the decided type.
fn of_element(item: &Value, element: &Type) -> Value {
    if !item.ty().has_dynamic() {
        return item.clone();
    }
    match item.view() {
        View::Null(_) => Value::null(element.clone()),
        View::Dynamic => Value::unknown(element.clone()),
        View::Unknown(range) => {
            Value::refined(element.clone(), range.refinement().clone()).unwrap_or_else(|_| item.clone())
        }
        _ => item.clone(),
    }
}

/// What the call gives on concrete values that its arguments may become.
pub(super) fn outcomes(call: &Call, rolls: usize, dice: &mut Dice) -> Vec<Answer> {
    let bare: Vec<Value> = call.args.iter().map(|arg| arg.unmark_deep().0).collect();
    let seen = Seen::of(&bare);
    let mut found = Vec::new();
    for _ in 0..rolls {
        let args: Option<Vec<Value>> = bare
            .iter()
            .enumerate()
            .map(|(i, arg)| match (call.vary)(i) {
                true => concrete(arg, &seen, dice).filter(|concrete| within(arg, concrete)),
                false => Some(arg.clone()),
            })
            .collect();
        found.extend(args.map(|args| (call.run)(&args)));
    }
    found
}
