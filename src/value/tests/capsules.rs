//! Capsules: types, order, text, sets, views, and what a bad implementation may do.

use std::cmp::Ordering;
use std::collections::HashSet;
use std::mem::size_of;

use crate::{
    Capsule, CapsuleType, Error, Mark, Path, PathSet, Refinement, Result, Safety, Step, Type, TypeConstraint,
    Value, View, conversion, convert, mismatch_message, unify,
};

/// Made of numbers and text, becomes numbers and text.
#[derive(Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
struct Port(u16);

impl Capsule for Port {
    const NAME: &'static str = "port";

    fn conversion_to(ty: &Type) -> Option<fn(&Port, &Type) -> Result<Value>> {
        match ty {
            Type::Number => Some(|port, _| Ok(Value::from(port.0))),
            Type::String => Some(|port, _| match port.0 {
                443 => Ok(Value::from("https")),
                0 => Ok(Value::null(Type::String)),
                1 => Ok(Value::from(1)),
                2 => Ok(Value::unknown(Type::String)),
                other => Err(Error::custom(format!("port {other} has no name"))),
            }),
            _ => None,
        }
    }

    fn conversion_from(ty: &Type) -> Option<fn(&Value) -> Result<Port>> {
        match ty {
            Type::Number => Some(|number| match number.as_number()?.to_u64().map(u16::try_from) {
                Some(Ok(port)) => Ok(Port(port)),
                _ => Err(Error::custom(format!("{number} is no port"))),
            }),
            Type::List(list) if *list.element() == Type::Number => Some(|list| match list.view() {
                View::List(list) => Ok(Port(list.len() as u16)),
                _ => Err(Error::custom("no list")),
            }),
            _ => None,
        }
    }
}

mod other {
    /// Of the same name as the one above, another type.
    #[derive(Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
    pub(super) struct Port(pub(super) u16);

    impl crate::Capsule for Port {
        const NAME: &'static str = "port";
    }
}

#[derive(Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
struct Secret(&'static str);

impl Capsule for Secret {
    const NAME: &'static str = "secret key";
}

fn port(number: u16) -> Value {
    Value::capsule(Port(number))
}

fn to<T: Capsule>() -> TypeConstraint {
    Type::capsule::<T>().into()
}

#[test]
fn a_capsule_type_is_one_word_and_the_value_stays_small() {
    assert_eq!(size_of::<CapsuleType>(), 8);
    assert_eq!(size_of::<Type>(), 16);
    assert_eq!(size_of::<Value>(), 24);
    assert_eq!(size_of::<Option<Value>>(), 24);
    assert_eq!(size_of::<Result<Value>>(), 24);
}

#[test]
fn the_type_is_the_rust_type_in_the_order_of_names() {
    let (port, same_name, secret) =
        (Type::capsule::<Port>(), Type::capsule::<other::Port>(), Type::capsule::<Secret>());
    assert_eq!(port, Type::capsule::<Port>());
    assert_ne!(port, same_name);
    assert_ne!(port.cmp(&same_name), Ordering::Equal);
    assert_eq!(port.cmp(&same_name), same_name.cmp(&port).reverse());
    assert!(port < secret && same_name < secret && Type::object([("a", Type::Bool)]).unwrap() < port);
    assert!(CapsuleType::of::<Port>().is::<Port>() && !CapsuleType::of::<Port>().is::<other::Port>());
    assert_eq!(HashSet::from([port.clone(), same_name, port.clone()]).len(), 2);
    assert_eq!((port.depth(), port.has_dynamic(), port.is_primitive()), (0, false, false));
    assert!(Type::Dynamic.covers(&port) && port.compatible(&Type::Dynamic) && !port.covers(&secret));
}

#[test]
fn a_capsule_type_is_written_and_not_read() {
    let ty = Type::list(Type::capsule::<Secret>()).unwrap();
    assert_eq!(ty.to_string(), r#"list(capsule("secret key"))"#);
    assert_eq!(ty.friendly_name(), "list of secret key");
    assert_eq!(TypeConstraint::from(&ty).to_string(), ty.to_string());
    let error = ty.to_string().parse::<Type>().unwrap_err();
    assert!(error.is_syntax());
    assert_eq!(error.message(), "a capsule type cannot be read from text, but there is one at column 6");
    assert!(ty.to_string().parse::<TypeConstraint>().unwrap_err().is_syntax());
    let error = ty.to_json_text().unwrap_err();
    assert_eq!(error.message(), "type not allowed: secret key");
    assert!(error.is_type_mismatch());
    assert!(TypeConstraint::from(ty).to_json_text().is_err());
}

#[test]
fn no_text_of_a_value_shows_the_content() {
    let value = Value::capsule(Secret("hunter2"));
    let list = Value::list([value.clone()]).unwrap();
    assert_eq!(
        format!("{value} {value:?} {list:#?}"),
        r#"(secret key) capsule("secret key") list[capsule("secret key")]"#
    );
    let View::Capsule(view) = value.view() else { panic!("{value:?}") };
    assert_eq!(format!("{view:?} {:?}", value.view()), "Capsule(secret key) Capsule(secret key)");
    // Who asks for it gets it.
    assert_eq!(format!("{:?}", view.as_debug()), r#"Secret("hunter2")"#);
    assert_eq!(view.get::<Secret>(), Some(&Secret("hunter2")));
    assert_eq!(view.get::<Port>(), None);
}

#[test]
fn a_capsule_is_read_as_its_rust_type() {
    let https = port(443);
    assert_eq!(https.as_capsule::<Port>().unwrap(), &Port(443));
    assert!(https.as_capsule::<other::Port>().unwrap_err().is_type_mismatch());
    assert!(https.clone().mark(Mark::SENSITIVE).as_capsule::<Port>().unwrap_err().is_marked());
    assert!(Value::null(https.ty()).as_capsule::<Port>().unwrap_err().is_null());
    assert!(Value::unknown(https.ty()).as_capsule::<Port>().unwrap_err().is_unknown());
    assert!(https.as_str().unwrap_err().is_type_mismatch());
    assert!(https.length().unwrap_err().is_type_mismatch());
    assert!(Value::null(https.ty()).length().unwrap_err().is_type_mismatch());
}

#[test]
fn capsules_are_ordered_among_themselves_and_after_all_else_but_null() {
    assert_eq!(port(1), port(1));
    assert!(port(1) < port(2) && Value::tuple([1]).unwrap() < port(0));
    assert!(port(9) < Value::null(Type::capsule::<Port>()));
    assert!(port(9) < Value::capsule(Secret("a")));
    let members = [
        port(2),
        Value::unknown(Type::capsule::<Port>()),
        port(1),
        Value::null(Type::capsule::<Port>()),
        port(2),
    ];
    let set = Value::set(members).unwrap();
    assert_eq!(
        format!("{:?}", set.view()),
        r#"set[capsule("port"), capsule("port"), unknown(capsule("port")), null(capsule("port"))].length(3, 4)"#
    );
    let View::Set(set) = set.view() else { panic!("{set:?}") };
    assert_eq!(set.known(), [port(1), port(2), Value::null(Type::capsule::<Port>())]);
    assert_eq!(HashSet::from([port(1), port(1), port(2)]).len(), 2);
}

#[test]
fn only_whether_it_is_null_is_known_of_an_unknown_capsule() {
    let ty = Type::capsule::<Port>();
    let unknown = Value::refined(ty.clone(), Refinement::not_null()).unwrap();
    assert!(unknown.range().is_not_null() && !unknown.is_known());
    assert_eq!(Value::refined(ty.clone(), Refinement::null()).unwrap(), Value::null(ty.clone()));
    assert!(Value::refined(ty.clone(), Refinement::prefix("a")).unwrap_err().is_type_mismatch());
    assert!(
        Value::unknown(ty.clone()).assume(&Refinement::number_at_least(1)).unwrap_err().is_type_mismatch()
    );
    assert_eq!(Value::unknown(ty.clone()).assume_not_null().unwrap(), unknown);
    assert_eq!(unknown.equals(&Value::null(ty)).unwrap(), Value::from(false));
    assert!(!unknown.equals(&port(1)).unwrap().is_known());
    assert_eq!(unknown.equals(&Value::from(1)).unwrap(), Value::from(false));
    assert_eq!(port(1).equals(&port(1)).unwrap(), Value::from(true));
    assert_eq!(port(1).equals(&Value::capsule(other::Port(1))).unwrap(), Value::from(false));
}

#[test]
fn conversions_are_asked_of_the_wanted_type_then_of_the_given_one() {
    assert_eq!(convert(&Value::from(80), &to::<Port>()).unwrap(), port(80));
    assert_eq!(convert(&port(80), &Type::Number.into()).unwrap(), Value::from(80));
    assert_eq!(convert(&port(443), &Type::String.into()).unwrap(), Value::from("https"));
    let list = convert(&Value::list([80, 81]).unwrap(), &"list(any)".parse().unwrap()).unwrap();
    let ports = TypeConstraint::list(to::<Port>()).unwrap();
    assert_eq!(convert(&list, &ports).unwrap(), Value::list([port(80), port(81)]).unwrap());
    assert_eq!(conversion(&Type::Number, &to::<Port>()), Some(Safety::Unsafe));
    assert_eq!(conversion(&Type::capsule::<Port>(), &Type::Number.into()), Some(Safety::Unsafe));
    assert_eq!(conversion(&Type::capsule::<Port>(), &to::<Port>()), Some(Safety::Safe));
    assert_eq!(conversion(&Type::capsule::<Port>(), &TypeConstraint::ANY), Some(Safety::Safe));
    assert_eq!(conversion(&Type::Bool, &to::<Port>()), None);
    assert_eq!(conversion(&Type::Dynamic, &to::<Port>()), Some(Safety::Unsafe));
    let error = convert(&Value::from("x"), &to::<Port>()).unwrap_err();
    assert_eq!(error.message(), "port required, but have string");
    assert_eq!(mismatch_message(&Type::list(Type::Bool).unwrap(), &to::<Port>()), "port required");
    assert_eq!(
        mismatch_message(&Type::capsule::<Secret>(), &Type::Bool.into()),
        "bool required, but have secret key"
    );
    let types = [Type::capsule::<Port>(), Type::Number];
    assert_eq!(unify(&types, Safety::Safe), None);
    assert_eq!(unify(&types, Safety::Unsafe), Some(Type::Number));
    assert_eq!(unify(&[Type::capsule::<Port>(), Type::Dynamic], Safety::Safe), Some(Type::Dynamic));
}

/// Else nothing could be said of a text beside an unknown: it might be a capsule that is made of texts.
#[test]
fn the_common_type_of_several_is_a_capsule_only_where_all_are() {
    let ty = Type::capsule::<Port>;
    assert_eq!(unify(&[Type::Number, ty()], Safety::Unsafe), Some(Type::Number));
    assert_eq!(unify(&[ty(), Type::Number], Safety::Unsafe), Some(Type::Number));
    assert_eq!(unify(&[ty(), ty()], Safety::Unsafe), Some(ty()));
    let map = Type::map(Type::Number).unwrap();
    let object = Type::object([("a", ty()), ("b", Type::list(Type::Bool).unwrap())]).unwrap();
    assert_eq!(unify(&[map, object], Safety::Unsafe), None);
    let pair = Value::tuple([port(80), Value::from(1)]).unwrap();
    assert_eq!(convert(&pair, &"list(any)".parse().unwrap()).unwrap(), Value::list([80, 1]).unwrap());
}

#[test]
fn what_a_conversion_of_the_callers_gives_is_checked() {
    let message = |number| convert(&port(number), &Type::String.into()).unwrap_err().to_string();
    assert_eq!(message(0), "conversion of port gave null");
    assert_eq!(message(1), "conversion of port gave number, but string is required");
    assert_eq!(message(2), "conversion of port gave a value that is not wholly known");
    assert_eq!(message(3), "port 3 has no name");
    assert!(convert(&port(3), &Type::String.into()).unwrap_err().is_custom());
    let error =
        convert(&Value::list([-1]).unwrap(), &TypeConstraint::list(to::<Port>()).unwrap()).unwrap_err();
    assert_eq!(error.to_string(), "[0]: -1 is no port");
}

#[test]
fn unknowns_keep_whether_they_are_null_where_a_conversion_does() {
    let number = Value::refined(Type::Number, Refinement::not_null()).unwrap();
    let not_null = Value::refined(Type::capsule::<Port>(), Refinement::not_null()).unwrap();
    assert_eq!(convert(&number, &to::<Port>()).unwrap(), not_null);
    assert_eq!(convert(&Value::unknown(Type::Number), &to::<Port>()).unwrap(), Value::unknown(not_null.ty()));
    let text = Value::refined(Type::String, Refinement::not_null()).unwrap();
    assert_eq!(convert(&not_null, &Type::String.into()).unwrap(), text);
    assert_eq!(convert(&Value::null(Type::Number), &to::<Port>()).unwrap(), Value::null(not_null.ty()));
    assert_eq!(convert(&Value::dynamic(), &to::<Port>()).unwrap(), Value::unknown(not_null.ty()));
    let part = Value::list([Value::unknown(Type::Number)]).unwrap();
    assert_eq!(convert(&part, &to::<Port>()).unwrap(), not_null);
    // A type that is yet to be decided may turn out one that converts.
    let open = Value::list([Value::dynamic()]).unwrap();
    assert_eq!(convert(&open, &to::<Port>()).unwrap(), not_null);
    let other = Value::list([Value::unknown(Type::Bool)]).unwrap();
    assert!(convert(&other, &to::<Port>()).unwrap_err().is_type_mismatch());
    assert!(convert(&Value::unknown(Type::Bool), &to::<Port>()).unwrap_err().is_type_mismatch());
}

#[test]
fn marks_of_what_a_capsule_is_made_of_are_on_it_and_nothing_of_it_is_in_an_error() {
    let mark = Mark::SENSITIVE;
    let list = Value::list([Value::from(8), Value::from(9).mark(mark.clone())]).unwrap();
    assert_eq!(convert(&list, &to::<Port>()).unwrap(), port(2).mark(mark.clone()));
    let secret = Value::from(-731_529).mark(mark.clone());
    let error = convert(&secret, &to::<Port>()).unwrap_err();
    assert!(error.is_custom() && !error.to_string().contains("731529"), "{error}");
    let inside = Value::tuple([Value::list([-731_529]).unwrap().mark(mark.clone())]).unwrap();
    let constraint = TypeConstraint::tuple([TypeConstraint::list(to::<Port>()).unwrap()]).unwrap();
    let error = convert(&inside, &constraint).unwrap_err();
    assert!(error.is_custom() && !error.to_string().contains("731529"), "{error}");
    assert_eq!(error.path(), &Path::new().index(0));
    let error = convert(&port(31_529).mark(mark), &Type::String.into()).unwrap_err();
    assert!(error.is_custom() && !error.to_string().contains("31529"), "{error}");
}

/// Neither an order nor a hash worth the name.
#[derive(Debug)]
struct Wild(u64);

impl PartialEq for Wild {
    fn eq(&self, _: &Wild) -> bool {
        false
    }
}

impl Eq for Wild {}

impl PartialOrd for Wild {
    fn partial_cmp(&self, other: &Wild) -> Option<Ordering> {
        Some(self.cmp(other))
    }
}

impl Ord for Wild {
    fn cmp(&self, other: &Wild) -> Ordering {
        match self.0.wrapping_mul(31).wrapping_add(other.0.wrapping_mul(17)) % 7 {
            0..=2 => Ordering::Less,
            3 => Ordering::Equal,
            _ => Ordering::Greater,
        }
    }
}

impl std::hash::Hash for Wild {
    fn hash<H: std::hash::Hasher>(&self, state: &mut H) {
        state.write_u64(self.0);
    }
}

impl Capsule for Wild {
    const NAME: &'static str = "wild";
}

#[test]
fn a_capsule_without_an_order_hangs_and_breaks_nothing() {
    let mut state = 1_u64;
    let mut next = || {
        state = state.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        Value::capsule(Wild(state >> 40))
    };
    let wild: Vec<Value> = (0..2000).map(|_| next()).collect();
    let wrapped: Vec<Value> = wild.iter().map(|member| Value::tuple([member.clone()]).unwrap()).collect();
    for members in [wild, wrapped] {
        let set = Value::set(members.clone()).unwrap();
        let ty = members[0].ty();
        let unknown = Value::unknown(ty.clone());
        let partial = Value::set(members.iter().cloned().chain(vec![unknown.clone(); 40])).unwrap();
        let _ = (set == partial, set.cmp(&partial), set.equals(&partial), partial.equals(&partial));
        let _ = (set.length(), set.parts().count(), convert(&set, &TypeConstraint::list(ty).unwrap()));
        let _: PathSet =
            members.iter().map(|member| Path::from(&[Step::Index(member.clone())][..])).collect();
        let places: Vec<_> = set.parts().map(|(path, _)| (path, Mark::SENSITIVE.into())).collect();
        let _ = set.mark_with_paths(&places);
        let _: HashSet<Value> = members.into_iter().collect();
    }
}

#[test]
fn a_panic_of_a_capsule_reaches_the_caller() {
    #[derive(Debug, PartialEq, Eq, Hash)]
    struct Bomb;

    impl PartialOrd for Bomb {
        fn partial_cmp(&self, other: &Bomb) -> Option<Ordering> {
            Some(self.cmp(other))
        }
    }

    impl Ord for Bomb {
        fn cmp(&self, _: &Bomb) -> Ordering {
            panic!("boom")
        }
    }

    impl Capsule for Bomb {
        const NAME: &'static str = "bomb";
    }

    let compared = std::panic::catch_unwind(|| Value::capsule(Bomb) == Value::capsule(Bomb));
    assert_eq!(compared.unwrap_err().downcast_ref(), Some(&"boom"));
}
