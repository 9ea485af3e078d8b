//! The Huffman code of HPACK (RFC 7541, appendix B). It is canonical: the lengths of the codes tell the codes.

use std::sync::LazyLock;

/// The longest code.
const LONGEST: u32 = 30;

/// How many bits the code of each byte has.
#[rustfmt::skip]
const LENGTHS: [u32; 256] = [
    13, 23, 28, 28, 28, 28, 28, 28, 28, 24, 30, 28, 28, 30, 28, 28, 28, 28, 28, 28, 28, 28, 30, 28, 28, 28, 28, 28, 28, 28, 28, 28,
    6, 10, 10, 12, 13, 6, 8, 11, 10, 10, 8, 11, 8, 6, 6, 6, 5, 5, 5, 6, 6, 6, 6, 6, 6, 6, 7, 8, 15, 6, 12, 10,
    13, 6, 7, 7, 7, 7, 7, 7, 7, 7, 7, 7, 7, 7, 7, 7, 7, 7, 7, 7, 7, 7, 7, 7, 8, 7, 8, 13, 19, 13, 14, 6,
    15, 5, 6, 5, 6, 5, 6, 6, 6, 5, 7, 7, 6, 6, 6, 5, 6, 7, 6, 5, 5, 6, 7, 7, 7, 7, 7, 15, 11, 14, 13, 28,
    20, 22, 20, 20, 22, 22, 22, 23, 22, 23, 23, 23, 23, 23, 24, 23, 24, 24, 22, 23, 24, 23, 23, 23, 23, 21, 22, 23, 22, 23, 23, 24,
    22, 21, 20, 22, 22, 23, 23, 21, 23, 22, 22, 24, 21, 22, 23, 23, 21, 21, 22, 21, 23, 22, 23, 23, 20, 22, 22, 22, 23, 22, 22, 23,
    26, 26, 20, 19, 22, 23, 22, 25, 26, 26, 26, 27, 27, 26, 24, 25, 19, 21, 26, 27, 27, 26, 27, 24, 21, 21, 26, 26, 28, 27, 27, 27,
    20, 24, 20, 21, 22, 21, 21, 23, 22, 22, 25, 25, 24, 24, 26, 23, 26, 27, 26, 26, 27, 27, 27, 27, 27, 28, 27, 27, 27, 27, 27, 26,
];

/// The codes of one length: they follow each other, as their bytes do.
struct Codes {
    first: u32,
    bytes: Vec<u8>,
}

/// The codes by length. The one for the end, which no text has, is the last of the longest and not among them.
static CODES: LazyLock<Vec<Codes>> = LazyLock::new(|| {
    let mut next = 0_u32;
    let mut by_length = Vec::new();
    for length in 0..=LONGEST {
        let bytes = (0..=u8::MAX).zip(LENGTHS).filter(|(_, own)| *own == length);
        let bytes: Vec<u8> = bytes.map(|(byte, _)| byte).collect();
        let count = u32::try_from(bytes.len()).unwrap_or_default();
        by_length.push(Codes { first: next, bytes });
        next = next.saturating_add(count).wrapping_shl(1);
    }
    by_length
});

/// The text in an encoded one; `None` for what is no code.
pub(super) fn decode(encoded: &[u8]) -> Option<Vec<u8>> {
    let mut text = Vec::with_capacity(encoded.len().saturating_mul(2));
    let (mut code, mut length) = (0_u32, 0_usize);
    for byte in encoded {
        for place in (0..8).rev() {
            code = code.wrapping_shl(1) | u32::from(byte.wrapping_shr(place) & 1);
            length = length.saturating_add(1);
            let codes = CODES.get(length)?;
            let place = code.checked_sub(codes.first).and_then(|place| usize::try_from(place).ok());
            if let Some(found) = place.and_then(|place| codes.bytes.get(place)) {
                text.push(*found);
                (code, length) = (0, 0);
            }
        }
    }
    // What is left of the last byte are ones.
    let ones = 1_u32.wrapping_shl(u32::try_from(length).ok()?).wrapping_sub(1);
    (length < 8 && code == ones).then_some(text)
}
