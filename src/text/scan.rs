//! Finds the first byte that needs escaping or attention, eight bytes at a time.

/// The lowest bit of each of the eight bytes of a word.
const LOW: u64 = 0x0101_0101_0101_0101;
/// The highest bit of each of the eight bytes of a word.
const HIGH: u64 = 0x8080_8080_8080_8080;

/// The number of bytes before the first quote, backslash or control character; all of them if there is none.
pub(crate) fn plain_run(bytes: &[u8]) -> usize {
    run(bytes, |eight| below_space(eight) | equals(eight, b'"') | equals(eight, b'\\'))
}

/// The number of bytes before the first byte that JSON as cty writes it may have to escape: a quote, backslash,
/// control character, `<`, `>`, `&`, or 0xE2, the first byte of U+2028 and U+2029. All of them if there is none.
pub(crate) fn run_for_html(bytes: &[u8]) -> usize {
    run(bytes, |eight| {
        // `<` and `>` differ in one bit, `"` and `&` in another: clearing the bit tests for both with one
        // comparison.
        let brackets = equals(eight & !LOW.wrapping_mul(0x02), b'<');
        let quote_or_and = equals(eight & !LOW.wrapping_mul(0x04), b'"');
        below_space(eight) | quote_or_and | brackets | equals(eight, b'\\') | equals(eight, 0xe2)
    })
}

/// The number of bytes before the first byte that matches; all of them if none does. `found` gets eight bytes as one
/// little-endian word and sets the high bit of each matching byte; it may also set those of bytes after a match,
/// since only the lowest is used.
fn run(bytes: &[u8], found: impl Fn(u64) -> u64) -> usize {
    let before = |rest: &[u8], hit: u64| {
        let place = bytes.len().saturating_sub(rest.len());
        place.saturating_add(hit.trailing_zeros() as usize / 8)
    };
    let mut rest = bytes;
    while let Some((eight, after)) = rest.split_first_chunk::<8>() {
        let hit = found(u64::from_le_bytes(*eight));
        if hit != 0 {
            return before(rest, hit);
        }
        rest = after;
    }
    // The last bytes, filled up with a byte that never matches. A match in the filling is cut off by `min`.
    let mut eight = [b'a'; 8];
    for (to, from) in eight.iter_mut().zip(rest) {
        *to = *from;
    }
    let hit = found(u64::from_le_bytes(eight));
    if hit == 0 { bytes.len() } else { before(rest, hit).min(bytes.len()) }
}

/// A word with the high bit set of each of the eight bytes that is below 0x20, a control character. Bytes after such
/// a byte may be set too.
fn below_space(eight: u64) -> u64 {
    eight.wrapping_sub(LOW.wrapping_mul(0x20)) & !eight & HIGH
}

/// A word with the high bit set of each of the eight bytes that equals `byte`. Bytes after such a byte may be set
/// too.
fn equals(eight: u64, byte: u8) -> u64 {
    let differs = eight ^ LOW.wrapping_mul(u64::from(byte));
    differs.wrapping_sub(LOW) & !differs & HIGH
}

#[cfg(test)]
mod tests {
    use super::*;

    #[track_caller]
    fn stops_at(run: fn(&[u8]) -> usize, stops: impl Fn(u8) -> bool) {
        for byte in 0..=255 {
            for length in 0..20 {
                let mut bytes = vec![b'a'; length];
                bytes.extend([byte, b'a', b'"']);
                let place = if stops(byte) { length } else { length.saturating_add(2) };
                assert_eq!(run(&bytes), place, "{byte} at {length}");
                bytes.truncate(length.saturating_add(1));
                let place = if stops(byte) { length } else { length.saturating_add(1) };
                assert_eq!(run(&bytes), place, "{byte} at the end, {length}");
            }
            assert_eq!(run(&[byte; 17]), if stops(byte) { 0 } else { 17 }, "{byte}");
        }
    }

    #[test]
    fn the_first_byte_to_look_at_is_found_wherever_it_is() {
        stops_at(run_for_html, |byte| {
            byte < 0x20 || matches!(byte, b'"' | b'\\' | b'<' | b'>' | b'&' | 0xe2)
        });
        stops_at(plain_run, |byte| byte < 0x20 || matches!(byte, b'"' | b'\\'));
    }
}
