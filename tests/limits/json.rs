//! JSON at the limits.
#![cfg(feature = "json")]

use plantime::json::{self, lenient};
use plantime::{Type, Value, limits};

use super::{WRAPS, deepest, on_small_stack};

#[test]
fn the_deepest_json_fits_a_small_stack() {
    for wrap in WRAPS {
        on_small_stack(move || {
            let value = deepest(&Value::from("x"), wrap);
            let ty = value.ty();
            let text = json::to_vec(&value).unwrap();
            assert_eq!(json::from_slice_as(&text, &ty).unwrap(), value);
            assert_eq!(lenient::from_slice_as(&text, &ty).unwrap(), value);
            assert_eq!(json::from_slice(&text).unwrap().ty(), json::implied_type(&text).unwrap());
            // One level more than may be read: the wrapper.
            let open = json::to_vec_as(&value, &Type::Dynamic).unwrap();
            assert!(json::from_slice_as(&open, &Type::Dynamic).unwrap_err().is_limit());
            let text = ty.to_json_text().unwrap();
            assert_eq!(Type::from_json_text(&text).unwrap(), ty);
            assert!(json::to_writer(std::io::sink(), &value).is_ok());
        });
    }
}

#[test]
fn contents_with_types_of_their_own_fit_a_small_stack() {
    for of in ["list", "set", "map"] {
        on_small_stack(move || {
            let levels = limits::DEPTH / 2 - 2;
            let open = |inner: &str| match of {
                "map" => format!(r#"{{"k":{inner}}}"#),
                _ => format!("[{inner}]"),
            };
            let mut text = "null".to_owned();
            for _ in 0..levels {
                text = format!(r#"{{"value":{},"type":["{of}","dynamic"]}}"#, open(&text));
            }
            let value = json::from_slice_as(text.as_bytes(), &Type::Dynamic).unwrap();
            assert!(value.is_known());
            let deeper = r#"{"value":["#.repeat(limits::DEPTH)
                + &r#"],"type":["list","dynamic"]}"#.repeat(limits::DEPTH);
            assert!(json::from_slice_as(deeper.as_bytes(), &Type::Dynamic).unwrap_err().is_limit());
            let unfinished = r#"{"value":["#.repeat(100_000);
            assert!(json::from_slice_as(unfinished.as_bytes(), &Type::Dynamic).unwrap_err().is_syntax());
        });
    }
}
