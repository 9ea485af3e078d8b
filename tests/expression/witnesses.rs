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
    let mut all: Vec<Value> = ["true", "false", "0", "1", "\u{301}"].map(Value::from).to_vec();
    let lists = [vec![], vec![Value::from(true)], vec![Value::from(false)], vec![true.into(), false.into()]]
        .map(|items| Value::list_of(bool.clone(), items).unwrap());
    let sets = [vec![], vec![Value::from(true)], vec![true.into(), false.into()]]
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
    let keys = ["a", "b", "0", "1", "2", "-1", "0.5", "true", "false", "", "ab", "zq", "inf", "-inf"];
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
        all.push(Value::map([("b", Value::map([(key, "a")]).unwrap())]).unwrap());
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
    // Containers of one scalar.
    let texts = ["", "ab", "b", "zq"].map(Value::from);
    for scalar in texts.into_iter().chain([0.into(), Value::from(-1), infinity.clone(), least.clone()]) {
        all.push(Value::list([scalar.clone()]).unwrap());
        all.push(Value::set([scalar.clone()]).unwrap());
        all.push(Value::map([("b", scalar.clone())]).unwrap());
        all.push(Value::tuple([scalar]).unwrap());
    }
    // Pairs of which one is known: the other one before or after it, with and without nulls.
    let other_pairs = [
        pair(null(&number), null(&bool)),
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
    for key in ["", "0", "1", "2", "-1", "0.5", "a", "ab", "b", "zq", "true", "false", "inf"] {
        all.extend([map(key, 1.into()), map(key, "a".into())]);
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
