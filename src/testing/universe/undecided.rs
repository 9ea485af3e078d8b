//! Abstract values with an undecided type inside.

use crate::{LengthRange, Refinement, Type, Value};

use super::abstracts::narrowings;
use super::combine::{entries, sequences};
use super::{FIXED, ty};

/// Containers with an undecided type inside, and values like them.
pub(super) fn undecided(bools: &[Value]) -> Vec<Value> {
    let untyped = Value::null(Type::Dynamic);
    let dynamic = Value::dynamic();
    // What is read from a list of untyped nulls: the null of a type that is not decided.
    let of_any_type = Value::refined(Type::Dynamic, Refinement::null()).expect(FIXED);
    let mut all = vec![untyped.clone(), dynamic.clone(), of_any_type.clone()];
    let parts = [untyped.clone(), dynamic.clone()];
    for items in sequences(&parts, 2) {
        all.push(Value::list_of(Type::Dynamic, items.clone()).expect(FIXED));
        all.extend(narrowings(Value::set_of(Type::Dynamic, items.clone()).expect(FIXED)));
        if !items.is_empty() {
            all.push(Value::tuple(items.clone()).expect(FIXED));
        }
    }
    for map in entries(&["a", "b"], &parts) {
        all.push(Value::map_of(Type::Dynamic, map).expect(FIXED));
    }
    for part in parts.iter().chain([&of_any_type]) {
        all.push(Value::tuple([bools[0].clone(), part.clone()]).expect(FIXED));
        all.push(Value::tuple([part.clone(), bools[0].clone()]).expect(FIXED));
        all.push(Value::object([("a", part.clone())]).expect(FIXED));
    }
    let list = ty("list(any)");
    let of_list = [
        Value::list_of(Type::Dynamic, Vec::<Value>::new()).expect(FIXED),
        Value::list_of(Type::Dynamic, [dynamic.clone()]).expect(FIXED),
        Value::unknown(list.clone()),
        Value::refined(list.clone(), Refinement::not_null()).expect(FIXED),
        Value::refined(list.clone(), Refinement::length(LengthRange::exactly(0)).and_not_null())
            .expect(FIXED),
        Value::null(list.clone()),
    ];
    for items in sequences(&of_list, 2) {
        all.push(Value::list_of(list.clone(), items.clone()).expect(FIXED));
        if items.len() < 2 {
            all.push(Value::tuple(items.clone()).expect(FIXED));
            all.push(Value::set_of(list.clone(), items.clone()).expect(FIXED));
            all.extend(items.first().map(|item| Value::object([("a", item.clone())]).expect(FIXED)));
        }
    }
    let tuple = ty("tuple([any])");
    let of_tuple = [
        Value::tuple([dynamic]).expect(FIXED),
        Value::tuple([untyped]).expect(FIXED),
        Value::unknown(tuple.clone()),
        Value::null(tuple.clone()),
    ];
    for items in sequences(&of_tuple, 2) {
        all.push(Value::list_of(tuple.clone(), items.clone()).expect(FIXED));
    }
    all
}
