//! The laws of assumptions (L8), of ranges and of what lies within them.

use plantime::{LengthRange, Number, NumberRange, Range, Refinement, Result, Type, Value};

use super::concrete::{self, Con, Ty};
use super::convert_reference::{self, Want, converted};
use super::gamma::{Abs, Bits, Claim, Within};
use super::laws::{Answers, Effort, Violations, check, kinds};
use super::ledger;
use super::universe::{Entry, Universe, World, refinements, ty, world};

/// Whether the assumption holds for a concrete value; an assumption of another kind than the value does not, nor
/// does one about more than null for the untyped null.
fn holds(con: &Con, claim: &Claim) -> bool {
    if claim.null && claim.other && claim.range == Within::Any {
        return true;
    }
    claim.range.applies_to(&con.ty()) && claim.holds(con)
}

#[test]
fn an_assumption_succeeds_at_apply_exactly_on_what_it_left_at_plan() {
    let world = world();
    let mut effort = Effort::start();
    let mut wrong = Violations::default();
    for refinement in refinements() {
        let claim = Claim::of(&refinement);
        let mut upheld = Bits::none(world.concretes.len());
        for (i, con) in world.concretes.iter().enumerate() {
            if holds(con, &claim) {
                upheld.insert(i);
            }
        }
        for &i in &world.m.concretes {
            let con = &world.concretes[i];
            effort.concrete_calls += 1;
            match con.value().assume(&refinement) {
                Ok(value) if upheld.contains(i) && Abs::of(&value).may_become(con) => {}
                Err(_) if !upheld.contains(i) => {}
                answer => wrong.add("known", || format!("{con:?} assumed {refinement} = {answer:?}")),
            }
        }
        for universe in [&world.m, &world.nested] {
            for &i in &universe.abstracts {
                let Entry { value, abs, gamma } = &world.abstracts[i];
                effort.abstract_calls += 1;
                let answer = value.assume(&refinement);
                let left = gamma.and(&upheld).and(&universe.mask);
                match answer {
                    // The named exception: what has no type cannot be refined.
                    Err(error)
                        if abs.ty() == Ty::Dyn
                            && !abs.is_wholly_known()
                            && error.needs_type()
                            && !refinement.is_trivial() => {}
                    Ok(_) if left.is_empty() && says_more_of_open_elements(&refinement, &value.ty()) => {}
                    Err(_) if left.is_empty() => {}
                    Ok(value) if !left.is_empty() => {
                        let now = world.gamma(&Abs::of(&value)).and(&universe.mask);
                        let is_lost = says_more_of_open_elements(&refinement, &value.ty());
                        if now != left && !(is_lost && left.within(&now)) {
                            wrong.add(kinds("L8", &[abs]), || {
                                let other = world.concretes.iter().enumerate();
                                let other: Vec<_> = other
                                    .filter(|(i, _)| now.contains(*i) != left.contains(*i))
                                    .map(|(_, con)| con)
                                    .take(2)
                                    .collect();
                                format!("{abs:?} assumed {refinement} = {:?}: {other:?}", Abs::of(&value))
                            });
                        }
                    }
                    answer => wrong.add(kinds("L8 error", &[abs]), || {
                        format!("{abs:?} assumed {refinement} = {answer:?}, but {} are left", left.count())
                    }),
                }
            }
        }
    }
    effort.abstracts = world.m.abstracts.len() + world.nested.abstracts.len();
    effort.print("assume", "M, nested");
    wrong.none("assume");
}

/// Whether the refinement says something of elements whose type is not known: that is not kept.
fn says_more_of_open_elements(refinement: &Refinement, ty: &Type) -> bool {
    let is_open = |known: &Refinement, ty: &Type| match ty {
        Type::Dynamic => !known.is_trivial(),
        ty => says_more_of_open_elements(known, ty),
    };
    match (refinement.range(), ty) {
        (Range::Structure(structure), Type::Object(ty)) => {
            structure.attributes().any(|(name, known)| ty.get(name).is_some_and(|ty| is_open(known, ty)))
        }
        (Range::Structure(structure), Type::Tuple(ty)) => {
            structure.elements().any(|(index, known)| ty.get(index).is_some_and(|ty| is_open(known, ty)))
        }
        _ => ty.element_type().is_some_and(|ty| is_open(refinement.element(), ty)),
    }
}

/// Whether the range is one of elements or attributes.
fn is_of_parts(range: &Within) -> bool {
    matches!(range, Within::Elements(..) | Within::Attributes(_) | Within::TupleElements(_))
}

/// The wrappers say the same as the refinement they stand for, on values of their kind, and refuse all others.
#[test]
fn each_assume_method_is_its_refinement() {
    let world = world();
    let mut wrong = Violations::default();
    let same = |found: Result<Value>, wanted: Result<Value>| match (found, wanted) {
        (Ok(found), Ok(wanted)) => Abs::of(&found) == Abs::of(&wanted),
        (Err(found), Err(wanted)) => found.is_contradiction() == wanted.is_contradiction(),
        _ => false,
    };
    let refused = |found: &Result<Value>| {
        found.as_ref().is_err_and(|error| error.is_type_mismatch() || error.needs_type())
    };
    for &i in &world.m.abstracts {
        let Entry { value, abs, .. } = &world.abstracts[i];
        let ty = abs.ty();
        let mut one = |name: &str, of_kind: bool, found: Result<Value>, refinement: &Refinement| {
            let fine = if of_kind { same(found, value.assume(refinement)) } else { refused(&found) };
            if !fine {
                wrong.add(name, || format!("{abs:?} {refinement}"));
            }
        };
        one("not null", true, value.assume_not_null(), &Refinement::not_null());
        for refinement in refinements() {
            match refinement.range() {
                Range::Prefix(prefix) => {
                    let found = value.assume_string_prefix(prefix.as_str());
                    one("prefix", ty == Ty::Str, found, &Refinement::prefix(prefix.as_str()));
                }
                Range::Number(range) => {
                    let found = value.assume_number_range(range.clone());
                    one("number", ty == Ty::Num, found, &Refinement::number(range.clone()));
                }
                _ => {}
            }
        }
        let (list, set, map) =
            (matches!(ty, Ty::List(_)), matches!(ty, Ty::Set(_)), matches!(ty, Ty::Map(_)));
        for min in 0..=3 {
            let at_least = Refinement::length(LengthRange::at_least(min));
            one("list min", list, value.assume_list_length_min(min), &at_least);
            one("set min", set, value.assume_set_length_min(min), &at_least);
            one("map min", map, value.assume_map_length_min(min), &at_least);
            let at_most = Refinement::length(LengthRange::at_most(min));
            one("list max", list, value.assume_list_length_max(min), &at_most);
            one("set max", set, value.assume_set_length_max(min), &at_most);
            one("map max", map, value.assume_map_length_max(min), &at_most);
            for max in min..=3 {
                let both = Refinement::length(LengthRange::new(min, Some(max)).unwrap());
                one("list", list, value.assume_list_length(min, max), &both);
                one("set", set, value.assume_set_length(min, max), &both);
                one("map", map, value.assume_map_length(min, max), &both);
            }
        }
    }
    wrong.none("assume_*");
}

/// Equal once it is converted to the type of the assumed value: at apply, this is when `assume_equal` succeeds.
fn is_assumed(con: &Con, assumed: &Con) -> bool {
    match converted(con, &Want::plain(&assumed.ty())) {
        Some(Abs::Null(_)) => assumed.is_null(),
        Some(value) => value == convert_reference::abs(assumed),
        None => false,
    }
}

/// For each assumed value the values that become it, at the places of the universe.
fn assumed_equal(world: &World, universe: &Universe) -> Vec<Bits> {
    let cons: Vec<&Con> = universe.concretes.iter().map(|i| &world.concretes[*i]).collect();
    let row = |assumed: &&Con| {
        let mut row = Bits::none(world.concretes.len());
        for (&i, con) in universe.concretes.iter().zip(&cons) {
            if is_assumed(con, assumed) {
                row.insert(i);
            }
        }
        row
    };
    cons.iter().map(row).collect()
}

/// Sound for all values; and where the types can be one and the assumed value does not wait for its type, it fails
/// whenever nothing that the value may become is equal. But for sets of an undecided type: their members may be texts
/// that become one, of which the universe has no sets.
#[test]
fn assume_equal_fails_exactly_when_the_values_certainly_differ() {
    let world = world();
    let mut effort = Effort::start();
    let mut wrong = Violations::default();
    let universe = &world.m;
    let rows = assumed_equal(world, universe);
    let values: Vec<Value> = universe.concretes.iter().map(|i| world.concretes[*i].value()).collect();
    let mut row_of: Vec<Option<&Bits>> = vec![None; world.concretes.len()];
    let mut converts = 0;
    for ((&j, assumed), equal) in universe.concretes.iter().zip(&values).zip(&rows) {
        let con = &world.concretes[j];
        row_of[j] = Some(equal);
        for (&i, value) in universe.concretes.iter().zip(&values) {
            let wanted = equal.contains(i);
            effort.concrete_calls += 1;
            let answer = value.assume_equal(assumed);
            converts += usize::from(wanted && world.concretes[i].ty() != con.ty());
            if answer.is_ok() != wanted || answer.is_ok_and(|value| !Abs::of(&value).may_become(con)) {
                wrong.add("known", || format!("{:?} assumed {con:?}", world.concretes[i]));
            }
        }
    }
    assert!(converts > 100, "{converts} conversions");
    let mut inexact = 0;
    for &j in &universe.abstracts {
        let Entry { value: assumed, abs: assumed_abs, gamma: becomes } = &world.abstracts[j];
        let decided = assumed.is_wholly_known() || !assumed.ty().has_dynamic();
        let mut equal = Bits::none(world.concretes.len());
        becomes.iter().filter_map(|j| row_of[j]).for_each(|row| equal.add(row));
        let wanted = assumed.ty();
        for &i in &universe.abstracts {
            let Entry { value, abs, gamma } = &world.abstracts[i];
            effort.abstract_calls += 1;
            let possible = !gamma.and(&equal).is_empty();
            let operands = [abs, assumed_abs];
            let ty = value.ty();
            let told = value.is_wholly_known() || !ty.has_dynamic() || !matches!(ty, Type::Set(_));
            match value.assume_equal(assumed) {
                Err(error) if possible => wrong
                    .add(kinds("L8", &operands), || format!("{abs:?} assumed {assumed_abs:?}: {error:?}")),
                Ok(_) if !possible && decided && told && ty.compatible(&wanted) => wrong
                    .add(kinds("exact", &operands), || {
                        format!("{abs:?} assumed {assumed_abs:?} fails at apply")
                    }),
                Ok(value) if Abs::of(&value) != *assumed_abs => {
                    wrong.add("value", || format!("{abs:?} assumed {assumed_abs:?}"));
                }
                Ok(_) => inexact += usize::from(!possible),
                Err(_) => {}
            }
        }
    }
    // Where a conversion or an undecided type is between the two: at most one in 40.
    println!("assume_equal: {inexact} of {} fail later than they could", effort.abstract_calls);
    assert!(inexact * 40 < effort.abstract_calls);
    effort.abstracts = universe.abstracts.len();
    effort.print("assume_equal", "M x M");
    wrong.none("assume_equal");
}

/// A conversion chooses one type for `dynamic`, and the assumed value may become one of another.
#[test]
fn what_is_assumed_of_an_undecided_type_may_become_one_that_conversion_does_not_choose() {
    let object = |name: &str| Value::object([(name, Value::from(1))]).unwrap();
    let objects = Value::tuple([object("a"), object("b")]).unwrap();
    let nothing = Value::object([] as [(&str, Value); 0]).unwrap();
    let texts = Value::set(["1", "01"]).unwrap();
    let unknown =
        |text: &str, refinement: Refinement| Value::refined(ty(text), refinement.and_not_null()).unwrap();
    let of_length = |length: u64| Refinement::length(LengthRange::exactly(length));
    let within = |text: &str| Value::tuple([unknown(text, Refinement::any()), Value::from("k")]).unwrap();
    let beside = |value: &Value| Value::tuple([value.clone(), Value::from("k")]).unwrap();
    for (value, plan, apply) in [
        (objects.clone(), unknown("list(any)", of_length(2)), Value::list([&nothing, &nothing]).unwrap()),
        (objects.clone(), unknown("set(any)", Refinement::any()), Value::set([&nothing]).unwrap()),
        (texts.clone(), unknown("set(any)", of_length(1)), Value::set([1]).unwrap()),
        (beside(&texts), within("set(any)"), beside(&Value::set([1]).unwrap())),
        (beside(&objects), within("list(any)"), beside(&Value::list([&nothing, &nothing]).unwrap())),
        (object("a"), unknown("map(any)", Refinement::any()), Value::map([("a", "1")]).unwrap()),
    ] {
        assert_eq!(value.assume_equal(&apply).unwrap(), apply);
        assert_eq!(value.assume_equal(&plan).unwrap(), plan, "{value:?}");
    }
    for (value, plan) in [
        (objects, unknown("list(any)", of_length(3))),
        (texts, unknown("set(any)", Refinement::length(LengthRange::at_least(3)))),
        (Value::from("a"), unknown("list(any)", Refinement::any())),
        (
            Value::tuple([true, true, true].map(Value::from)).unwrap(),
            unknown("tuple([any, any])", Refinement::any()),
        ),
        (object("a"), unknown("object({a = any, b = any})", Refinement::any())),
    ] {
        assert!(value.assume_equal(&plan).is_err(), "{value:?}");
    }
}

#[test]
fn assume_type() {
    let world = world();
    let mut wrong = Violations::default();
    let mut ledger = ledger::of("assume_type");
    let mut effort = Effort::start();
    let types = [
        "any",
        "bool",
        "number",
        "list(any)",
        "list(bool)",
        "set(bool)",
        "map(number)",
        "list(list(bool))",
        "list(tuple([bool]))",
        "tuple([any])",
        "tuple([bool])",
        "tuple([bool, any])",
        "tuple([bool, bool])",
        "tuple([list(any)])",
        "tuple([list(bool)])",
        "object({a = any})",
        "object({a = bool})",
        "object({a = list(any)})",
    ];
    let universe = &world.m;
    let mut tuples = 0;
    for wanted in types.map(ty) {
        let own = Ty::of(&wanted);
        let mut answers = Answers::new(world);
        let outcomes: Vec<Option<usize>> = world
            .concretes
            .iter()
            .map(|con| concrete::assume_type(con, &own).and_then(|con| world.number_of.get(&con).copied()))
            .collect();
        for &i in &universe.concretes {
            let con = &world.concretes[i];
            effort.concrete_calls += 1;
            let (answer, wanted) = (con.value().assume_type(&wanted), concrete::assume_type(con, &own));
            let fine = match (&answer, &wanted) {
                (Ok(value), Some(wanted)) => value.is_wholly_known() && Abs::of(value).may_become(wanted),
                (Err(_), None) => true,
                _ => false,
            };
            if !fine {
                wrong.add("L4", || format!("{con:?} of type {own:?}: {answer:?}, not {wanted:?}"));
            }
        }
        for &i in &universe.abstracts {
            let Entry { value, abs, gamma } = &world.abstracts[i];
            tuples += 1;
            let mut wanted_outcomes = Bits::none(world.concretes.len());
            gamma
                .and(&universe.mask)
                .iter()
                .filter_map(|i| outcomes[i])
                .for_each(|i| wanted_outcomes.insert(i));
            let answer = value.assume_type(&wanted);
            let operands = [abs, &Abs::Unknown(own.clone(), Claim::of(&Refinement::any()))];
            check(&answer, &wanted_outcomes, &mut answers, &mut ledger, &operands, &mut wrong);
        }
    }
    effort.abstracts = universe.abstracts.len();
    effort.abstract_calls = tuples;
    effort.print("assume_type", "M x types");
    ledger.close(tuples).into_iter().for_each(|row| wrong.add("ledger", || row));
    wrong.none("assume_type");
}

/// Whether a concrete value lies in a range: null of any type does where null is allowed.
fn in_range(con: &Con, ty: &Ty, claim: &Claim) -> bool {
    if con.is_null() { claim.null } else { ty.covers(&con.ty()) && claim.holds(con) }
}

#[test]
fn a_range_holds_everything_that_the_value_may_become_and_as_little_else_as_it_can() {
    let world = world();
    let mut wrong = Violations::default();
    let claims: Vec<Claim> = refinements().iter().map(Claim::of).collect();
    for entry in &world.abstracts {
        let Entry { value, abs, gamma } = entry;
        let range = value.range();
        let (ty, claim) = (Ty::of(range.ty()), Claim::of(range.refinement()));
        let cons: Vec<&Con> = gamma.iter().map(|i| &world.concretes[i]).collect();
        if let Some(out) = cons.iter().find(|con| !(ty.covers(&con.ty()) && claim.holds(con))) {
            wrong.add(kinds("sound", &[abs]), || format!("{abs:?} has range {range:?}, but can be {out:?}"));
        }
        if ty == Ty::Dyn {
            continue;
        }
        let of_type: Vec<&Con> = world.concretes.iter().filter(|con| ty.covers(&con.ty())).collect();
        let is_known_string = matches!(abs, Abs::Str(_));
        let better = claims.iter().find(|other| {
            other.range.applies_to(&ty)
                // What is known of the parts of a container is in the container.
                && (!is_of_parts(&other.range) || matches!(abs, Abs::Unknown(..)))
                // The range of a known string is a prefix, which is no automaton to build.
                && !(is_known_string && matches!(other.range, Within::Language(_)))
                && cons.iter().all(|con| other.holds(con))
                && of_type.iter().all(|con| claim.holds(con) || !other.holds(con))
                && of_type.iter().any(|con| claim.holds(con) && !other.holds(con))
        });
        if let Some(better) = better {
            wrong.add(kinds("least", &[abs]), || format!("{abs:?} has range {range:?}, not {better:?}"));
        }
    }
    wrong.none("range");
}

#[test]
fn range_includes() {
    let world = world();
    let mut effort = Effort::start();
    let mut wrong = Violations::default();
    let pairs = |left: &Universe, right: &Universe, effort: &mut Effort, wrong: &mut Violations| {
        for &a in &left.abstracts {
            let a = &world.abstracts[a];
            let range = a.value.range();
            let (ty, claim) = (Ty::of(range.ty()), Claim::of(range.refinement()));
            let mut inside = Bits::none(world.concretes.len());
            for &i in &right.concretes {
                effort.concrete_calls += 1;
                if in_range(&world.concretes[i], &ty, &claim) {
                    inside.insert(i);
                }
            }
            for &b in &right.abstracts {
                let b = &world.abstracts[b];
                effort.abstract_calls += 1;
                let all = b.gamma.and(&right.mask);
                let within = all.and(&inside);
                let wanted = match (within.is_empty(), within == all) {
                    (_, true) => Some(true),
                    (true, _) => Some(false),
                    _ => None,
                };
                let found = range.includes(&b.value);
                let answer = a.value.type_and_refinement_allow(&b.value).map(|answer| answer.as_bool().ok());
                if found != wanted || answer.as_ref().ok() != Some(&wanted) {
                    wrong.add(kinds("includes", &[&a.abs, &b.abs]), || {
                        format!("{:?} includes {:?}: {found:?} and {answer:?}, not {wanted:?}", a.abs, b.abs)
                    });
                }
            }
        }
    };
    pairs(&world.m, &world.m, &mut effort, &mut wrong);
    pairs(&world.s, &world.nested, &mut effort, &mut wrong);
    effort.abstracts = world.m.abstracts.len();
    effort.print("range_includes", "M x M, S x nested");
    wrong.none("range_includes");
}

/// A number range that is not of the universes, so that bounds of any size are tried.
#[test]
fn bounds_beyond_the_universes_behave_alike() {
    let large: Number = "123456789012345678901234567890.5".parse().unwrap();
    let value =
        Value::unknown(Type::Number).assume_number_range(NumberRange::at_least(large.clone())).unwrap();
    assert!(value.less_than(&Value::from(5)).unwrap() == Value::from(false));
    assert!(value.assume_number_range(NumberRange::at_most(5)).unwrap().is_null());
    assert_eq!(
        value
            .assume_number_range(NumberRange::at_most(large.clone()))
            .unwrap()
            .range()
            .number_range()
            .and_then(NumberRange::singleton),
        Some(&large)
    );
}

#[test]
fn numbers_stay_apart_when_they_become_elements_of_an_undecided_type() {
    let of = |ty: &str, least: u64, most: Option<u64>| {
        let length = plantime::LengthRange::new(least, most).unwrap();
        let refinement = plantime::Refinement::length(length).and_not_null();
        plantime::Value::refined(ty.parse().unwrap(), refinement).unwrap()
    };
    let wanted = of("list(dynamic)", 0, Some(1));
    let error = of("set(number)", 2, Some(5)).assume_equal(&wanted).unwrap_err();
    assert!(error.is_contradiction());
    // Texts can become one number.
    assert_eq!(of("set(string)", 2, Some(5)).assume_equal(&wanted), Ok(wanted));
}
