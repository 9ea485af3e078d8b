//! Constructors and what they refuse.

use crate::{Error, ObjectType, Type, Value, value};

#[test]
fn elements_of_a_collection_are_of_one_type() {
    let error = Value::list([Value::from("a"), Value::from(1)]).unwrap_err();
    assert!(error.is_type_mismatch());
    assert_eq!(
        error.to_string(),
        "[1]: all elements of a list must have the same type: string required, but have number"
    );
    assert_eq!((error.expected(), error.found()), (Some(&Type::String), Some(&Type::Number)));
    assert!(Value::set([Value::from("a"), Value::dynamic()]).unwrap_err().is_type_mismatch());
    let error = Value::map([("a", Value::from(1)), ("b", Value::null(Type::String))]).unwrap_err();
    assert_eq!(error.path().to_string(), r#"["b"]"#);
}

#[test]
fn an_empty_collection_needs_a_type() {
    let none: [Value; 0] = [];
    assert!(Value::list(none.clone()).unwrap_err().needs_type());
    assert!(Value::set(none).unwrap_err().needs_type());
    assert!(Value::map([] as [(&str, Value); 0]).unwrap_err().needs_type());
}

#[test]
fn names_and_keys_are_normalised_and_the_last_of_equal_ones_stays() {
    let map = Value::map([("e\u{301}", 1), ("z", 2), ("é", 3)]).unwrap();
    assert_eq!(map, Value::map([("é", 3), ("z", 2)]).unwrap());
    let object = Value::object([("b", 1), ("a", 2), ("b", 3)]).unwrap();
    assert_eq!(object, Value::object([("a", 2), ("b", 3)]).unwrap());
}

#[test]
fn objects_of_a_type_at_hand_follow_their_values() {
    let ty = ObjectType::new([("a", Type::Dynamic), ("b", Type::Bool)]).unwrap();
    let object = Value::object_of(&ty, vec![Value::from(1), Value::from(true)]).unwrap();
    assert_eq!(object.ty().to_string(), "object({a = number, b = bool})");
    let undecided = Value::object_of(&ty, vec![Value::dynamic(), Value::from(true)]).unwrap();
    assert_eq!(undecided.ty(), Type::Object(ty.clone()));
    let error = Value::object_of(&ty, vec![Value::from(1), Value::from(1)]).unwrap_err();
    assert_eq!(error.to_string(), "b: bool required, but have number");
    assert!(Value::object_of(&ty, vec![Value::from(1)]).is_err());
}

#[test]
fn the_macro_reads_like_json() -> Result<(), Error> {
    let id = Value::unknown(Type::String);
    let built = value!({"id": id.clone(), "n": [1, -2, 1 < 2, null], "o": {},})?;
    let tuple = Value::tuple([1.into(), (-2).into(), true.into(), Value::null(Type::Dynamic)])?;
    let none: [(&str, Value); 0] = [];
    assert_eq!(built, Value::object([("id", id), ("n", tuple), ("o", Value::object(none)?)])?);
    Ok(())
}

#[test]
fn collecting_values_gives_a_tuple() {
    let tuple: Value = (1..4).map(Value::from).collect::<Result<Value, Error>>().unwrap();
    assert_eq!(tuple, value!([1, 2, 3]).unwrap());
}
