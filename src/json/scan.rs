//! How far a JSON string goes before something in it needs a look, eight bytes at a time.

const LOW: u64 = 0x0101_0101_0101_0101;
const HIGH: u64 = 0x8080_8080_8080_8080;

/// How many bytes come before the first quote, backslash or control character.
pub(super) fn plain_run(bytes: &[u8]) -> usize {
    let mut rest = bytes;
    while let Some((eight, after)) = rest.split_first_chunk::<8>() {
        let found = special(u64::from_le_bytes(*eight));
        if found != 0 {
            let before = bytes.len().saturating_sub(rest.len());
            return before.saturating_add(found.trailing_zeros() as usize / 8);
        }
        rest = after;
    }
    let before = bytes.len().saturating_sub(rest.len());
    before.saturating_add(rest.iter().take_while(|byte| !matches!(byte, b'"' | b'\\' | 0..0x20)).count())
}

/// The high bit of each byte that needs a look. Above the lowest one there may be others that do not.
fn special(word: u64) -> u64 {
    let zero = |word: u64| word.wrapping_sub(LOW) & !word & HIGH;
    let control = word.wrapping_sub(LOW.wrapping_mul(0x20)) & !word & HIGH;
    control | zero(word ^ LOW.wrapping_mul(0x22)) | zero(word ^ LOW.wrapping_mul(0x5c))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_first_byte_to_look_at_is_found_wherever_it_is() {
        for special in 0_u8..=255 {
            let stops = special < 0x20 || matches!(special, b'"' | b'\\');
            for length in 0..20 {
                let mut bytes = vec![b'a'; length];
                bytes.push(special);
                bytes.extend(b"\"bc\\");
                assert_eq!(
                    plain_run(&bytes),
                    if stops { length } else { length + 1 },
                    "{special} at {length}"
                );
            }
            assert_eq!(plain_run(&[special; 17]), if stops { 0 } else { 17 });
        }
    }
}
