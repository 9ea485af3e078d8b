//! MessagePack: what is written and read again may become all that it was.

use crate::checks::wire;
use crate::{law, pairs};

#[test]
fn what_is_written_and_read_again_may_become_all_that_it_was() {
    law(512, &pairs(), |pair| wire::round_trip(&pair));
}
