//! The hash that names a plan, as `sha256sum` prints it.

use sha2::{Digest, Sha256};

/// The SHA-256 hash of a text, in lower case hexadecimal digits.
pub(super) fn sha256(text: &[u8]) -> String {
    format!("{:x}", Sha256::digest(text))
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
