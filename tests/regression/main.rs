//! Defects that were found and fixed, one test each.

use plantime::{Type, Value};

/// A null passed where an unknown of the same type did not, so plan and apply disagreed.
#[test]
fn assume_equal_refuses_a_null_of_another_type() {
    let ty = Type::map(Type::Number).unwrap();
    let assumed = Value::null(Type::list(Type::String).unwrap());
    assert!(Value::unknown(ty.clone()).assume_equal(&assumed).unwrap_err().is_type_mismatch());
    assert!(Value::null(ty).assume_equal(&assumed).unwrap_err().is_type_mismatch());
    assert_eq!(Value::null(Type::Dynamic).assume_equal(&assumed).unwrap(), assumed);
}
