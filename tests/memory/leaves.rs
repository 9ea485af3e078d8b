//! How much a document takes that was read with its type.

use plantime::{Type, json, msgpack};

use crate::document::{TYPE, leaves, plan};
use crate::{alone, measured};

const N: usize = 400;

#[test]
fn a_leaf_of_json_takes_at_most_64_bytes_and_half_of_what_serde_json_takes() {
    let _alone = alone();
    let ty: Type = TYPE.parse().unwrap();
    let text = json::to_vec_as(&plan(N, 0), &ty).unwrap();
    let (value, live, peak) = measured(|| json::from_slice_as(&text, &ty).unwrap());
    let (theirs, their_live, their_peak) =
        measured(|| serde_json::from_slice::<serde_json::Value>(&text).unwrap());
    println!("{live} bytes, at most {peak}; serde_json::Value {their_live}, at most {their_peak}");
    assert!(value.is_wholly_known() && theirs.is_object());
    assert!(live <= 64 * leaves(N), "{live} bytes for {} leaves", leaves(N));
    assert!(2 * live <= their_live && 2 * peak <= their_peak);
}

/// The resources are of few types, which are there once.
#[test]
fn a_type_that_is_implied_is_small() {
    let _alone = alone();
    let text = json::to_vec(&plan(N, 0)).unwrap();
    let (ty, live, peak) = measured(|| json::implied_type(&text).unwrap());
    println!("{live} bytes, at most {peak}");
    assert_eq!(ty, json::from_slice(&text).unwrap().ty());
    assert!(live <= 2 * leaves(N) && peak <= 4 * leaves(N), "{live}, {peak} for {} leaves", leaves(N));
}

#[test]
fn a_leaf_of_messagepack_takes_at_most_64_bytes_and_half_of_what_rmpv_takes() {
    let _alone = alone();
    let ty: Type = TYPE.parse().unwrap();
    for unknown in [0, 15] {
        let bytes = msgpack::to_vec(&plan(N, unknown), &ty).unwrap();
        let (value, live, peak) = measured(|| msgpack::from_slice(&bytes, &ty).unwrap());
        let (theirs, their_live, their_peak) =
            measured(|| rmpv::decode::read_value(&mut bytes.as_slice()).unwrap());
        println!("{unknown}: {live} bytes, at most {peak}; rmpv::Value {their_live}, at most {their_peak}");
        assert!(value.is_wholly_known() == (unknown == 0) && theirs.is_map());
        assert!(live <= 64 * leaves(N), "{live} bytes for {} leaves", leaves(N));
        assert!(2 * live <= their_live && 2 * peak <= their_peak);
    }
}
