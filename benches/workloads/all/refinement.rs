//! Unknown values that are refined and then asked.

use plantime::{Bound, LengthRange, Number, NumberRange, Refinement, Type, Value};

use super::work::Work;

pub fn refine_string(n: usize) -> Work {
    let (empty, null) = (Value::from(""), Value::null(Type::String));
    Work::each(n, move |_| {
        let value = Value::refined(Type::String, Refinement::prefix("vpc-").and_not_null());
        let value = value.expect("a text can start so");
        let is_empty = value.equals(&empty).expect("two texts");
        (is_empty, value.equals(&null).expect("a text and a null"))
    })
}

pub fn refine_number(n: usize) -> Work {
    let most = Value::from(20);
    Work::each(n, move |_| {
        let [from, to] = [1, 10].map(|end| Bound::Inclusive(Number::from(end)));
        let range = NumberRange::new(from, to).expect("the ends are in order");
        let value = Value::refined(Type::Number, Refinement::number(range).and_not_null());
        value.expect("a number can be so").less_than(&most).expect("two numbers")
    })
}

pub fn refine_len(n: usize) -> Work {
    let ty = Type::list(Type::String).expect("a list type");
    Work::each(n, move |_| {
        let length = LengthRange::new(1, Some(8)).expect("the ends are in order");
        let value = Value::refined(ty.clone(), Refinement::length(length).and_not_null());
        value.expect("a list can be so").length().expect("a list")
    })
}
