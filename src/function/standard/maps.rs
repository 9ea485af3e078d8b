//! Maps and objects: keys, values, and maps made of them.
//!
//! | function | what is kept of what is unknown |
//! |---|---|
//! | `keys` | all of a map or object that is partly known, those of an unknown object; else how many |
//! | `values` | as `keys` |
//! | `zipmap` | the elements where the keys are known; else how many keys there can be |

mod keys;
mod zipmap;

use super::Standard;

pub(super) fn add_to(all: &mut Vec<Standard>) {
    keys::add_to(all);
    zipmap::add_to(all);
}
