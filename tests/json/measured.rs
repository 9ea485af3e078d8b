//! The document that the codecs are measured with is the one it should be, byte for byte.

use plantime::{Type, json};

use crate::document::{TYPE, plan};
use sha2::{Digest, Sha256};

/// Resources, and the SHA-256 of what cty writes for the document.
const WRITTEN_AS_JSON: [(usize, &str); 3] = [
    (3, "5875698296c421f505bd65cfe64fd4b45b0c4682601ea1c406a8f208312f4127"),
    (500, "ad585a08f6b63d88e22d690c42642b267787ec2786b49c36d2fcc8fe0cf45daf"),
    (10_000, "43eedb58bbcfadec1f583eaab678fa2a6baab729a1f10e89292b58002682b7cb"),
];

#[test]
fn a_document_like_a_plan_is_written_as_cty_writes_it() {
    let ty: Type = TYPE.parse().unwrap();
    for (n, sum) in WRITTEN_AS_JSON {
        let value = plan(n, 0);
        let text = json::to_vec_as(&value, &ty).unwrap();
        assert_eq!(format!("{:x}", Sha256::digest(&text)), sum, "{n}");
        assert_eq!(json::from_slice_as(&text, &ty).unwrap(), value);
        let implied = json::from_slice(&text).unwrap();
        assert_eq!(json::to_vec(&implied).unwrap(), text);
        assert_eq!(json::implied_type(&text).unwrap(), implied.ty());
        let unknown = json::to_vec_as(&plan(n.min(500), 15), &ty).unwrap_err();
        assert!(unknown.is_unknown() && !unknown.path().is_empty());
    }
}

/// With about 15 unknown leaves in a hundred, a third of them refined.
#[cfg(feature = "msgpack")]
#[test]
fn a_document_with_unknowns_is_written_as_cty_writes_it() {
    use plantime::msgpack;

    let ty: Type = TYPE.parse().unwrap();
    for (n, sum) in [
        (3, "4548d843f8405091337231daad4a0f2e868f3cd018933fd5a3f1c7a879bc01fb"),
        (500, "4c5e69fdbc12c9cdcab1985d18ca31d105fb8887ba35c16b8217a61285da6e4f"),
        (10_000, "cac7dca59638884ae088243d8af338ecd746a5f46098d90d58992cad7ffa8ba0"),
    ] {
        let value = plan(n, 15);
        let bytes = msgpack::to_vec(&value, &ty).unwrap();
        assert_eq!(format!("{:x}", Sha256::digest(&bytes)), sum, "{n}");
        let read = msgpack::from_slice(&bytes, &ty).unwrap();
        assert_eq!(read, value);
        assert_eq!(msgpack::to_vec(&read, &ty).unwrap(), bytes);
    }
}
