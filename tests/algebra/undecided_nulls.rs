//! The exception of *known in, known out*: a collection of which nothing decides the element type.

use plantime::{Knownness, Refinement, Type, Value, convert};

/// Which type the nulls have is decided later, for all of them, so two such lists may become lists of two types.
#[test]
fn nulls_alone_in_a_list_of_undecided_type_are_never_wholly_known() {
    let null = Value::null(Type::Dynamic);
    let nulls = Value::tuple([null.clone(), null.clone()]).unwrap();
    let empties = Value::tuple([Value::tuple(Vec::<Value>::new()).unwrap()]).unwrap();
    for (value, target) in [(&nulls, "list(any)"), (&empties, "list(list(any))"), (&empties, "set(set(any))")]
    {
        let made = convert(value, &target.parse().unwrap()).unwrap();
        assert_eq!(made.knownness(), Knownness::Partial, "{made:?}");
        assert!(!made.equals(&made).unwrap().is_known(), "{made:?}");
        assert!(made.length().unwrap().is_known(), "{made:?}");
    }
    let list = convert(&nulls, &"list(any)".parse().unwrap()).unwrap();
    let first = list.index(&Value::from(0)).unwrap();
    assert_eq!(first, Value::refined(Type::Dynamic, Refinement::null()).unwrap());
    assert_eq!(first.equals(&null).unwrap(), Value::from(true));
    assert!(!first.is_wholly_known(), "its type is not known");
    #[cfg(feature = "json")]
    assert_eq!(plantime::json::to_vec_as(&list, &"list(string)".parse().unwrap()).unwrap(), b"[null,null]");
    // A type that is asked for decides it.
    let texts = convert(&nulls, &"list(string)".parse().unwrap()).unwrap();
    assert!(texts.is_wholly_known() && texts.equals(&texts).unwrap() == Value::from(true));
}
