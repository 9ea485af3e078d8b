//! The document that the codecs are measured with is the one it should be, byte for byte.

use plantime::{Type, json};

use crate::document::{TYPE, plan};

/// FNV-1a.
fn hash(bytes: &[u8]) -> u64 {
    bytes.iter().fold(0xcbf2_9ce4_8422_2325, |hash, byte| {
        (hash ^ u64::from(*byte)).wrapping_mul(0x0000_0100_0000_01b3)
    })
}

/// These lengths are of texts whose SHA-256 was compared with that of the texts that cty writes.
#[test]
fn a_document_like_a_plan_is_written_as_cty_writes_it() {
    let ty: Type = TYPE.parse().unwrap();
    for (n, length, sum) in [(3, 4090, 0xf07e_4038_cc68_d716), (500, 649_716, 0x59a128ef8745eaa7)] {
        let value = plan(n, 0);
        let text = json::to_vec_as(&value, &ty).unwrap();
        assert_eq!((text.len(), hash(&text)), (length, sum), "{n}");
        assert_eq!(json::from_slice_as(&text, &ty).unwrap(), value);
        let implied = json::from_slice(&text).unwrap();
        assert_eq!(json::to_vec(&implied).unwrap(), text);
        assert_eq!(json::implied_type(&text).unwrap(), implied.ty());
        let unknown = json::to_vec_as(&plan(n, 15), &ty).unwrap_err();
        assert!(unknown.is_unknown() && !unknown.path().is_empty());
    }
}
