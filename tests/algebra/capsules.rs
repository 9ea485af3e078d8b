//! Capsules in a small closed world of their own: equality, sets, assumptions and conversions of a Rust type that
//! converts for some values only, held against what their outcomes give.

use plantime::{
    Capsule, Error, LengthRange, Mark, Nullness, Refinement, Result, Type, TypeConstraint, Value, View,
    convert,
};

use super::laws::Violations;

/// Made of the numbers and texts 0 to 2 and of short lists; becomes a number, and some become text.
#[derive(Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
struct Digit(u64);

impl Digit {
    fn new(number: Option<u64>) -> Result<Digit> {
        number.filter(|number| *number <= 2).map(Digit).ok_or_else(|| Error::custom("no digit"))
    }
}

impl Capsule for Digit {
    const NAME: &'static str = "digit";

    fn conversion_to(ty: &Type) -> Option<fn(&Digit, &Type) -> Result<Value>> {
        match ty {
            Type::Number => Some(|digit, _| Ok(Value::from(digit.0))),
            Type::String => Some(|digit, _| match digit.0 {
                0 => Ok(Value::from("0")),
                1 => Ok(Value::null(Type::String)),
                _ => Err(Error::custom("no text")),
            }),
            _ => None,
        }
    }

    fn conversion_from(ty: &Type) -> Option<fn(&Value) -> Result<Digit>> {
        match ty {
            Type::Number => Some(|number| Digit::new(number.as_number()?.to_u64())),
            Type::String => Some(|text| Digit::new(text.as_str()?.parse().ok())),
            Type::List(list) if *list.element() == Type::Number => Some(|list| match list.view() {
                View::List(list) => Digit::new(Some(list.len() as u64)),
                _ => Digit::new(None),
            }),
            _ => None,
        }
    }
}

fn digit() -> Type {
    Type::capsule::<Digit>()
}

/// All sequences of up to two of the values.
fn sequences(items: &[Value]) -> Vec<Vec<Value>> {
    let ones = items.iter().map(|item| vec![item.clone()]);
    let twos = items.iter().flat_map(|a| items.iter().map(|b| vec![a.clone(), b.clone()]));
    [vec![]].into_iter().chain(ones).chain(twos).collect()
}

fn types() -> Vec<Type> {
    let compound = [
        Type::list(digit()),
        Type::set(digit()),
        Type::list(Type::Number),
        Type::tuple([digit()]),
        Type::tuple([Type::Number]),
    ];
    [digit(), Type::Number, Type::String, Type::Bool]
        .into_iter()
        .chain(compound.map(Result::unwrap))
        .collect()
}

fn of(parts: &[Value], numbers: &[Value]) -> Vec<Value> {
    let mut all = Vec::new();
    for items in sequences(parts) {
        all.push(Value::list_of(digit(), items.clone()).unwrap());
        all.push(Value::set_of(digit(), items.clone()).unwrap());
        if items.len() == 1 {
            all.push(Value::tuple(items).unwrap());
        }
    }
    for items in sequences(numbers) {
        all.push(Value::list_of(Type::Number, items.clone()).unwrap());
        if items.len() == 1 {
            all.push(Value::tuple(items).unwrap());
        }
    }
    all
}

fn concretes() -> Vec<Value> {
    let digits: Vec<Value> = (0..3).map(|n| Value::capsule(Digit(n))).chain([Value::null(digit())]).collect();
    let numbers = [Value::from(0), Value::from(2), Value::from(3), Value::null(Type::Number)];
    let mut all = of(&digits, &numbers);
    all.extend(digits.into_iter().chain(numbers));
    all.extend(["0", "9", ""].map(Value::from));
    all.extend([Value::from(true), Value::from(false), Value::null(Type::Dynamic)]);
    all.extend(types().into_iter().map(Value::null));
    all.sort();
    all.dedup();
    all
}

fn abstracts() -> Vec<Value> {
    let refined = |ty: &Type, refinement: Refinement| Value::refined(ty.clone(), refinement).unwrap();
    let unknowns = |ty: Type| {
        let not_null = refined(&ty, Refinement::not_null());
        [Value::unknown(ty.clone()), not_null, Value::null(ty)]
    };
    let digits: Vec<Value> =
        unknowns(digit()).into_iter().chain((0..2).map(|n| Value::capsule(Digit(n)))).collect();
    let mut numbers = unknowns(Type::Number).to_vec();
    numbers.extend([Value::from(3), refined(&Type::Number, Refinement::number_at_least(1).and_not_null())]);
    let mut all = concretes();
    all.extend(of(&digits, &numbers));
    all.extend(types().into_iter().flat_map(unknowns));
    all.push(refined(&Type::Number, Refinement::number_at_least(3)));
    all.push(refined(&Type::String, Refinement::prefix("9")));
    for ty in types().iter().filter(|ty| ty.is_collection()) {
        for length in [LengthRange::at_least(1), LengthRange::at_most(1)] {
            all.push(refined(ty, Refinement::length(length)));
            all.push(refined(ty, Refinement::length(length).and_not_null()));
        }
    }
    all.push(Value::dynamic());
    all.push(Value::list([Value::dynamic()]).unwrap());
    all.push(Value::tuple([Value::dynamic()]).unwrap());
    all.sort();
    all.dedup();
    all
}

/// Whether an abstract value may become a concrete one, by the meaning of the levels.
fn may_become(value: &Value, con: &Value) -> bool {
    if value.is_wholly_known() {
        return value == con;
    }
    let range = value.range();
    match (value.view(), con.view()) {
        (View::Dynamic, _) => true,
        (View::Unknown(_), View::Null(ty)) => range.ty().covers(&ty) && range.nullness() != Nullness::NotNull,
        (View::Unknown(_), _) => {
            range.ty().covers(&con.ty())
                && range.nullness() != Nullness::Null
                && match con.view() {
                    View::Number(number) => range.number_range().is_none_or(|range| range.contains(number)),
                    View::String(text) => range.prefix().is_none_or(|prefix| text.starts_with(prefix)),
                    View::List(list) => range.length_range().is_none_or(|r| r.contains(list.len() as u64)),
                    View::Set(set) => {
                        range.length_range().is_none_or(|r| r.contains(set.known().len() as u64))
                    }
                    _ => true,
                }
        }
        (View::List(a), View::List(b)) => {
            a.element_type().covers(b.element_type())
                && a.len() == b.len()
                && a.iter().zip(b).all(|(a, b)| may_become(a, b))
        }
        (View::Tuple(a), View::Tuple(b)) => {
            a.len() == b.len() && a.iter().zip(b).all(|(a, b)| may_become(a, b))
        }
        (View::Set(a), View::Set(b)) => {
            let members: Vec<&Value> = a.iter().collect();
            a.element_type().covers(b.element_type())
                && a.length().contains(b.known().len() as u64)
                && assigned(&members, b.known(), 0)
        }
        _ => false,
    }
}

/// Whether each member can be given one of the others that it may become, so that all are given.
fn assigned(members: &[&Value], others: &[Value], given: u32) -> bool {
    let Some((first, rest)) = members.split_first() else { return given == (1 << others.len()) - 1 };
    others
        .iter()
        .enumerate()
        .any(|(i, other)| may_become(first, other) && assigned(rest, others, given | 1 << i))
}

struct World {
    concretes: Vec<Value>,
    abstracts: Vec<(Value, Vec<usize>)>,
}

fn world() -> World {
    let concretes = concretes();
    let gamma = |value: &Value| (0..concretes.len()).filter(|i| may_become(value, &concretes[*i])).collect();
    let abstracts = abstracts().into_iter().map(|value| (value.clone(), gamma(&value))).collect();
    World { concretes, abstracts }
}

impl World {
    /// L1, L3 and L4 of a function of one value, and of marks; L2 where it can be asked for.
    fn check(&self, name: &str, f: &dyn Fn(&Value) -> Result<Value>, optimal: bool) {
        let mut wrong = Violations::default();
        let outcomes: Vec<Option<Value>> = self.concretes.iter().map(|con| f(con).ok()).collect();
        for (con, outcome) in self.concretes.iter().zip(&outcomes) {
            if outcome.as_ref().is_some_and(|value| !value.is_wholly_known()) {
                wrong.add("L4", || format!("{name}({con:?}) = {outcome:?}"));
            }
        }
        let mut answers = Vec::new();
        for (value, gamma) in &self.abstracts {
            let answer = f(value);
            let can_be: Vec<&Value> = gamma.iter().filter_map(|i| outcomes[*i].as_ref()).collect();
            let outside =
                |answer: &Value| can_be.iter().find(|con| !may_become(answer, con)).copied().cloned();
            match &answer {
                Err(error) if !can_be.is_empty() => {
                    wrong.add("L1", || {
                        format!("{name}({value:?}) is an error ({error}), but can be {can_be:?}")
                    });
                }
                Err(_) => {}
                Ok(answer) => {
                    if let Some(outside) = outside(answer) {
                        wrong.add("L1", || format!("{name}({value:?}) = {answer:?}, but can be {outside:?}"));
                    }
                    let reach: Vec<usize> = (0..self.concretes.len())
                        .filter(|i| may_become(answer, &self.concretes[*i]))
                        .collect();
                    let better = self.abstracts.iter().find(|(better, gamma)| {
                        outside(better).is_none()
                            && gamma.len() < reach.len()
                            && gamma.iter().all(|i| reach.contains(i))
                    });
                    if let (true, Some((better, _))) = (optimal, better) {
                        wrong.add("L2", || {
                            format!("{name}({value:?}) = {answer:?}, but {better:?} holds all")
                        });
                    }
                    self.marked(name, value, answer, f, &mut wrong);
                }
            }
            answers.push(answer);
        }
        for ((wide, reach), answer) in self.abstracts.iter().zip(&answers) {
            for ((narrow, gamma), other) in self.abstracts.iter().zip(&answers) {
                let narrower = gamma.len() < reach.len() && gamma.iter().all(|i| reach.contains(i));
                if let (true, Ok(wide_answer), Ok(narrow_answer)) = (narrower, answer, other)
                    && self
                        .concretes
                        .iter()
                        .any(|con| may_become(narrow_answer, con) && !may_become(wide_answer, con))
                {
                    wrong.add("L3", || {
                        format!("{name}: {wide:?} = {wide_answer:?}, {narrow:?} = {narrow_answer:?}")
                    });
                }
            }
        }
        wrong.none(name);
    }

    fn marked(
        &self,
        name: &str,
        value: &Value,
        answer: &Value,
        f: &dyn Fn(&Value) -> Result<Value>,
        wrong: &mut Violations,
    ) {
        let mark = Mark::new("m");
        let marked = f(&value.clone().mark(mark.clone())).unwrap();
        if marked.unmark_deep() != (answer.unmark_deep().0, mark.clone().into())
            || !marked.marks().contains(&mark)
        {
            wrong.add("L5", || format!("{name}({value:?} marked) = {marked:?}"));
        }
        let deep = value.transform(|_, part| Ok(part.mark(mark.clone()))).unwrap();
        let marked = f(&deep).unwrap();
        if marked.unmark_deep() != (answer.unmark_deep().0, mark.into()) {
            wrong.add("L5 inside", || format!("{name}({deep:?}) = {marked:?}"));
        }
    }
}

#[test]
fn capsules_convert_as_their_outcomes_do() {
    let world = world();
    let ports = TypeConstraint::from(digit());
    let mut constraints = vec![ports.clone(), TypeConstraint::ANY];
    constraints.extend([Type::Number, Type::String, Type::Bool].map(TypeConstraint::from));
    constraints.push(TypeConstraint::list(ports.clone()).unwrap());
    constraints.push(TypeConstraint::set(ports.clone()).unwrap());
    constraints.push(TypeConstraint::tuple([ports]).unwrap());
    constraints
        .extend(["list(any)", "set(any)", "list(number)", "set(string)"].map(|text| text.parse().unwrap()));
    for constraint in &constraints {
        world.check(&format!("convert to {constraint}"), &|value| convert(value, constraint), false);
    }
}

#[test]
fn capsules_are_equal_as_their_outcomes_are() {
    let world = world();
    let truths = [Value::from(true), Value::from(false)];
    let mut wrong = Violations::default();
    for (a, of_a) in &world.abstracts {
        for (b, of_b) in &world.abstracts {
            let mut can_be = [false; 2];
            for i in of_a {
                for j in of_b {
                    let (x, y) = (&world.concretes[*i], &world.concretes[*j]);
                    can_be[usize::from(!(x == y || x.is_null() && y.is_null()))] = true;
                }
            }
            let answer = a.equals(b).unwrap();
            let right = match can_be {
                [true, false] => answer == truths[0],
                [false, true] => answer == truths[1],
                _ => !answer.is_known(),
            };
            // Two undecided types can agree on one that is not in this world.
            let undecided = a.ty().has_dynamic() && b.ty().has_dynamic();
            if !right && (!undecided || answer.is_known()) {
                wrong.add("equals", || format!("{a:?} and {b:?}: {answer:?}, can be {can_be:?}"));
            }
        }
    }
    wrong.none("equals");
}

#[test]
fn sets_tuples_and_assumptions_of_capsules_hold_all_outcomes_and_no_more() {
    let world = world();
    let typed = |value: &Value| value.assume_type(&digit());
    world.check("set of one", &|value| Value::set_of(digit(), [typed(value)?]), true);
    world.check("not null", &|value| typed(value)?.assume_not_null(), true);
    world.check("null", &|value| typed(value)?.assume(&Refinement::null()), true);
    for (other, _) in
        world.abstracts.iter().filter(|(value, _)| value.ty() == digit() && value.is_wholly_known())
    {
        let name = format!("set with {other:?}");
        world.check(&name, &|value| Value::set_of(digit(), [typed(value)?, other.clone()]), true);
    }
}
