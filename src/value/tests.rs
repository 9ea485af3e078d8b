use std::mem::size_of;

use super::*;
use crate::{Error, Path};

#[test]
fn sizes_are_pinned() {
    assert_eq!(size_of::<Value>(), 24);
    assert_eq!(size_of::<Option<Value>>(), 24);
    assert_eq!(size_of::<Result<Value, Error>>(), 24);
    assert_eq!(size_of::<Error>(), 8);
    assert_eq!(size_of::<Known>(), 24);
    assert_eq!(size_of::<Partial>(), 16);
    assert_eq!(size_of::<Unknown>(), 16);
    assert_eq!(size_of::<Refined>(), 8);
    assert_eq!(size_of::<Dynamic>(), 8);
}

#[test]
fn everything_public_is_send_and_sync() {
    fn is<T: Send + Sync>() {}
    is::<Value>();
    is::<Type>();
    is::<Refinement>();
    is::<Error>();
    is::<Path>();
    is::<Marks>();
    is::<ValueRange>();
    is::<View<'_>>();
}
