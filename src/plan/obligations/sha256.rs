//! SHA-256 (FIPS 180-4): what `sha256sum` prints, to tell plans apart.

/// The first 32 bits of the fractional parts of the cube roots of the first 64 primes (FIPS 180-4, 4.2.2).
const ROUNDS: [u32; 64] = [
    0x428a2f98, 0x71374491, 0xb5c0fbcf, 0xe9b5dba5, 0x3956c25b, 0x59f111f1, 0x923f82a4, 0xab1c5ed5,
    0xd807aa98, 0x12835b01, 0x243185be, 0x550c7dc3, 0x72be5d74, 0x80deb1fe, 0x9bdc06a7, 0xc19bf174,
    0xe49b69c1, 0xefbe4786, 0x0fc19dc6, 0x240ca1cc, 0x2de92c6f, 0x4a7484aa, 0x5cb0a9dc, 0x76f988da,
    0x983e5152, 0xa831c66d, 0xb00327c8, 0xbf597fc7, 0xc6e00bf3, 0xd5a79147, 0x06ca6351, 0x14292967,
    0x27b70a85, 0x2e1b2138, 0x4d2c6dfc, 0x53380d13, 0x650a7354, 0x766a0abb, 0x81c2c92e, 0x92722c85,
    0xa2bfe8a1, 0xa81a664b, 0xc24b8b70, 0xc76c51a3, 0xd192e819, 0xd6990624, 0xf40e3585, 0x106aa070,
    0x19a4c116, 0x1e376c08, 0x2748774c, 0x34b0bcb5, 0x391c0cb3, 0x4ed8aa4a, 0x5b9cca4f, 0x682e6ff3,
    0x748f82ee, 0x78a5636f, 0x84c87814, 0x8cc70208, 0x90befffa, 0xa4506ceb, 0xbef9a3f7, 0xc67178f2,
];

/// The first 32 bits of the fractional parts of the square roots of the first 8 primes (5.3.3).
const START: [u32; 8] =
    [0x6a09e667, 0xbb67ae85, 0x3c6ef372, 0xa54ff53a, 0x510e527f, 0x9b05688c, 0x1f83d9ab, 0x5be0cd19];

/// The hash in lower case hexadecimal digits.
pub(super) fn sha256(text: &[u8]) -> String {
    let mut state = START;
    let (blocks, rest) = text.as_chunks::<64>();
    blocks.iter().for_each(|block| compress(&mut state, block));
    let bits = (text.len() as u64).wrapping_mul(8);
    let end = rest.iter().copied().chain([0x80]);
    // The length ends the last block: where it does not fit behind the rest, there is another one.
    let zeros = (119_usize.wrapping_sub(rest.len())) % 64;
    let last: Vec<u8> = end.chain(std::iter::repeat_n(0, zeros)).chain(bits.to_be_bytes()).collect();
    last.as_chunks::<64>().0.iter().for_each(|block| compress(&mut state, block));
    state.iter().map(|word| format!("{word:08x}")).collect()
}

/// Adds one block of 64 bytes to the hash (FIPS 180-4, 6.2.2).
fn compress(state: &mut [u32; 8], block: &[u8; 64]) {
    // The last 16 words of the message schedule, the oldest first.
    let mut words = [0_u32; 16];
    for (word, bytes) in words.iter_mut().zip(block.as_chunks::<4>().0) {
        *word = u32::from_be_bytes(*bytes);
    }
    let [mut a, mut b, mut c, mut d, mut e, mut f, mut g, mut h] = *state;
    for round in ROUNDS {
        let [word, next, .., fourteenth, _] = words;
        let [_, _, _, _, _, _, _, _, _, ninth, ..] = words;
        let s1 = e.rotate_right(6) ^ e.rotate_right(11) ^ e.rotate_right(25);
        let t1 = h.wrapping_add(s1).wrapping_add((e & f) ^ (!e & g)).wrapping_add(round).wrapping_add(word);
        let s0 = a.rotate_right(2) ^ a.rotate_right(13) ^ a.rotate_right(22);
        let t2 = s0.wrapping_add((a & b) ^ (a & c) ^ (b & c));
        (h, g, f, e, d, c, b, a) = (g, f, e, d.wrapping_add(t1), c, b, a, t1.wrapping_add(t2));
        let low = next.rotate_right(7) ^ next.rotate_right(18) ^ (next >> 3);
        let high = fourteenth.rotate_right(17) ^ fourteenth.rotate_right(19) ^ (fourteenth >> 10);
        words.rotate_left(1);
        let [.., last] = &mut words;
        *last = word.wrapping_add(low).wrapping_add(ninth).wrapping_add(high);
    }
    for (word, more) in state.iter_mut().zip([a, b, c, d, e, f, g, h]) {
        *word = word.wrapping_add(more);
    }
}

#[cfg(test)]
mod tests {
    use super::sha256;

    /// The examples of FIPS 180-4, and each length around a block (held against `sha256sum`).
    #[test]
    fn the_hash_is_that_of_the_standard() {
        for (text, expected) in [
            ("", "e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855"),
            ("abc", "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad"),
            (
                "abcdbcdecdefdefgefghfghighijhijkijkljklmklmnlmnomnopnopq",
                "248d6a61d20638b8e5c026930c3e6039a33ce45964ff2167f6ecedd419db06c1",
            ),
        ] {
            assert_eq!(sha256(text.as_bytes()), expected);
        }
        assert_eq!(
            sha256(&[b'a'; 1_000_000]),
            "cdc76e5c9914fb9281a1c7e284d73e67f1809a48a497200e046d39ccc7112cd0"
        );
        let all: String = (0..=130).map(|length| sha256(&vec![b'a'; length])).collect();
        assert_eq!(
            sha256(all.as_bytes()),
            "5eee4c50e1b5ec4f1a47f34c25ca988850b49da7904f5ab1b3abc5cc0ae66ef9"
        );
    }
}
