//! UTF-8 as an automaton.

/// The state of a UTF-8 decoder between two bytes.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub(super) enum Utf8 {
    /// At the end of a character.
    Whole,
    /// Inside a character; this number of continuation bytes is missing.
    One,
    Two,
    Three,
    /// After a first byte that restricts the second one.
    AfterE0,
    AfterEd,
    AfterF0,
    AfterF4,
}

impl Utf8 {
    /// The state after one more byte; `None` if the byte is not allowed here.
    pub(super) fn after(self, byte: u8) -> Option<Utf8> {
        Some(match (self, byte) {
            (Utf8::Whole, 0x00..=0x7f) | (Utf8::One, 0x80..=0xbf) => Utf8::Whole,
            (Utf8::Whole, 0xc2..=0xdf)
            | (Utf8::Two, 0x80..=0xbf)
            | (Utf8::AfterE0, 0xa0..=0xbf)
            | (Utf8::AfterEd, 0x80..=0x9f) => Utf8::One,
            (Utf8::Whole, 0xe0) => Utf8::AfterE0,
            (Utf8::Whole, 0xed) => Utf8::AfterEd,
            (Utf8::Whole, 0xe1..=0xef)
            | (Utf8::Three, 0x80..=0xbf)
            | (Utf8::AfterF0, 0x90..=0xbf)
            | (Utf8::AfterF4, 0x80..=0x8f) => Utf8::Two,
            (Utf8::Whole, 0xf0) => Utf8::AfterF0,
            (Utf8::Whole, 0xf1..=0xf3) => Utf8::Three,
            (Utf8::Whole, 0xf4) => Utf8::AfterF4,
            _ => return None,
        })
    }
}

/// The class of a byte: all bytes of one class have the same transitions between the states of UTF-8.
pub(super) fn kind(byte: u8) -> u8 {
    match byte {
        0x00..=0x7f => 0,
        0x80..=0x8f => 1,
        0x90..=0x9f => 2,
        0xa0..=0xbf => 3,
        0xc2..=0xdf => 4,
        0xe0 => 5,
        0xed => 6,
        0xe1..=0xef => 7,
        0xf0 => 8,
        0xf1..=0xf3 => 9,
        0xf4 => 10,
        _ => 11,
    }
}

#[cfg(test)]
mod tests {
    use super::{Utf8, kind};

    #[test]
    fn it_accepts_what_the_standard_library_does() {
        let ends = |bytes: &[u8]| bytes.iter().try_fold(Utf8::Whole, |state, byte| state.after(*byte));
        for first in 0..=u8::MAX {
            for second in 0..=u8::MAX {
                for rest in [&[][..], &[0x80], &[0xbf], &[0x80, 0x80], &[0xbf, 0x41], &[0x41]] {
                    let bytes = [&[first, second], rest].concat();
                    let accepted = ends(&bytes) == Some(Utf8::Whole);
                    assert_eq!(accepted, std::str::from_utf8(&bytes).is_ok(), "{bytes:x?}");
                }
            }
        }
    }

    #[test]
    fn bytes_of_one_kind_are_alike() {
        let states = [Utf8::Whole, Utf8::One, Utf8::Two, Utf8::Three, Utf8::AfterE0, Utf8::AfterEd];
        for state in states.into_iter().chain([Utf8::AfterF0, Utf8::AfterF4]) {
            for a in 0..=u8::MAX {
                for b in (0..=u8::MAX).filter(|b| kind(*b) == kind(a)) {
                    assert_eq!(state.after(a), state.after(b));
                }
            }
        }
    }
}
