//! The rows of the table.

use std::hash::{DefaultHasher, Hash, Hasher};

use plantime::{
    Mark, MarkChange, Marks, Path, PathSet, Refinement, Safety, Type, TypeConstraint, Value, View, convert,
    unify,
};

use crate::Growth::{self, Linear, Sorting};
use crate::inputs::*;
use crate::plans;
use crate::{Row, Work};

/// An input, and what is done with it.
pub(crate) fn work<T: 'static, R: 'static>(input: T, operation: fn(&T) -> R) -> Work {
    Box::new(move || Box::new(operation(&input)))
}

pub(crate) const fn row(name: &'static str, growth: Growth, size: usize, make: fn(usize) -> Work) -> Row {
    Row { name, growth, size, make }
}

fn hash(value: &impl Hash) -> u64 {
    let mut hasher = DefaultHasher::new();
    value.hash(&mut hasher);
    hasher.finish()
}

/// The same input twice, made apart.
fn twice<T>(make: impl Fn() -> T) -> (T, T) {
    (make(), make())
}

fn same(pair: &(Value, Value)) -> bool {
    let same = pair.0 == pair.1;
    assert!(same, "both are made alike");
    same
}

fn equals(pair: &(Value, Value)) -> Value {
    pair.0.equals(&pair.1).expect("any two values can be compared")
}

fn sorted(values: &Vec<Value>) -> Vec<Value> {
    let mut values = values.clone();
    values.sort();
    values
}

fn set_of(values: &Vec<Value>) -> Value {
    Value::set(values.iter().cloned()).expect("parts of one type")
}

fn members((set, members): &(Value, Vec<Value>)) -> usize {
    let View::Set(set) = set.view() else { panic!("a set") };
    members.iter().filter(|member| set.contains_known(member)).count()
}

fn to(text: &str) -> TypeConstraint {
    text.parse().expect("a constraint")
}

fn converted((value, to): &(Value, TypeConstraint)) -> Value {
    convert(value, to).expect("this converts")
}

fn unified(types: &Vec<Type>) -> Type {
    unify(types, Safety::Unsafe).expect("these have a common type")
}

fn typed((value, ty): &(Value, Type)) -> Value {
    value.assume_type(ty).expect("the type fits")
}

fn any_element(list: &Value) -> Value {
    list.index(&Value::unknown(Type::Number)).expect("a list")
}

fn ordered(pair: &(Value, Value)) -> std::cmp::Ordering {
    let order = pair.0.cmp(&pair.1);
    assert!(order.is_eq(), "both are made alike");
    order
}

/// Two sets that have half of their members in common.
fn overlapping(count: usize, member: impl Fn(usize) -> Value) -> (Value, Value) {
    (set(count, &member), set(count, |i| member(i + count / 2)))
}

fn union((a, b): &(Value, Value)) -> Value {
    a.union(b).expect("sets of one type")
}

fn intersection((a, b): &(Value, Value)) -> Value {
    a.intersection(b).expect("sets of one type")
}

fn difference((a, b): &(Value, Value)) -> Value {
    a.difference(b).expect("sets of one type")
}

fn symmetric_difference((a, b): &(Value, Value)) -> Value {
    a.symmetric_difference(b).expect("sets of one type")
}

fn one_of((a, b): &(Value, Value)) -> Value {
    Value::unknown(Type::Bool).conditional(a, b).expect("a condition")
}

fn concatenated(parts: &Vec<Value>) -> Value {
    Value::concat_text(&parts.iter().collect::<Vec<_>>()).expect("texts")
}

fn paths((from, count): (usize, usize)) -> PathSet {
    (from..from + count).map(|i| Path::new().attr("items").index(text(i)).attr("name")).collect()
}

fn read<T: std::str::FromStr<Err = plantime::Error>>(text: &String) -> T {
    text.parse().expect("the text is well formed")
}

fn wide_type(count: usize) -> Type {
    Type::object((0..count).map(|i| (text(i), Type::String))).expect("an object type")
}

/// Unknowns of one type, each of which a walk of that type would cost a thousand times.
fn unknowns(count: usize) -> Value {
    let ty = wide_type(1000);
    list(count, |_| Value::unknown(ty.clone()))
}

fn deep_list_type(core: Type) -> Type {
    (0..=LEVELS).fold(core, |ty, _| Type::list(ty).expect("not too deep"))
}

/// A rule on each of so many parts, and rules on nodes of their type.
mod rules {
    use plantime::rule::set::{Guard, RuleSet, RuledType};
    use plantime::rule::{Outcome, Rule};
    use plantime::{Type, Value};

    pub fn each(part: &str, value: Value) -> (Rule, Value) {
        let rule = Rule::starts_with("name-".to_owned());
        (Rule::at(part.parse().expect("a path"), rule).expect("not too deep"), value)
    }

    pub fn unique(value: Value) -> (Rule, Value) {
        (Rule::unique(), value)
    }

    pub fn checked((rule, value): &(Rule, Value)) -> Outcome {
        rule.check_value(value).expect("the rule can read the value")
    }

    /// A guard looks at what is around each part.
    pub fn set(value: Value) -> (RuledType, Value) {
        let open = Rule::at("open".parse().expect("a path"), Rule::equals(true));
        let guard = Guard::parent(open.expect("not too deep"));
        let names = RuleSet::new([Rule::NotNull, Rule::starts_with("name-".to_owned())]);
        let ty: Type = value.ty();
        let ruled = RuledType::new(ty).at("[*].id", names.clone().when(guard)).expect("there is an id");
        (ruled.at("[*].tags[*]", names).expect("there are tags"), value)
    }

    pub fn reported((ruled, value): &(RuledType, Value)) -> String {
        let report = ruled.check(value).expect("the rules can read the value");
        report.ytt() + &report.outcome().to_string()
    }
}

pub const ROWS: &[Row] = &[
    row("equality/list-of-texts", Linear, 400, |n| work(twice(|| list(n, string)), same)),
    row("equality/list-of-objects", Linear, 100, |n| work(twice(|| list(n, resource)), same)),
    row("equality/map-of-objects", Linear, 100, |n| work(twice(|| map(n, resource)), same)),
    row("equality/tuple-of-objects", Linear, 100, |n| work(twice(|| tuple(n, resource)), same)),
    row("equality/set-of-texts", Linear, 400, |n| work(twice(|| set(n, string)), same)),
    row("equality/set-of-planned-objects", Linear, 100, |n| work(twice(|| set(n, planned)), same)),
    row("equality/unknowns-of-a-large-type", Linear, 400, |n| work(twice(|| unknowns(n)), same)),
    row("equality/deepest", Linear, 4, |n| work(twice(|| list(n, deep)), same)),
    row("equality/deepest-sets", Linear, 4, |n| work(twice(|| list(n, deep_set)), same)),
    row("equals/list-of-objects", Linear, 100, |n| work(twice(|| list(n, resource)), equals)),
    row("equals/list-of-planned-objects", Linear, 100, |n| work(twice(|| list(n, planned)), equals)),
    row("equals/set-of-texts", Linear, 400, |n| work(twice(|| set(n, string)), equals)),
    row("equals/set-of-planned-objects", Linear, 100, |n| work(twice(|| set(n, planned)), equals)),
    row("equals/unknowns-of-a-large-type", Linear, 400, |n| work(twice(|| unknowns(n)), equals)),
    row("equals/deepest", Linear, 4, |n| work(twice(|| list(n, deep)), equals)),
    row("equals/deepest-sets", Linear, 4, |n| work(twice(|| list(n, deep_set)), equals)),
    row("equals/sets-in-sets", Linear, 2, |n| work(twice(|| sets_in_sets(n, string)), equals)),
    row("equals/sets-in-sets-of-unknowns", Linear, 2, |n| work(twice(|| sets_in_sets(n, unknown)), equals)),
    row("equals/marked-apart", Sorting, 100, |n| work(twice(|| list(n, marked)), equals)),
    row("order/texts", Sorting, 400, |n| work(all(n, string), sorted)),
    row("order/objects", Sorting, 100, |n| work(all(n, resource), sorted)),
    row("order/planned-objects", Sorting, 100, |n| work(all(n, planned), sorted)),
    row("order/deepest", Sorting, 20, |n| work(all(n, deep), sorted)),
    row("order/set-of-planned-objects", Linear, 100, |n| work(twice(|| set(n, planned)), ordered)),
    row("order/deepest-sets", Linear, 4, |n| work(twice(|| list(n, deep_set)), ordered)),
    row("order/sets-in-sets", Linear, 2, |n| work(twice(|| sets_in_sets(n, string)), ordered)),
    row("hash/list-of-texts", Linear, 400, |n| work(list(n, string), hash)),
    row("hash/list-of-objects", Linear, 100, |n| work(list(n, resource), hash)),
    row("hash/set-of-planned-objects", Linear, 100, |n| work(set(n, planned), hash)),
    row("hash/unknowns-of-a-large-type", Linear, 400, |n| work(unknowns(n), hash)),
    row("hash/deepest-sets", Linear, 4, |n| work(list(n, deep_set), hash)),
    row("hash/deepest", Linear, 4, |n| work(list(n, deep), hash)),
    row("build/list-of-objects", Linear, 100, |n| {
        work(all(n, resource), |parts| Value::list(parts.iter().cloned()).expect("parts of one type"))
    }),
    row("build/set-of-texts", Sorting, 400, |n| work(all(n, string), set_of)),
    row("build/set-of-numbers", Sorting, 400, |n| work(all(n, number), set_of)),
    row("build/set-of-objects", Sorting, 100, |n| work(all(n, resource), set_of)),
    row("build/set-of-planned-objects", Sorting, 100, |n| work(all(n, planned), set_of)),
    row("build/set-of-unknowns", Sorting, 400, |n| work(all(n, unknown), set_of)),
    row("build/set-of-known-and-planned-objects", Sorting, 100, |n| {
        work(all(n, |i| if i.is_multiple_of(2) { resource(i) } else { planned(i) }), set_of)
    }),
    row("build/set-of-sets", Sorting, 100, |n| {
        work(all(n, |i| Value::set([string(i), unknown(i)]).expect("parts of one type")), set_of)
    }),
    row("build/set-of-marked-texts", Sorting, 100, |n| work(all(n, marked), set_of)),
    row("build/set-of-deepest", Sorting, 20, |n| work(all(n, deep), set_of)),
    row("build/deepest-sets", Linear, 4, |n| work(n, |n| all(*n, deep_set))),
    row("build/set-of-huge-numbers", Sorting, 20, |n| {
        work(all(n, |i| Value::tuple([huge(i)]).expect("a tuple")), set_of)
    }),
    row("build/sets-in-sets", Linear, 2, |n| work(n, |n| sets_in_sets(*n, string))),
    row("build/sets-in-sets-of-unknowns", Linear, 2, |n| work(n, |n| sets_in_sets(*n, unknown))),
    row("membership/texts", Sorting, 400, |n| work((set(n, string), all(n, string)), members)),
    row("membership/objects", Sorting, 100, |n| work((set(n, resource), all(n, resource)), members)),
    row("membership/among-planned-objects", Sorting, 100, |n| {
        let member = |i: usize| if i.is_multiple_of(2) { resource(i) } else { planned(i) };
        work((set(n, member), all(n, resource)), members)
    }),
    row("membership/of-a-planned-object", Linear, 100, |n| {
        work((set(n, resource), planned(n)), |(set, other)| set.has_element(other).expect("a set"))
    }),
    row("membership/of-an-unknown", Linear, 100, |n| {
        work((set(n, planned), planned(n)), |(set, other)| set.has_element(other).expect("a set"))
    }),
    row("sets/union", Sorting, 100, |n| work(overlapping(n, string), union)),
    row("sets/union-of-objects", Sorting, 100, |n| work(overlapping(n, resource), union)),
    row("sets/union-of-planned-objects", Sorting, 100, |n| work(overlapping(n, planned), union)),
    row("sets/union-of-known-and-planned-objects", Sorting, 100, |n| {
        work(overlapping(n, |i| if i.is_multiple_of(2) { resource(i) } else { planned(i) }), union)
    }),
    row("sets/intersection", Sorting, 100, |n| work(overlapping(n, string), intersection)),
    row("sets/intersection-of-planned-objects", Sorting, 400, |n| {
        work(overlapping(n, planned), intersection)
    }),
    row("sets/intersection-of-known-and-planned-objects", Sorting, 100, |n| {
        work(overlapping(n, |i| if i.is_multiple_of(2) { resource(i) } else { planned(i) }), intersection)
    }),
    row("sets/difference", Sorting, 100, |n| work(overlapping(n, string), difference)),
    row("sets/difference-of-planned-objects", Sorting, 400, |n| work(overlapping(n, planned), difference)),
    row("sets/difference-of-known-and-planned-objects", Sorting, 400, |n| {
        work(overlapping(n, |i| if i.is_multiple_of(2) { resource(i) } else { planned(i) }), difference)
    }),
    row("sets/symmetric-difference", Sorting, 100, |n| work(overlapping(n, string), symmetric_difference)),
    row("sets/symmetric-difference-of-planned-objects", Sorting, 400, |n| {
        work(overlapping(n, planned), symmetric_difference)
    }),
    row("sets/union-of-deepest", Linear, 4, |n| {
        work(all(n, |i| overlapping(2, |j| deep(i + j))), |pairs| pairs.iter().map(union).collect::<Vec<_>>())
    }),
    row("sets/union-of-sets-in-sets", Linear, 2, |n| {
        work((sets_in_sets(n, string), sets_in_sets(n, number_text)), union)
    }),
    row("sets/difference-of-sets-in-sets", Linear, 2, |n| {
        work((sets_in_sets(n, string), sets_in_sets(n, number_text)), difference)
    }),
    row("convert/list-to-set", Sorting, 400, |n| work((list(n, string), to("set(string)")), converted)),
    row("convert/set-to-list", Linear, 400, |n| work((set(n, string), to("list(string)")), converted)),
    row("convert/objects-to-set", Sorting, 100, |n| work((list(n, resource), to("set(any)")), converted)),
    row("convert/planned-objects-to-set", Sorting, 100, |n| {
        work((list(n, planned), to("set(any)")), converted)
    }),
    row("convert/tuple-to-list", Linear, 400, |n| {
        let part = |i: usize| if i.is_multiple_of(2) { string(i) } else { number(i) };
        work((tuple(n, part), to("list(string)")), converted)
    }),
    row("convert/tuple-of-objects-to-list-of-any", Linear, 100, |n| {
        work((tuple(n, resource), to("list(any)")), converted)
    }),
    row("convert/tuple-of-types-to-list-of-any", Linear, 100, |n| {
        work((tuple(n, distinct_object), to("list(any)")), converted)
    }),
    row("convert/tuple-of-dynamics-to-list-of-any", Linear, 100, |n| {
        let part = |i: usize| Value::tuple([dynamic(i), string(i)]).expect("a tuple");
        work((tuple(n, part), to("list(any)")), converted)
    }),
    row("convert/object-to-map", Linear, 400, |n| work((object(n, number), to("map(string)")), converted)),
    row("convert/map-to-object", Sorting, 400, |n| {
        let to = Type::object((0..n).map(|i| (text(i), Type::String))).expect("an object type");
        work((map(n, number), TypeConstraint::from(to)), converted)
    }),
    row("convert/objects-with-defaults", Linear, 100, |n| {
        let to = to("list(object({id = string, port = string, more = optional(map(string), {})}))");
        work((list(n, resource), to), converted)
    }),
    row("convert/planned-objects", Linear, 100, |n| {
        work((list(n, planned), to("list(object({id = string, port = string, open = string}))")), converted)
    }),
    row("convert/deepest", Linear, 4, |n| {
        work((tuple(n, deep_tuple), TypeConstraint::from(deep_list_type(Type::String))), converted)
    }),
    row("unify/equal-tuples", Linear, 100, |n| {
        work(all(n, |_| tuple(20, |i| if i.is_multiple_of(2) { string(i) } else { number(i) }).ty()), unified)
    }),
    row("unify/distinct-objects", Linear, 100, |n| work(all(n, distinct_object_type), unified)),
    row("unify/lists-of-distinct-objects", Linear, 100, |n| {
        work(all(n, |i| Type::list(distinct_object_type(i)).expect("not too deep")), unified)
    }),
    row("unify/objects-of-other-names", Linear, 100, |n| {
        work(all(n, |i| Type::object([(text(i), Type::String)]).expect("an object type")), unified)
    }),
    row("unify/equal-deepest", Linear, 4, |n| work(all(n, |_| deep_list_type(Type::String)), unified)),
    row("unify/wide-objects", Linear, 400, |n| work(all(2, |_| wide_type(n)), unified)),
    row("unify/deepest", Linear, 4, |n| {
        let core = |i: usize| if i.is_multiple_of(2) { Type::String } else { Type::Number };
        work(all(n, |i| deep_list_type(core(i))), unified)
    }),
    row("marks/unmark-deep", Linear, 400, |n| {
        work(list(n, |i| string(i).mark(Mark::SENSITIVE)), |value| value.unmark_deep())
    }),
    row("marks/unmark-deep-of-own-marks", Sorting, 100, |n| {
        work(list(n, marked), |value| value.unmark_deep())
    }),
    row("marks/unmark-deep-with-paths", Linear, 100, |n| {
        work(map(n, marked), |value| value.unmark_deep_with_paths())
    }),
    row("marks/unmark-deepest", Linear, 4, |n| {
        let deep = |i| (0..LEVELS).fold(marked(i), |value, _| Value::list([value]).expect("one part"));
        work(list(n, deep), |value| value.unmark_deep_with_paths())
    }),
    row("marks/mark-with-paths", Sorting, 100, |n| {
        work(map(n, marked).unmark_deep_with_paths(), |(bare, places)| bare.mark_with_paths(places))
    }),
    row("marks/mark-deepest-with-paths", Sorting, 20, |n| {
        let deep = |i| (0..LEVELS).fold(marked(i), |value, _| Value::list([value]).expect("one part"));
        work(list(n, deep).unmark_deep_with_paths(), |(bare, places)| bare.mark_with_paths(places))
    }),
    row("marks/union", Linear, 400, |n| {
        let marks = |from: usize| all(n, |i| Mark::new(&text(from + 2 * i))).into_iter().collect::<Marks>();
        work((marks(0), marks(1)), |(a, b)| a.union(b))
    }),
    row("marks/one-by-one", Sorting, 100, |n| {
        work(all(n, |i| Mark::new(&text(i))), |marks| {
            marks.iter().fold(Value::from(1), |value, mark| value.mark(mark.clone()))
        })
    }),
    row("marks/sum-of-marked", Sorting, 100, |n| {
        work(all(n, |i| Value::from(1).mark(Mark::new(&text(i)))), |values| {
            values.iter().fold(Value::from(0), |sum, value| sum.add(value).expect("numbers"))
        })
    }),
    row("marks/of-many-values", Sorting, 100, |n| {
        work(all(n, marked), |values| Value::from(1).with_same_marks(values))
    }),
    row("marks/find", Linear, 100, |n| work(list(n, marked), |value| value.has_mark_deep(&Mark::SENSITIVE))),
    row("marks/wrangle", Sorting, 100, |n| {
        work(list(n, marked), |value| value.wrangle_marks(|_, _| MarkChange::Raise))
    }),
    row("walk/visit", Linear, 100, |n| {
        work(list(n, planned), |value| {
            let mut count = 0;
            value.walk(|path, _| {
                count += path.len();
                true
            });
            count
        })
    }),
    row("walk/set", Linear, 100, |n| work(set(n, planned), |value| value.parts().count())),
    row("walk/parts", Linear, 100, |n| work(list(n, planned), |value| value.parts().count())),
    row("walk/deepest", Linear, 4, |n| {
        work(list(n, deep), |value| {
            let mut count = 0;
            value.walk(|_, _| {
                count += 1;
                true
            });
            count
        })
    }),
    row("walk/transform-to-the-same", Linear, 100, |n| {
        work(list(n, planned), |value| value.transform(|_, part| Ok(part)).expect("nothing fails"))
    }),
    row("walk/transform", Linear, 100, |n| {
        work(list(n, planned), |value| {
            let known =
                value.transform(|_, part| Ok(if part.is_known() { part } else { Value::null(part.ty()) }));
            known.expect("nothing fails")
        })
    }),
    row("walk/transform-set", Sorting, 100, |n| {
        work(set(n, planned), |value| {
            let known =
                value.transform(|_, part| Ok(if part.is_known() { part } else { Value::null(part.ty()) }));
            known.expect("nothing fails")
        })
    }),
    row("walk/path-set", Sorting, 100, |n| {
        work(list(n, planned).parts().map(|(path, _)| path).collect::<Vec<Path>>(), |paths| {
            paths.iter().cloned().collect::<PathSet>()
        })
    }),
    row("walk/path-set-union", Sorting, 100, |n| {
        work((paths((0, n)), paths((n / 2, n))), |(a, b)| a.union(b))
    }),
    row("walk/path-set-symmetric-difference", Sorting, 100, |n| {
        work((paths((0, n)), paths((n / 2, n))), |(a, b)| a.symmetric_difference(b))
    }),
    row("walk/path-set-covers", Sorting, 100, |n| {
        work((paths((0, n)), paths((n / 2, n))), |(a, b)| b.iter().filter(|path| a.covers(path)).count())
    }),
    row("assume/type-of-dynamics", Linear, 400, |n| {
        let part = |i| Value::tuple([dynamic(i), string(i)]).expect("a tuple");
        let ty = Type::tuple([wide_type(20), Type::String]).expect("a tuple type");
        work((list(n, part), Type::list(ty).expect("not too deep")), typed)
    }),
    row("assume/type-of-parts", Linear, 400, |n| {
        work((tuple(n, dynamic), Type::tuple(all(n, |_| wide_type(20))).expect("a tuple type")), typed)
    }),
    row("assume/length-of-a-set", Linear, 100, |n| {
        work(set(n, planned), |set| set.assume_set_length_min(2).expect("there may be two"))
    }),
    row("assume/equal", Linear, 100, |n| {
        work((list(n, planned), list(n, resource)), |(plan, value)| {
            plan.assume_equal(value).expect("the plan allows it")
        })
    }),
    row("join/texts", Linear, 400, |n| work(list(n, string), any_element)),
    row("join/objects", Linear, 100, |n| work(list(n, planned), any_element)),
    row("join/marked", Sorting, 100, |n| work(list(n, marked), any_element)),
    row("join/marked-inside", Sorting, 100, |n| {
        work(list(n, |i| Value::tuple([marked(i), string(i)]).expect("a tuple")), any_element)
    }),
    row("join/marked-deepest", Sorting, 20, |n| {
        let deep = |i| (0..LEVELS).fold(marked(i), |value, _| Value::list([value]).expect("one part"));
        work(list(n, deep), any_element)
    }),
    row("conditional/objects", Linear, 100, |n| work(twice(|| list(n, planned)), one_of)),
    row("conditional/apart", Linear, 100, |n| work((list(n, planned), list(n, resource)), one_of)),
    row("conditional/sets", Sorting, 100, |n| work(overlapping(n, string), one_of)),
    row("conditional/sets-of-planned-objects", Sorting, 100, |n| work(overlapping(n, planned), one_of)),
    row("conditional/deepest", Linear, 4, |n| work((list(n, deep), list(n, |i| deep(i + 1))), one_of)),
    row("conditional/marked", Sorting, 100, |n| work((list(n, marked), list(n, |i| marked(i + 1))), one_of)),
    row("concat/texts", Linear, 400, |n| work(all(n, string), concatenated)),
    row("concat/texts-that-compose", Linear, 400, |n| {
        work(all(n, |i| Value::from(if i == 0 { "e" } else { "\u{301}" })), concatenated)
    }),
    row("concat/marked", Sorting, 100, |n| work(all(n, marked), concatenated)),
    row("text/print-value", Linear, 100, |n| work(list(n, planned), |value| value.to_string())),
    row("text/debug-value", Linear, 100, |n| work(list(n, planned), |value| format!("{value:?}"))),
    row("text/print-type", Linear, 400, |n| work(wide_type(n), |ty| ty.to_string())),
    row("text/read-type", Sorting, 400, |n| work(wide_type(n).to_string(), read::<Type>)),
    row("text/read-constraint", Sorting, 400, |n| work(wide_type(n).to_string(), read::<TypeConstraint>)),
    row("text/read-path", Linear, 2, |n| work("[0].a".repeat(n / 2), read::<Path>)),
    row("text/read-path-with-a-long-key", Linear, 400, |n| {
        work(format!("[\"{}\"]", "\\n\u{e9}".repeat(n)), read::<Path>)
    }),
    row("text/print-path-with-a-long-key", Linear, 400, |n| {
        work(Path::new().index("\n\u{e9}".repeat(n)), |path| path.to_string())
    }),
    row("text/read-refinement", Linear, 400, |n| {
        let parts = (0..n).map(|i| format!("numbermin({i})")).collect::<Vec<_>>();
        work(format!("notnull({})", parts.join(", ")), read::<Refinement>)
    }),
    row("text/read-long-prefix", Linear, 400, |n| {
        work(format!("stringprefix(\"{}\")", "\\n\u{e9}".repeat(n)), read::<Refinement>)
    }),
    row("text/print-long-prefix", Linear, 400, |n| {
        work(Refinement::prefix(&"\n\u{e9}".repeat(n)), |refinement| refinement.to_string())
    }),
    row("rules/each-part", Linear, 400, |n| work(rules::each("[*].id", list(n, planned)), rules::checked)),
    row("rules/each-member", Linear, 100, |n| work(rules::each("[*].id", set(n, planned)), rules::checked)),
    row("rules/unique", Sorting, 400, |n| work(rules::unique(list(n, string)), rules::checked)),
    row("rules/set-on-parts", Linear, 100, |n| work(rules::set(list(n, planned)), rules::reported)),
    row("rules/set-on-entries", Linear, 100, |n| work(rules::set(map(n, planned)), rules::reported)),
    row("rules/set-on-members", Sorting, 100, |n| work(rules::set(set(n, planned)), rules::reported)),
    row("plans/verified", Sorting, 100, |n| work(plans::open(n), plans::verified)),
    row("plans/instances-that-refer", Sorting, 100, |n| work(plans::referring(n), plans::checked)),
    row("plans/configured-instances", Sorting, 20, |n| work(plans::configured(n), plans::checked)),
    row("plans/copies-compared", Sorting, 20, |n| work(plans::copied(n), plans::checked)),
    row("plans/root-causes", Sorting, 20, |n| work(plans::chained(n), plans::root_causes_of)),
    row("plans/explained", Sorting, 15, |n| work(plans::chained(n), plans::explained)),
    row("plans/shown", Sorting, 100, |n| work(plans::referring(n), plans::shown)),
    row("plans/written-as-json", Sorting, 100, |n| work(plans::referring(n), plans::written)),
    row("plans/compared", Sorting, 100, |n| work(plans::referring(n), plans::compared)),
    row("plans/differences", Sorting, 50, |n| work(plans::differing(n), plans::differences)),
    row("plans/differences-of-a-list", Sorting, 100, |n| work(plans::realigned(n), plans::differences)),
    row("plans/one-of-many-schemas", Sorting, 20, |n| work(plans::schemas(n), plans::opened)),
    row("drop/list-of-objects", Linear, 100, |n| {
        work(std::cell::RefCell::new(Some(list(n, resource))), |value| drop(value.take()))
    }),
    row("drop/deepest", Linear, 4, |n| {
        work(std::cell::RefCell::new(Some(list(n, deep))), |value| drop(value.take()))
    }),
];
