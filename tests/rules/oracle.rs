//! What each rule means, on concrete values.

use plantime::rule::{Rule, Unit, Words};

use crate::concrete::{C, INF, NEG_INF, Ty, list, map, set};

type Meaning = Box<dyn Fn(&C) -> Option<bool>>;

/// A rule of these tests, and its meaning on a concrete value: `None` where it cannot read the type.
pub(crate) struct Case {
    pub(crate) rule: Rule,
    pub(crate) holds: Meaning,
}

fn case(rule: Rule, holds: impl Fn(&C) -> Option<bool> + 'static) -> Case {
    Case { rule, holds: Box::new(holds) }
}

/// Null passes; of another type than `ty` it cannot be read.
fn on(ty: Ty, c: &C, holds: impl Fn(&C) -> bool) -> Option<bool> {
    if c.ty() != Ty::Any && c.ty() != ty {
        return None;
    }
    Some(c.is_null() || holds(c))
}

fn text(c: &C) -> &str {
    match c {
        C::Str(text) => text,
        _ => "",
    }
}

fn length(c: &C) -> Option<usize> {
    match c {
        C::Str(text) => Some(text.len()),
        C::List(_, items) | C::Tuple(items) => Some(items.len()),
        C::Set(_, items) => Some(items.len()),
        C::Map(_, items) => Some(items.len()),
        C::Object(items) => Some(items.len()),
        _ => None,
    }
}

fn sized(c: &C, holds: impl Fn(usize) -> bool) -> Option<bool> {
    match c.ty() {
        Ty::Bool | Ty::Num => None,
        _ if c.is_null() => Some(true),
        _ => length(c).map(holds),
    }
}

/// Equality of a value that is not null.
fn equal(c: &C, operand: &C) -> bool {
    !operand.is_null() && c == operand
}

/// Whether a type may be compared with an operand.
fn comparable(ty: &Ty, operand: &C) -> bool {
    *ty == Ty::Any || operand.is_null() || ty.covers(&operand.ty()) || operand.ty().covers(ty)
}

fn among(c: &C, operands: &[C], wanted: bool) -> Option<bool> {
    if !operands.is_empty() && !operands.iter().any(|operand| comparable(&c.ty(), operand)) {
        return None;
    }
    Some(c.is_null() || operands.iter().any(|operand| equal(c, operand)) == wanted)
}

fn contains(c: &C, wanted: &C) -> Option<bool> {
    let same = |item: &C| item == wanted || item.is_null() && wanted.is_null();
    let elements: Vec<Ty> = match c.ty() {
        Ty::Any => return Some(true),
        Ty::Str if !matches!(wanted, C::Str(_)) => return None,
        Ty::Str => return Some(c.is_null() || text(c).contains(text(wanted))),
        Ty::List(ty) | Ty::Set(ty) => vec![*ty],
        Ty::Tuple(types) => types,
        _ => return None,
    };
    if !elements.is_empty() && !elements.iter().any(|ty| comparable(ty, wanted)) {
        return None;
    }
    Some(match c {
        C::List(_, items) | C::Tuple(items) => items.iter().any(same),
        C::Set(_, items) => items.iter().any(same),
        _ => true,
    })
}

/// Operands of every kind.
pub(crate) fn operands() -> Vec<C> {
    let t = C::Bool(true);
    vec![
        C::Null(Ty::Bool),
        C::Null(Ty::Any),
        C::Bool(false),
        t.clone(),
        C::Num(0),
        C::Num(2),
        C::Num(4),
        C::Num(INF),
        C::Str(String::new()),
        C::Str("a".into()),
        C::Str("ab".into()),
        C::Str("aba".into()),
        C::List(Ty::Bool, vec![]),
        C::List(Ty::Bool, vec![t.clone()]),
        C::List(Ty::Bool, vec![C::Null(Ty::Bool), C::Bool(false)]),
        C::Set(Ty::Bool, [t.clone()].into()),
        C::Set(Ty::Bool, [t.clone(), C::Null(Ty::Bool)].into()),
        C::Map(Ty::Bool, [("a", t.clone())].into()),
        C::Tuple(vec![t.clone()]),
        C::Object([("p", t.clone()), ("q", C::Bool(false))].into()),
    ]
}

fn operand_lists() -> Vec<Vec<C>> {
    let all = operands();
    let text = |text: &str| C::Str(text.into());
    let mut lists = vec![
        vec![],
        vec![C::Bool(false), C::Bool(true)],
        vec![C::Num(0), C::Num(4), C::Num(8)],
        vec![text("a"), text("ab"), text("b")],
        vec![text("bbb"), C::Num(2)],
        vec![C::Null(Ty::Str), text("")],
    ];
    let bools = [C::Null(Ty::Bool), C::Bool(false), C::Bool(true)];
    lists.push(bools.iter().map(|b| C::List(Ty::Bool, vec![b.clone()])).collect());
    lists.push(bools.iter().map(|b| C::Set(Ty::Bool, [b.clone()].into())).collect());
    lists.push(bools.iter().map(|b| C::Tuple(vec![b.clone()])).collect());
    lists.push(vec![C::Set(Ty::Bool, [].into()), C::Set(Ty::Bool, bools.clone().into())]);
    lists.push(vec![C::List(Ty::Bool, vec![]), C::List(Ty::Bool, vec![C::Bool(true)])]);
    lists.extend(all.chunks(4).map(<[C]>::to_vec));
    lists
}

pub(crate) const PATTERNS: [&str; 10] = ["", "^", "^a", "^ab", "^aba", "^(ab)a", "^ab$", "a", "^b[ab]", "b$"];

fn matched(pattern: &str, text: &str) -> bool {
    match pattern {
        "" | "^" => true,
        "a" => text.contains('a'),
        "^a" => text.starts_with('a'),
        "^ab" => text.starts_with("ab"),
        "^aba" | "^(ab)a" => text.starts_with("aba"),
        "^ab$" => text == "ab",
        "^b[ab]" => text.starts_with('b') && text.len() > 1,
        "b$" => text.ends_with('b'),
        other => panic!("no meaning is written down for {other}"),
    }
}

fn parts(c: &C) -> Vec<&C> {
    match c {
        C::List(_, items) | C::Tuple(items) => items.iter().collect(),
        C::Set(_, items) => items.iter().collect(),
        C::Map(_, items) => items.values().collect(),
        C::Object(items) => items.values().collect(),
        _ => Vec::new(),
    }
}

fn no_nulls(c: &C) -> Option<bool> {
    match c.ty() {
        Ty::Bool | Ty::Num | Ty::Str => None,
        _ => Some(c.is_null() || !parts(c).into_iter().any(C::is_null)),
    }
}

fn unique(c: &C) -> Option<bool> {
    match c.ty() {
        Ty::Bool | Ty::Num | Ty::Str | Ty::Map(_) | Ty::Object(_) => None,
        _ => {
            let parts = parts(c);
            let distinct: std::collections::BTreeSet<&C> = parts.iter().copied().collect();
            Some(distinct.len() == parts.len())
        }
    }
}

fn has_key(c: &C, key: &str) -> Option<bool> {
    match (c, c.ty()) {
        (C::Map(_, items), _) => Some(items.contains_key(key)),
        (C::Object(items), _) => Some(items.contains_key(key)),
        (_, Ty::Any | Ty::Map(_) | Ty::Object(_)) => Some(true),
        _ => None,
    }
}

fn one_not_null(c: &C, keys: Option<&[&str]>) -> Option<bool> {
    let count = |items: &std::collections::BTreeMap<&str, C>| {
        let wanted = items.iter().filter(|(key, _)| keys.is_none_or(|keys| keys.contains(key)));
        wanted.filter(|(_, part)| !part.is_null()).count()
    };
    match (c, c.ty()) {
        (C::Map(_, items), _) => Some(count(items) == 1),
        (C::Object(items), _) => Some(count(items) == 1),
        (_, Ty::Any | Ty::Map(_) | Ty::Object(_)) => Some(true),
        _ => None,
    }
}

/// The meaning of a rule on a key.
type OfKey = fn(&str) -> bool;

/// Rules that hold for more or fewer keys than there are in the universe alike.
fn keys() -> [(Rule, OfKey); 7] {
    [
        (Rule::NotNull, |_| true),
        (Rule::IsNull, |_| false),
        (Rule::none_of(["a"]), |key| key != "a"),
        (Rule::not(Rule::one_of(["a", "p"])).unwrap(), |key| key != "a" && key != "p"),
        (Rule::all([]).unwrap(), |_| true),
        (Rule::any([]).unwrap(), |_| false),
        (Rule::starts_with(String::new()), |_| true),
    ]
}

fn on_keys(c: &C, holds: OfKey) -> Option<bool> {
    match (c, c.ty()) {
        (C::Map(_, items), _) => Some(items.keys().all(|key| holds(key))),
        (C::Object(items), _) => Some(items.keys().all(|key| holds(key))),
        (_, Ty::Any | Ty::Map(_) | Ty::Object(_)) => Some(true),
        _ => None,
    }
}

/// In quarters, as all numbers here.
fn is_multiple(c: &C, of: i64, rest: i64) -> bool {
    match c {
        C::Num(INF | NEG_INF) => false,
        C::Num(n) if of == 0 => *n == 0,
        C::Num(n) => n.rem_euclid(of) == rest,
        _ => false,
    }
}

/// Every rule on a single value, with every operand of the universe.
pub(crate) fn singles() -> Vec<Case> {
    let mut all =
        vec![case(Rule::NotNull, |c| Some(!c.is_null())), case(Rule::IsNull, |c| Some(c.is_null()))];
    for operand in operands() {
        let value = operand.to_value();
        let wanted = operand.clone();
        all.push(case(Rule::equals(value.clone()), move |c| among(c, std::slice::from_ref(&operand), true)));
        all.push(case(Rule::contains(value), move |c| contains(c, &wanted)));
    }
    for operands in operand_lists() {
        let values: Vec<_> = operands.iter().map(C::to_value).collect();
        let others = operands.clone();
        all.push(case(Rule::one_of(values.clone()), move |c| among(c, &operands, true)));
        all.push(case(Rule::none_of(values), move |c| among(c, &others, false)));
    }
    for part in ["", "a", "b", "aa", "ab", "aba", "bb"] {
        all.push(case(Rule::starts_with(part), move |c| on(Ty::Str, c, |c| text(c).starts_with(part))));
        all.push(case(Rule::ends_with(part), move |c| on(Ty::Str, c, |c| text(c).ends_with(part))));
    }
    for part in ["", "a", "ab", "aba", "b", "bb", "bbb"] {
        all.push(case(Rule::not_before(part), move |c| on(Ty::Str, c, |c| text(c) >= part)));
        all.push(case(Rule::not_after(part), move |c| on(Ty::Str, c, |c| text(c) <= part)));
    }
    for count in 0..=3_usize {
        all.push(case(Rule::min_len(count as u64), move |c| sized(c, |length| length >= count)));
        all.push(case(Rule::max_len(count as u64), move |c| sized(c, |length| length <= count)));
        all.push(case(Rule::len(count as u64), move |c| sized(c, |length| length == count)));
        for unit in [Unit::Bytes, Unit::Graphemes] {
            let length = count as u64;
            let of_text = move |holds: fn(usize, usize) -> bool| {
                move |c: &C| on(Ty::Str, c, |c| holds(text(c).len(), count))
            };
            all.push(case(Rule::min_len_in(unit, length), of_text(|length, count| length >= count)));
            all.push(case(Rule::max_len_in(unit, length), of_text(|length, count| length <= count)));
            all.push(case(Rule::len_in(unit, length), of_text(|length, count| length == count)));
        }
    }
    for bound in [NEG_INF, 0, 2, 4, 6, 8, INF] {
        let number = crate::concrete::number(bound);
        let value = |c: &C| if let C::Num(n) = c { *n } else { 0 };
        all.push(case(Rule::min(number.clone()), move |c| on(Ty::Num, c, |c| value(c) >= bound)));
        all.push(case(Rule::max(number), move |c| on(Ty::Num, c, |c| value(c) <= bound)));
    }
    for of in [2, 3, 4, 8, 0, INF, -4] {
        let rule = Rule::multiple_of(crate::concrete::number(of));
        let of = if of == INF { 0 } else { of.abs() };
        all.push(case(rule, move |c| on(Ty::Num, c, |c| is_multiple(c, of, 0))));
    }
    all.push(case(Rule::even(), |c| on(Ty::Num, c, |c| is_multiple(c, 8, 0))));
    all.push(case(Rule::odd(), |c| on(Ty::Num, c, |c| is_multiple(c, 8, 4))));
    for words in [&[][..], &["A"], &["a", "AB", "bB"], &["", "BA"]] {
        let among = move |c: &C| words.iter().any(|word| word.eq_ignore_ascii_case(text(c)));
        let these = Words::new(words.iter().copied()).unwrap();
        all.push(case(Rule::one_of_ignoring_case(these.clone()), move |c| on(Ty::Str, c, among)));
        all.push(case(Rule::none_of_ignoring_case(these), move |c| on(Ty::Str, c, |c| !among(c))));
    }
    all.push(case(Rule::no_nulls(), no_nulls));
    all.push(case(Rule::unique(), unique));
    for keys in
        [None, Some(&[][..]), Some(&["a"]), Some(&["a", "b"]), Some(&["p", "q", "a"]), Some(&["p", "d"])]
    {
        let rule = match keys {
            Some(keys) => Rule::one_not_null_of(keys.iter().copied()),
            None => Rule::one_not_null(),
        };
        all.push(case(rule, move |c| one_not_null(c, keys)));
    }
    all.push(case(Rule::not_zero(), |c| match c.ty() {
        Ty::Str | Ty::Num | Ty::Any => Some(!matches!(c, C::Num(0)) && *c != C::Str(String::new())),
        _ => None,
    }));
    for ty in [
        Ty::Any,
        Ty::Bool,
        Ty::Str,
        list(Ty::Bool),
        list(Ty::Any),
        set(Ty::Bool),
        map(Ty::Any),
        Ty::Tuple(vec![Ty::Bool]),
        Ty::Tuple(vec![Ty::Any, Ty::Bool]),
    ] {
        let rule = Rule::type_is(ty.to_type());
        all.push(case(rule, move |c| Some(c.is_null() || ty.covers(&c.ty()))));
    }
    for (rule, least) in [(Rule::port(), 4), (Rule::port_or_zero(), 0)] {
        all.push(case(rule, move |c| {
            on(Ty::Num, c, |c| matches!(c, C::Num(n) if (least..=4 * 65_535).contains(n) && n % 4 == 0))
        }));
    }
    for (rule, holds) in keys() {
        all.push(case(Rule::keys(rule).unwrap(), move |c| on_keys(c, holds)));
    }
    for key in ["a", "b", "c"] {
        all.push(case(Rule::has_key(key), move |c| has_key(c, key)));
    }
    for pattern in PATTERNS {
        let rule = Rule::matches(pattern.parse().unwrap());
        all.push(case(rule, move |c| on(Ty::Str, c, |c| matched(pattern, text(c)))));
    }
    all
}
