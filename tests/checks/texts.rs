//! Everything that reads text gives an answer, and what is read, is written so that it reads as the same.

use std::fmt::{Debug, Display};
use std::str::FromStr;

use plantime::rule::PathExpr;
use plantime::sample::Sampler;
use plantime::{Error, Number, Path, Refinement, Rounding, Type, TypeConstraint, Value};

use super::laws;

/// Text that reads as something, written, reads as the same.
#[track_caller]
fn round_trip<T: FromStr<Err = Error> + Display + Debug + PartialEq>(value: &T) {
    let text = value.to_string();
    match text.parse::<T>() {
        Ok(read) => assert_eq!(read, *value, "{text:?}"),
        Err(error) => panic!("{text:?} does not read: {error}"),
    }
}

/// What reads is written and read again; an error has words.
#[track_caller]
fn read<T: FromStr<Err = Error> + Display + Debug + PartialEq>(text: &str) -> Option<T> {
    match text.parse::<T>() {
        Ok(value) => {
            round_trip(&value);
            Some(value)
        }
        Err(error) => {
            assert!(
                !error.message().is_empty()
                    && (error.is_syntax()
                        || error.is_limit()
                        || error.is_contradiction()
                        || error.is_type_mismatch()),
                "{text:?}: {error:?}"
            );
            None
        }
    }
}

pub fn number(text: &str) {
    if let Some(number) = read::<Number>(text) {
        arithmetic(&number, &Number::from(3));
    }
    read::<Refinement>(text);
}

pub fn ty(text: &str) {
    if let Some(ty) = read::<Type>(text) {
        types(&ty);
    }
    if let Some(constraint) = read::<TypeConstraint>(text) {
        constraints(&constraint);
    }
    if let Ok(ty) = Type::from_json_text(text) {
        types(&ty);
    }
    if let Ok(constraint) = TypeConstraint::from_json_text(text) {
        let again = TypeConstraint::from_json_text(&constraint.to_json_text().unwrap());
        assert_eq!(again.ok(), Some(constraint));
    }
}

#[track_caller]
pub fn types(ty: &Type) {
    match ty.to_json_text() {
        Ok(text) => {
            round_trip(ty);
            assert_eq!(Type::from_json_text(&text).ok().as_ref(), Some(ty), "{text}");
        }
        Err(_) => is_of_capsules(&ty.to_string(), ty.to_string().parse::<Type>().err()),
    }
    assert!(ty.covers(ty) && ty.compatible(ty));
    assert!(ty.conformance_errors(ty).is_empty());
    assert!(!ty.friendly_name().is_empty() && !ty.friendly_name_for_constraint().is_empty());
}

#[track_caller]
pub fn constraints(constraint: &TypeConstraint) {
    match constraint.to_json_text() {
        Ok(_) => round_trip(constraint),
        Err(_) => {
            is_of_capsules(&constraint.to_string(), constraint.to_string().parse::<TypeConstraint>().err());
        }
    }
    assert!(!constraint.friendly_name().is_empty());
}

/// The type of a capsule is written and not read.
#[track_caller]
fn is_of_capsules(text: &str, error: Option<Error>) {
    assert!(text.contains(r#"capsule("token")"#) && error.is_some(), "{text}: {error:?}");
}

pub fn path(text: &str) {
    if let Some(path) = read::<Path>(text) {
        paths(&path);
    }
    if let Some(path) = read::<PathExpr>(text) {
        let value = Value::object([("a", Value::dynamic()), ("b", Value::from(1))]).unwrap();
        // An answer, whatever it is.
        let (_, _) = (path.matches(&value).is_ok(), path.types(&value.ty()).is_ok());
    }
}

#[track_caller]
pub fn paths(path: &Path) {
    round_trip(path);
    let places = [(path.clone(), plantime::Mark::SENSITIVE.into())];
    for value in [Value::dynamic(), Value::from(1), Value::list([1, 2]).unwrap()] {
        let _ = value.get(path).is_ok();
        assert_eq!(value.mark_with_paths(&places).unmark_deep().0, value);
    }
    assert!(path.starts_with(path) && path.starts_with(&Path::new()));
}

/// Arithmetic on exact numbers is exact; where it is not, the limit says so.
#[track_caller]
pub fn arithmetic(a: &Number, b: &Number) {
    round_trip(a);
    laws::ordered(a, b);
    assert_eq!(a.negate().negate(), *a);
    assert!(!a.absolute().is_negative());
    assert_eq!(a.add(b).ok(), b.add(a).ok());
    assert_eq!(a.multiply(b).ok(), b.multiply(a).ok());
    let finite = a.is_finite() && b.is_finite();
    if let (Ok(sum), true) = (a.add(b), finite) {
        assert_eq!(sum.subtract(b).ok().as_ref(), Some(a), "{a} + {b}");
        assert_eq!(sum.cmp(a), b.cmp(&Number::ZERO), "{a} + {b}");
    }
    if let (Ok(product), true) = (a.multiply(b), finite) {
        assert_eq!(product.signum(), a.signum() * b.signum(), "{a} * {b}");
        if let (false, Ok(quotient)) = (b.is_zero(), product.divide(b)) {
            // Exact where the quotient has few digits.
            assert!(quotient == *a || a.to_string().len() > 150, "{a} * {b} / {b} = {quotient}");
        }
    }
    if let (Ok(rest), true) = (a.modulo(b), finite) {
        assert!(rest.absolute() < b.absolute() || b.is_zero(), "{a} % {b} = {rest}");
        assert!(rest.is_zero() || rest.signum() == a.signum(), "{a} % {b} = {rest}");
    }
    if a.is_finite() {
        let (floor, ceil, trunc) = (a.floor(), a.ceil(), a.trunc());
        assert!(floor <= *a && *a <= ceil && floor.is_integer() && ceil.is_integer() && trunc.is_integer());
        assert!(floor == *a || floor.add(&Number::from(1)).map_or(true, |up| up == ceil), "{a}");
        assert_eq!(a.is_integer(), floor == ceil);
        if let Ok(rounded) = a.round(2, Rounding::HalfEven) {
            assert!(
                rounded.subtract(a).map_or(true, |gap| gap.absolute() <= "0.005".parse().unwrap()),
                "{a}"
            );
        }
    }
    if let Some(whole) = a.to_i64() {
        assert_eq!(Number::from(whole), *a);
    }
    let _ = a.to_f64();
}

/// Random numbers, types, constraints and paths, in place of texts.
pub fn any(sampler: &mut Sampler<'_>) {
    arithmetic(&sampler.number(), &sampler.number());
    types(&sampler.ty(true));
    constraints(&sampler.constraint());
    paths(&sampler.path());
    round_trip(&sampler.refinement());
}
