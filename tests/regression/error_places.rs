//! The place of what is wrong is data: the path leads to the innermost part, and no part is blamed for what concerns the
//! whole.

use plantime::{Mark, Path, Type, TypeConstraint, Value, convert, mismatch_message, value};

fn path(text: &str) -> Path {
    text.parse().unwrap()
}

/// The path was empty and the types were those of the whole, so nobody could point at the part.
#[test]
fn a_conversion_that_the_types_rule_out_fails_at_the_innermost_part() {
    let rows = [
        (
            value!([{"a": "x"}, {"a": [1]}]),
            "list(object({a = string}))",
            "[1].a",
            "string required, but have tuple",
        ),
        (
            value!({"a": {"b": [true]}}),
            "object({a = map(number)})",
            "a[\"b\"]",
            "number required, but have tuple",
        ),
        (
            value!({"a": {}}),
            "object({a = object({b = any, c = string})})",
            "a",
            "attributes \"b\" and \"c\" are required",
        ),
        (
            value!({"l": [1, [2]]}),
            "object({l = list(any)})",
            "l",
            "all list elements must have the same type",
        ),
        (value!([1, 2]), "tuple([number])", "", "tuple required"),
        (value!(true), "list(bool)", "", "list of bool required, but have bool"),
    ];
    for (value, target, place, message) in rows {
        let (value, target) = (value.unwrap(), target.parse::<TypeConstraint>().unwrap());
        let error = convert(&value, &target).unwrap_err();
        assert_eq!((error.path(), error.message()), (&path(place), message), "{value:?} to {target}");
        assert!(error.is_type_mismatch());
        // The key of a map, where an attribute of an object is given, is no step into the object.
        if let Ok(found) = value.get(&path(place)) {
            assert_eq!(error.found(), Some(&found.ty()), "{value:?} to {target}");
        }
        assert!(mismatch_message(&value.ty(), &target).ends_with(message), "the same in one sentence");
    }
    // The element types alone are at fault, so any element is the place.
    let lists = Value::list([Value::list([true]).unwrap()]).unwrap();
    let error = convert(&lists, &"list(string)".parse().unwrap()).unwrap_err();
    assert_eq!(error.to_string(), "[*]: string required, but have list of bool");
    assert_eq!(error.expected(), Some(&Type::String));
}

/// A key below a mark stood in the path.
#[test]
fn a_conversion_names_no_step_below_a_mark() {
    let map = |inner: &str| Value::map([("TOPSECRET", inner)]).unwrap().mark(Mark::SENSITIVE);
    let object = Value::object([("o", map("x"))]).unwrap();
    let error = convert(&object, &"object({o = map(number)})".parse().unwrap()).unwrap_err();
    assert_eq!(error.to_string(), "o: a number is required");
    let inner = Value::object([("TOPSECRET", value!([1]).unwrap())]).unwrap().mark(Mark::SENSITIVE);
    let object = Value::object([("o", inner)]).unwrap();
    let error = convert(&object, &"object({o = map(number)})".parse().unwrap()).unwrap_err();
    assert_eq!(error.to_string(), "o: number required, but have tuple");
    // The place in a tuple and the attribute that is asked for are of the types.
    let pair = Value::tuple([Value::from(1), value!({"a": [true]}).unwrap()]).unwrap().mark(Mark::SENSITIVE);
    let error = convert(&pair, &"list(object({a = string}))".parse().unwrap()).unwrap_err();
    assert_eq!(error.to_string(), "[0]: object required, but have number");
    let texts = Value::tuple([Value::from("1"), Value::map([("TOPSECRET", "x")]).unwrap()]).unwrap();
    let error =
        convert(&texts.mark(Mark::SENSITIVE), &"tuple([number, map(number)])".parse().unwrap()).unwrap_err();
    assert_eq!(error.to_string(), "[1]: a number is required");
    let unmarked = Value::object([("shown", "x")]).unwrap();
    let error = convert(&unmarked, &"map(number)".parse().unwrap()).unwrap_err();
    assert_eq!(error.to_string(), "[\"shown\"]: a number is required");
}

/// Of forty attributes nobody knew which one differs.
#[test]
fn an_assumption_that_is_not_upheld_names_the_part_that_differs() {
    let inner = || Value::object([("x", "y")]).unwrap();
    let wide = Value::object((0..40).map(|i| (format!("a{i:02}"), inner()))).unwrap();
    let change = |place: &str, new: Value| {
        let place = path(place);
        wide.transform(|path, part| Ok(if *path == place { new.clone() } else { part })).unwrap()
    };
    let error = wide.assume_equal(&change("a17.x", "no".into())).unwrap_err();
    assert!(error.is_contradiction());
    assert_eq!(error.to_string(), "a17.x: the actual value does not match the assumed value");
    // An unknown part may still be equal, so it is not the one.
    let unknown = change("a03.x", Value::unknown(Type::String));
    let error = unknown.assume_equal(&change("a17.x", "no".into())).unwrap_err();
    assert_eq!(error.path(), &path("a17.x"));
    // What is converted first fails where it does not convert.
    let error = value!({"n": ["1", "x"]}).unwrap().assume_equal(&value!({"n": [1, 2]}).unwrap()).unwrap_err();
    assert_eq!(error.path(), &path("n[1]"));
    // Collections of another length differ as a whole, and so do sets.
    let error = Value::list([1]).unwrap().assume_equal(&Value::list([1, 2]).unwrap()).unwrap_err();
    assert_eq!(error.path(), &Path::new());
    let sets =
        [["a", "b"], ["a", "c"]].map(|members| Value::object([("s", Value::set(members).unwrap())]).unwrap());
    assert_eq!(sets[0].assume_equal(&sets[1]).unwrap_err().path(), &path("s"));
}

#[test]
fn an_assumption_that_is_not_upheld_names_no_step_below_a_mark() {
    let secret = |key: &str| Value::map([("TOPSECRET", key)]).unwrap();
    let actual = Value::object([("o", secret("a").mark(Mark::SENSITIVE))]).unwrap();
    let assumed = Value::object([("o", secret("b"))]).unwrap();
    // Nor the place of the mark: which part differs first may be up to what stands behind it.
    assert!(actual.assume_equal(&assumed).unwrap_err().path().is_empty());
    assert!(assumed.assume_equal(&actual).unwrap_err().path().is_empty());
    // Also where the assumed type is not decided.
    let open = |b: i32| {
        let parts = [("a", Value::from(1)), ("b", Value::from(b)), ("x", Value::dynamic())];
        Value::object(parts).unwrap()
    };
    let known = Value::object([("a", Value::from(1)), ("b", Value::from(2)), ("x", "s".into())]).unwrap();
    assert_eq!(known.assume_equal(&open(3)).unwrap_err().path(), &path("b"));
    assert!(known.mark(Mark::SENSITIVE).assume_equal(&open(3)).unwrap_err().path().is_empty());
}

/// The error of the writer became text only, and the part that was being written was blamed.
#[cfg(feature = "json")]
#[test]
fn a_writer_that_fails_is_the_source_and_no_part_is_blamed() {
    use std::error::Error as _;
    struct Full;
    impl std::io::Write for Full {
        fn write(&mut self, _: &[u8]) -> std::io::Result<usize> {
            Err(std::io::Error::new(std::io::ErrorKind::StorageFull, "the disk is full"))
        }
        fn flush(&mut self) -> std::io::Result<()> {
            Ok(())
        }
    }
    let row = Value::list(vec!["x".repeat(100); 3000]).unwrap();
    let nested = Value::list([Value::list([row.clone()]).unwrap(), Value::list([row]).unwrap()]).unwrap();
    let check = |error: plantime::Error| {
        assert!(error.is_io() && error.path().is_empty(), "{error}");
        let source = error.source().and_then(|source| source.downcast_ref::<std::io::Error>());
        assert_eq!(source.map(std::io::Error::kind), Some(std::io::ErrorKind::StorageFull));
    };
    check(plantime::json::to_writer(Full, &nested).unwrap_err());
    #[cfg(feature = "msgpack")]
    check(plantime::msgpack::to_writer(Full, &nested, &nested.ty()).unwrap_err());
}
