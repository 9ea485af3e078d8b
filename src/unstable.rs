//! What the crates of this project share beyond the public interface. It may change with any version: they are pinned to one.

/// The kind of an error.
pub mod error {
    pub use crate::error::Kind;
}

/// The digests of the standard functions, and what calls cost.
#[cfg(feature = "functions")]
pub mod function {
    pub use crate::function::standard::DIGESTS;

    /// The steps that calls are charged for their work.
    pub mod work {
        pub use crate::function::work::{of, take};
    }
}

/// JSON: the reader, and what it implies.
#[cfg(feature = "json")]
pub mod json {
    pub use crate::json::bridge::{lossless, lossless_or_text};
    pub use crate::json::canonical::CanonicalWriter;
    pub use crate::json::implied::value as implied;
    pub use crate::json::number::number;
    pub use crate::json::reader::{Reader, ReaderPosition, Token};
    pub use crate::json::string::Str;
}

/// The note of the marks on answers that tell whether something succeeds.
pub mod mark {
    pub use crate::mark::NOTE_OF_SUCCESS;
}

/// Values in MessagePack without a type.
#[cfg(feature = "msgpack")]
pub mod msgpack {
    pub use crate::msgpack::decode::read_untyped as from_slice_untyped;
    pub use crate::msgpack::reader::count_parts;
}

/// Answers that may be open.
pub mod ops {
    /// Logic on answers of which `None` is open.
    pub mod three_valued {
        pub use crate::ops::three_valued::{all, and, or};
    }
}

/// Names as paths write them.
pub mod path {
    pub use crate::path::parse::bare_name;
}

/// Ranges by kind, and names of refinements.
pub mod refinement {
    pub use crate::refinement::kind::RangeKind;
    pub use crate::refinement::syntax::refinement_names;
}

/// Rules at each place of a path, and the answers of guards.
#[cfg(feature = "rules")]
pub mod rule {
    pub use crate::rule::evaluate::each_place::{PlaceAnswer, at_each_place};
    pub use crate::rule::keywords::primary_name;
    pub use crate::rule::keywords::read::each;
    pub use crate::rule::set::guard_answer::GuardAnswer;
    pub use crate::rule::structure::undecided::{path_by_keys, rule_by_keys};
}

/// Reading and quoting words of text.
pub mod text {
    pub use crate::text::article::with_article;
    pub use crate::text::cursor::Cursor;
    pub use crate::text::nearest::{near_name, nearest};
    pub use crate::text::printable::{in_one_line, printable_json, push_printable};
    pub use crate::text::quote::{Quoted, QuotedInMessage, read_quoted, write_quoted};
    pub use crate::text::word::is_word;
}

/// The escapes of strings in JSON.
pub mod types {
    pub use crate::types::json::write_escaped;
}

/// Building values without checks, and what is known of them.
pub mod value {
    pub use crate::value::equality::equal;
    pub use crate::value::{
        always_satisfies, build_list, build_map, build_object, build_set, canonical, join, needs_type,
        only_member, possible_sets, refinement_of_outcomes,
    };
}
