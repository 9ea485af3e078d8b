//! Writes heads, the first bytes of a value, each in its shortest form, as cty does.

/// The first bytes of the encodings of a kind of value with a length. `short` holds the byte for length 0 and the
/// greatest length that can be added to it; `one`, `two` and `four` are followed by a length of that many bytes.
#[derive(Clone, Copy)]
pub(super) struct SizedHead {
    short: (u8, u32),
    one: Option<u8>,
    two: u8,
    four: u8,
}

/// The first bytes of the encodings of strings.
pub(super) const STR: SizedHead = SizedHead { short: (0xa0, 31), one: Some(0xd9), two: 0xda, four: 0xdb };
/// The first bytes of the encodings of arrays.
pub(super) const ARRAY: SizedHead = SizedHead { short: (0x90, 15), one: None, two: 0xdc, four: 0xdd };
/// The first bytes of the encodings of maps.
pub(super) const MAP: SizedHead = SizedHead { short: (0x80, 15), one: None, two: 0xde, four: 0xdf };

/// Writes the head of a string, array or map with this length, in the shortest encoding. `None`, writing nothing, if
/// the length does not fit 32 bits.
pub(super) fn sized(out: &mut Vec<u8>, form: SizedHead, length: usize) -> Option<()> {
    let length = u32::try_from(length).ok()?;
    let (short, most) = form.short;
    match (u8::try_from(length), u16::try_from(length), form.one) {
        (Ok(length), ..) if u32::from(length) <= most => out.push(short | length),
        (Ok(length), _, Some(one)) => out.extend_from_slice(&[one, length]),
        (_, Ok(length), _) => {
            out.push(form.two);
            out.extend_from_slice(&length.to_be_bytes());
        }
        _ => {
            out.push(form.four);
            out.extend_from_slice(&length.to_be_bytes());
        }
    }
    Some(())
}

/// Writes the head of binary data of this length in bytes. `None`, writing nothing, if it does not fit 32 bits.
pub(super) fn bin(out: &mut Vec<u8>, length: usize) -> Option<()> {
    let length = u32::try_from(length).ok()?;
    match (u8::try_from(length), u16::try_from(length)) {
        (Ok(length), _) => out.extend_from_slice(&[0xc4, length]),
        (_, Ok(length)) => {
            out.push(0xc5);
            out.extend_from_slice(&length.to_be_bytes());
        }
        _ => {
            out.push(0xc6);
            out.extend_from_slice(&length.to_be_bytes());
        }
    }
    Some(())
}

/// Writes the head of an extension with this code and this length of its content in bytes.
pub(super) fn ext(out: &mut Vec<u8>, code: i8, length: u16) {
    match (length, u8::try_from(length)) {
        (1, _) => out.push(0xd4),
        (2, _) => out.push(0xd5),
        (4, _) => out.push(0xd6),
        (8, _) => out.push(0xd7),
        (16, _) => out.push(0xd8),
        (_, Ok(length)) => out.extend_from_slice(&[0xc7, length]),
        _ => {
            out.push(0xc8);
            out.extend_from_slice(&length.to_be_bytes());
        }
    }
    out.extend_from_slice(&code.to_be_bytes());
}

/// Writes an integer in the shortest encoding.
pub(super) fn int(out: &mut Vec<u8>, int: i64) {
    if let Ok(positive) = u64::try_from(int) {
        match (u8::try_from(positive), u16::try_from(positive), u32::try_from(positive)) {
            (Ok(small @ ..=0x7f), ..) => out.push(small),
            (Ok(byte), ..) => out.extend_from_slice(&[0xcc, byte]),
            (_, Ok(int), _) => {
                out.push(0xcd);
                out.extend_from_slice(&int.to_be_bytes());
            }
            (.., Ok(int)) => {
                out.push(0xce);
                out.extend_from_slice(&int.to_be_bytes());
            }
            _ => {
                out.push(0xcf);
                out.extend_from_slice(&positive.to_be_bytes());
            }
        }
        return;
    }
    match (i8::try_from(int), i16::try_from(int), i32::try_from(int)) {
        (Ok(small @ -32..), ..) => out.extend_from_slice(&small.to_be_bytes()),
        (Ok(int), ..) => {
            out.push(0xd0);
            out.extend_from_slice(&int.to_be_bytes());
        }
        (_, Ok(int), _) => {
            out.push(0xd1);
            out.extend_from_slice(&int.to_be_bytes());
        }
        (.., Ok(int)) => {
            out.push(0xd2);
            out.extend_from_slice(&int.to_be_bytes());
        }
        _ => {
            out.push(0xd3);
            out.extend_from_slice(&int.to_be_bytes());
        }
    }
}

/// Writes a float of 64 bits.
pub(super) fn float(out: &mut Vec<u8>, float: f64) {
    out.push(0xcb);
    out.extend_from_slice(&float.to_be_bytes());
}

/// Writes a bool.
pub(super) fn bool(out: &mut Vec<u8>, value: bool) {
    out.push(if value { 0xc3 } else { 0xc2 });
}

/// Writes nil.
pub(super) fn nil(out: &mut Vec<u8>) {
    out.push(0xc0);
}
