//! Values that the laws of expressions add to the universes: without them an expression would always fail, or a result would look
//! like the only one there is.

use plantime::Value;

/// Values that the universes lack, and that some expressions need in order not to fail: texts that convert, keys that indexes
/// convert to, parts that are null.
pub(crate) fn witnesses() -> Vec<Value> {
    let null = |ty: &plantime::Type| Value::null(ty.clone());
    let (bool, number) = (plantime::Type::Bool, plantime::Type::Number);
    let object = |a: Value| Value::object([("a", a)]).unwrap();
    let mut all: Vec<Value> = ["true", "false", "0", "1"].map(Value::from).to_vec();
    // Of the even numbers the universes have none below -2, so that one more of each seems to be at least -1.
    all.push(Value::from(-4));
    all.extend(["0", "1", "-1", "0.5", "true", "b"].map(|key| Value::map([(key, true)]).unwrap()));
    all.extend([
        Value::map([("0", 1)]).unwrap(),
        Value::map([("0", "true")]).unwrap(),
        Value::map([("a", "true")]).unwrap(),
    ]);
    all.extend(texts_that_convert());
    all.extend([
        Value::list([object(Value::from(true)), object(Value::from(false))]).unwrap(),
        Value::list([object(null(&bool))]).unwrap(),
        Value::set([object(Value::from(true))]).unwrap(),
        Value::set([object(null(&bool)), object(Value::from(true))]).unwrap(),
        Value::tuple([null(&number), null(&bool)]).unwrap(),
        Value::list([Value::tuple([null(&number), null(&bool)]).unwrap()]).unwrap(),
        Value::set([Value::tuple([null(&number), null(&bool)]).unwrap()]).unwrap(),
        Value::list([Value::list([true]).unwrap()]).unwrap(),
        Value::set([Value::list([true]).unwrap()]).unwrap(),
        object(Value::from("true")),
        object(Value::from(1)),
    ]);
    all
}

/// More of them, for precision: each key with each element, more elements than there are bounds, infinities in containers, parts that
/// are null. Without them a result would look like the only one there is. `few` is for operations on two values.
pub(crate) fn more_witnesses(few: bool) -> Vec<Value> {
    let null = |ty: &plantime::Type| Value::null(ty.clone());
    let (bool, number, string) = (plantime::Type::Bool, plantime::Type::Number, plantime::Type::String);
    let object = |a: Value| Value::object([("a", a)]).unwrap();
    let [infinity, least] = [plantime::Number::INFINITY, plantime::Number::NEG_INFINITY].map(Value::from);
    let mut all: Vec<Value> =
        ["true", "false", "0", "1", "2", "-1", "inf", "-inf", "\u{301}", "\u{307}"].map(Value::from).to_vec();
    let lists = [
        vec![],
        vec![Value::from(true)],
        vec![Value::from(false)],
        vec![true.into(), false.into()],
        vec![true.into(), false.into(), true.into()],
    ]
    .map(|items| Value::list_of(bool.clone(), items).unwrap());
    let sets = [
        vec![],
        vec![Value::from(true)],
        vec![true.into(), false.into()],
        vec![true.into(), false.into(), null(&bool)],
    ]
    .map(|items| Value::set_of(bool.clone(), items).unwrap());
    let texts = [
        Value::list(["a"]).unwrap(),
        Value::list([null(&string)]).unwrap(),
        Value::list(["a", "b"]).unwrap(),
    ];
    let pair = |a: Value, b: Value| Value::tuple([a, b]).unwrap();
    let pairs = [
        pair(1.into(), true.into()),
        pair(2.into(), false.into()),
        pair(null(&number), null(&bool)),
        pair(infinity.clone(), true.into()),
    ];
    let elements: Vec<Vec<Value>> = vec![
        vec![true.into(), false.into(), null(&bool)],
        vec![1.into(), 2.into(), null(&number), infinity.clone(), least.clone()],
        vec!["0".into(), "true".into(), null(&string)],
        lists.to_vec(),
        texts.to_vec(),
        sets.to_vec(),
        pairs.to_vec(),
        vec![object(true.into()), object(false.into()), object(null(&bool))],
        vec![object(1.into()), object(2.into())],
    ];
    let keys = [
        "a", "b", "0", "1", "2", "-1", "-2", "-0.25", "0.5", "true", "false", "", "aa", "ab", "ac", "ba",
        "bb", "zq", "inf", "-inf",
    ];
    for key in keys {
        for elements in elements.iter().take(if few { 3 } else { elements.len() }) {
            let of_type = null(&elements[0].ty());
            for element in elements.iter().chain([&of_type]) {
                all.push(Value::map([(key, element.clone())]).unwrap());
                let more = |count: usize| {
                    let others =
                        ["x", "y", "z"].into_iter().take(count).map(|key| (key, elements[0].clone()));
                    Value::map(others.chain([(key, element.clone())])).unwrap()
                };
                all.push(more(1));
                if !few {
                    all.extend([more(2), more(3)]);
                }
            }
        }
        // Containers of maps with this key.
        let maps = [
            Value::map([(key, 1)]).unwrap(),
            Value::map([(key, 2)]).unwrap(),
            Value::map([(key, 3)]).unwrap(),
        ];
        for count in 1..=3 {
            let maps = || maps.iter().take(count).cloned();
            all.push(Value::list(maps()).unwrap());
            all.push(Value::set(maps()).unwrap());
            all.push(Value::tuple(maps()).unwrap());
            all.push(Value::map(["b", "y", "z"].into_iter().zip(maps())).unwrap());
        }
        for text in ["a", "b"] {
            let part = || Value::map([(key, text)]).unwrap();
            for name in ["a", "b"] {
                all.push(Value::map([(name, part())]).unwrap());
            }
            all.push(Value::map([("a", part()), ("b", part())]).unwrap());
            all.push(object(part()));
        }
        all.push(Value::list([Value::map([(key, "a")]).unwrap()]).unwrap());
        all.push(Value::set([Value::map([(key, "a")]).unwrap()]).unwrap());
    }
    // Sequences of one to four of each.
    for elements in &elements[2..] {
        for count in 1..=4 {
            let items = || elements.iter().rev().cycle().take(count).cloned();
            all.push(Value::list(items()).unwrap());
            all.push(Value::list((0..count).map(|_| elements[0].clone())).unwrap());
            all.push(Value::set(items()).unwrap());
            all.push(Value::tuple(items()).unwrap());
        }
    }
    // Containers of one scalar, alone and beside a null or a bool.
    let texts = ["", "a", "aa", "ab", "ac", "b", "ba", "zq"].map(Value::from);
    let numbers = [0, 1, 2, 7, -1, -2].map(Value::from);
    let bools = [Value::from(true), Value::from(false)];
    let untyped = null(&plantime::Type::Dynamic);
    let scalars = || texts.iter().chain(&numbers).chain(&bools).chain([&infinity, &least]).cloned();
    for scalar in scalars() {
        all.push(Value::list([scalar.clone()]).unwrap());
        all.push(Value::set([scalar.clone()]).unwrap());
        all.push(Value::map([("b", scalar.clone())]).unwrap());
        all.push(Value::map([("a", scalar.clone())]).unwrap());
        all.push(Value::tuple([scalar.clone()]).unwrap());
        all.push(object(scalar.clone()));
        for beside in [&untyped, &Value::from(false), &null(&bool)] {
            all.push(pair(scalar.clone(), beside.clone()));
            all.push(pair(beside.clone(), scalar.clone()));
        }
    }
    for part in [object(true.into()), object(object(true.into())), Value::list([true]).unwrap()] {
        all.push(pair(untyped.clone(), part.clone()));
        all.push(pair(part, untyped.clone()));
    }
    all.push(Value::null(Value::tuple([null(&bool), null(&string)]).unwrap().ty()));
    // Two of one type, in both orders.
    let two = |a: &Value, b: &Value| {
        let both = || [a.clone(), b.clone()];
        [
            Value::list(both()).unwrap(),
            Value::set(both()).unwrap(),
            Value::map(["a", "b"].into_iter().zip(both())).unwrap(),
        ]
    };
    let numbers: Vec<Value> = numbers.iter().chain([&infinity, &least]).cloned().collect();
    for scalars in [&texts[..], &numbers[..]] {
        for a in scalars {
            for b in scalars.iter().chain([&null(&scalars[0].ty())]) {
                all.extend(two(a, b).into_iter().chain(two(b, a)));
            }
        }
    }
    for end in [&infinity, &least] {
        all.push(pair(end.clone(), end.clone()));
    }
    // Objects and maps of what has a key.
    let of_null = Value::null(object(true.into()).ty());
    all.extend([Value::list([of_null.clone()]).unwrap(), Value::set([of_null.clone()]).unwrap()]);
    all.push(Value::list([of_null.clone(), of_null.clone()]).unwrap());
    for truth in [true, false] {
        all.push(Value::set([of_null.clone(), object(truth.into())]).unwrap());
        all.push(Value::list([of_null.clone(), object(truth.into())]).unwrap());
    }
    all.push(Value::list_of(of_null.ty(), Vec::<Value>::new()).unwrap());
    all.push(Value::set_of(of_null.ty(), Vec::<Value>::new()).unwrap());
    all.extend([Value::map([("a", of_null.clone())]).unwrap(), Value::map([("b", of_null)]).unwrap()]);
    let null_map = null(&Value::map([("a", true)]).unwrap().ty());
    all.extend([Value::list([null_map.clone()]).unwrap(), Value::set([null_map]).unwrap()]);
    let nulls = |count: usize| Value::list((0..count).map(|_| null(&bool))).unwrap();
    all.push(Value::set([nulls(1), nulls(2)]).unwrap());
    all.push(Value::set([nulls(1), Value::list([null(&bool), true.into()]).unwrap()]).unwrap());
    for other in [false, true] {
        all.push(pair(other.into(), null(&string)));
        all.push(pair(null(&string), other.into()));
    }
    // Pairs of which one is known: the other one before or after it, with and without nulls.
    let other_pairs = [
        pair(null(&number), null(&bool)),
        pair(0.into(), true.into()),
        pair(0.into(), false.into()),
        pair(0.into(), null(&bool)),
        pair(Value::from(-1), true.into()),
        pair(7.into(), null(&bool)),
        pair(null(&number), true.into()),
        pair(null(&number), false.into()),
    ];
    for a in [0.into(), 1.into(), 2.into(), null(&number)] {
        for b in [true.into(), false.into(), null(&bool)] {
            for other in &other_pairs {
                let both = || [pair(a.clone(), b.clone()), other.clone()];
                all.push(Value::list(both()).unwrap());
                all.push(Value::list(both().into_iter().rev()).unwrap());
                all.push(Value::set(both()).unwrap());
                all.push(Value::tuple(both()).unwrap());
            }
        }
    }
    for b in [true.into(), false.into(), null(&bool)] {
        all.push(Value::tuple([pair(null(&number), b)]).unwrap());
    }
    for list in &lists {
        all.push(Value::set([lists[0].clone(), list.clone()]).unwrap());
        all.push(Value::set([null(&list.ty()), list.clone()]).unwrap());
    }
    all.push(
        Value::set([
            Value::list(["a"]).unwrap(),
            Value::list_of(string.clone(), Vec::<Value>::new()).unwrap(),
        ])
        .unwrap(),
    );
    all.push(Value::tuple([object(null(&bool)), null(&bool)]).unwrap());
    // What is of one type with a bool only as text.
    all.push(Value::list([null(&string), null(&string)]).unwrap());
    all.push(Value::list_of(string.clone(), Vec::<Value>::new()).unwrap());
    all.push(Value::set_of(string.clone(), Vec::<Value>::new()).unwrap());
    all.push(pair(null(&string), "a".into()));
    all.push(pair(null(&string), null(&string)));
    for known in [true.into(), false.into(), null(&bool)] {
        all.push(pair("a".into(), known.clone()));
        all.push(pair(known, "a".into()));
    }
    for texts in [
        &["true", "1"][..],
        &["1"],
        &["inf"],
        &["-inf"],
        &["-inf", "1"],
        &["inf", "true"],
        &["inf", "Inf"],
        &["inf", "1"],
        &["0", "1"],
        &["1", "2"],
        &["-1", "0"],
        &["-inf", "-Inf"],
        &["false"],
        &["0", "false"],
        &["0", "1", "true"],
        &["0", "1", "false", "true"],
        &["0", "a"],
        &["", "a"],
    ] {
        let texts = || texts.iter().copied();
        all.push(Value::list(texts()).unwrap());
        all.push(Value::set(texts()).unwrap());
        all.push(Value::tuple(texts().map(Value::from)).unwrap());
    }
    for numbers in [
        vec![infinity.clone()],
        vec![1.into(), infinity.clone()],
        vec![0.into(), 1.into(), 2.into(), infinity.clone()],
        vec![least.clone()],
        vec![least.clone(), 1.into()],
        vec![least.clone(), 0.into(), 1.into(), 2.into()],
        vec![least.clone(), null(&number)],
        vec![infinity.clone(), null(&number)],
    ] {
        all.push(Value::list(numbers.clone()).unwrap());
        all.push(Value::set(numbers.clone()).unwrap());
        all.push(Value::tuple(numbers).unwrap());
    }
    all.extend(texts_that_convert());
    all.extend([
        Value::list([object(null(&bool))]).unwrap(),
        Value::set([object(null(&bool)), object(Value::from(true))]).unwrap(),
        Value::tuple([null(&number), null(&bool)]).unwrap(),
        Value::list([Value::tuple([null(&number), null(&bool)]).unwrap()]).unwrap(),
        Value::set([Value::tuple([null(&number), null(&bool)]).unwrap()]).unwrap(),
        object(Value::from("true")),
        object(Value::from(1)),
        object(null(&number)),
        object(lists[1].clone()),
        object(infinity),
    ]);
    all
}

/// Containers that scalars of undecided type may become, so that not each operation on the parts of such a value fails.
pub(crate) fn containers() -> Vec<Value> {
    let map = |key: &str, value: Value| Value::map([(key, value)]).unwrap();
    let mut all: Vec<Value> = [Value::from(true), Value::from(1), Value::from("b")]
        .into_iter()
        .map(|a| Value::object([("a", a)]).unwrap())
        .collect();
    for key in [
        "", "0", "1", "2", "-1", "-0.25", "-0.5", "-2", "0.5", "a", "aa", "ab", "ac", "b", "ba", "bb", "zq",
        "true", "false", "inf", "-inf",
    ] {
        all.extend([map(key, 1.into()), map(key, "a".into()), Value::tuple([map(key, "a".into())]).unwrap()]);
    }
    all.extend([
        Value::tuple(Vec::<Value>::new()).unwrap(),
        Value::tuple([Value::from(1), Value::from("a"), Value::from(true)]).unwrap(),
        Value::tuple([Value::from(true), Value::from(0), Value::from("b")]).unwrap(),
        Value::list([0, 1, 2]).unwrap(),
        Value::set(["a"]).unwrap(),
        Value::list_of(plantime::Type::Bool, Vec::<Value>::new()).unwrap(),
        Value::list_of(plantime::Type::String, Vec::<Value>::new()).unwrap(),
        Value::list([Value::null(plantime::Type::Bool)]).unwrap(),
        Value::list([true, false]).unwrap(),
        Value::list([true]).unwrap(),
        Value::list([plantime::Number::INFINITY]).unwrap(),
        Value::list([plantime::Number::NEG_INFINITY]).unwrap(),
        Value::map([("a", Value::list([true]).unwrap())]).unwrap(),
        Value::tuple([Value::null(plantime::Type::Bool)]).unwrap(),
        Value::tuple([true]).unwrap(),
        Value::tuple([1]).unwrap(),
        Value::list([Value::list([1, 2, 3]).unwrap(), Value::list([3, 4, 5]).unwrap()]).unwrap(),
        Value::list([Value::list(["x", "y", "z"]).unwrap()]).unwrap(),
        Value::list([map("b", 1.into()), map("b", 2.into())]).unwrap(),
    ]);
    all
}

/// Collections of texts that convert to bools, beside ones that do not, and of a null.
fn texts_that_convert() -> [Value; 8] {
    [
        Value::list(["true"]).unwrap(),
        Value::list(["true", "a"]).unwrap(),
        Value::set(["true"]).unwrap(),
        Value::set(["true", "a"]).unwrap(),
        Value::tuple(["true"]).unwrap(),
        Value::list(["x"]).unwrap(),
        Value::list([Value::null(plantime::Type::Bool), Value::from(true)]).unwrap(),
        Value::set([Value::from("true"), Value::from("false")]).unwrap(),
    ]
}

/// Collections of objects that differ in their attributes: a list or map of the larger ones and a set or object of the smaller ones
/// have the type of the latter in common.
pub(crate) fn collections_of_objects() -> Vec<Value> {
    let small = || Value::object([("a", true)]).unwrap();
    let large = || Value::object([("a", true), ("b", true)]).unwrap();
    let list = |of: Value| Value::list([of]).unwrap();
    let set = |of: Value| Value::set([of]).unwrap();
    let map = |of: Value| Value::map([("a", of)]).unwrap();
    let object = |of: Value| Value::object([("a", of)]).unwrap();
    let mut all = vec![set(small()), object(small()), list(large()), map(large())];
    all.extend([
        list(list(large())),
        set(list(small())),
        set(set(small())),
        list(map(large())),
        set(map(small())),
    ]);
    all.extend([Value::list_of(list(large()).ty(), Vec::<Value>::new()).unwrap()]);
    all.extend([Value::map_of(large().ty(), Vec::<(&str, Value)>::new()).unwrap()]);
    all.extend([
        Value::null(list(list(large())).ty()),
        Value::null(map(large()).ty()),
        Value::null(list(large()).ty()),
    ]);
    all
}
