//! The frames of HTTP/2 (RFC 9113): read whole, written one after the other.

use bytes::{Buf, BufMut, Bytes, BytesMut};

use crate::proxy::hpack::{Block, Decoder};

/// The size of a frame's head.
pub(super) const HEAD: usize = 9;
/// The size of a payload that every peer takes.
pub(super) const PAYLOAD_BYTES: usize = 16 << 10;
/// The maximum size of the headers of one message, encoded: as much as hosts take, since a longer one ends all calls.
pub(super) const BLOCK_BYTES: usize = 16 << 20;
/// What a client sends before its first frame.
pub(in crate::proxy) const PREFACE: &[u8] = b"PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n";

/// Kinds of frames.
pub(super) const DATA: u8 = 0;
pub(super) const HEADERS: u8 = 1;
pub(super) const RESET: u8 = 3;
pub(super) const SETTINGS: u8 = 4;
pub(super) const PUSH_PROMISE: u8 = 5;
pub(super) const PING: u8 = 6;
pub(super) const WINDOW_UPDATE: u8 = 8;
pub(super) const CONTINUATION: u8 = 9;

/// Flags of frames.
pub(super) const ACK: u8 = 0x01;
pub(super) const END_STREAM: u8 = 0x01;
pub(super) const END_HEADERS: u8 = 0x04;
const PADDED: u8 = 0x08;
const PRIORITY: u8 = 0x20;

/// What one side sends is not HTTP/2.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) struct Broken;

/// A frame.
#[derive(Clone, Debug, PartialEq)]
pub(super) struct Frame {
    pub(super) kind: u8,
    pub(super) flags: u8,
    pub(super) stream: u32,
    /// Head and payload, as they were sent.
    pub(super) whole: Bytes,
}

impl Frame {
    pub(super) fn payload(&self) -> Bytes {
        self.whole.slice(HEAD.min(self.whole.len())..)
    }

    pub(super) fn has(&self, flag: u8) -> bool {
        self.flags & flag != 0
    }

    /// The payload without padding.
    pub(super) fn content(&self) -> Result<Bytes, Broken> {
        let mut payload = self.payload();
        if self.has(PADDED) {
            let padding = usize::from(payload.try_get_u8().map_err(|_| Broken)?);
            payload.truncate(payload.len().checked_sub(padding).ok_or(Broken)?);
        }
        if self.kind == HEADERS && self.has(PRIORITY) {
            payload.try_get_u32().and_then(|_| payload.try_get_u8()).map_err(|_| Broken)?;
        }
        Ok(payload)
    }

    /// The number in a payload of four bytes: the size in an update of a window.
    pub(super) fn number(&self) -> Result<u32, Broken> {
        Ok(self.payload().try_get_u32().map_err(|_| Broken)? & 0x7fff_ffff)
    }
}

/// Writes a frame.
pub(super) fn write(out: &mut BytesMut, kind: u8, flags: u8, stream: u32, payload: &[u8]) {
    let length = u32::try_from(payload.len()).unwrap_or(u32::MAX);
    out.put_uint(u64::from(length), 3);
    out.put_u8(kind);
    out.put_u8(flags);
    out.put_u32(stream);
    out.put_slice(payload);
}

/// Writes the frames of headers.
pub(super) fn write_headers(out: &mut BytesMut, stream: u32, block: &[u8], is_end: bool) {
    let mut rest = block;
    let mut kind = HEADERS;
    loop {
        let (part, left) = rest.split_at_checked(PAYLOAD_BYTES).unwrap_or((rest, &[]));
        let end_stream = if is_end && kind == HEADERS { END_STREAM } else { 0 };
        let end_headers = if left.is_empty() { END_HEADERS } else { 0 };
        write(out, kind, end_stream | end_headers, stream, part);
        if left.is_empty() {
            return;
        }
        (rest, kind) = (left, CONTINUATION);
    }
}

/// What one side sends.
#[derive(Debug, PartialEq)]
pub(super) enum Event {
    /// The headers of a message or those after it, with the frames as they were sent.
    Headers { stream: u32, block: Block, is_end: bool, whole: Bytes },
    /// Another frame.
    Frame(Frame),
}

/// Headers of which more frames follow.
#[derive(Debug)]
struct Part {
    stream: u32,
    is_end: bool,
    block: BytesMut,
    whole: BytesMut,
}

/// Reads what one side sends.
#[derive(Debug)]
pub(super) struct Reader {
    input: BytesMut,
    /// The maximum size of a payload, as the other side allows it.
    pub(super) payload_bytes: usize,
    pub(super) decoder: Decoder,
    part: Option<Part>,
}

impl Reader {
    pub(super) fn new() -> Reader {
        Reader { input: BytesMut::new(), payload_bytes: PAYLOAD_BYTES, decoder: Decoder::new(), part: None }
    }

    /// Adds bytes that were received.
    pub(super) fn add(&mut self, bytes: &[u8]) {
        self.input.extend_from_slice(bytes);
    }

    /// Takes what a client sends before its first frame; `None` until all of it is there.
    pub(super) fn preface(&mut self) -> Result<Option<Bytes>, Broken> {
        let there = self.input.len().min(PREFACE.len());
        if self.input.get(..there) != PREFACE.get(..there) {
            return Err(Broken);
        }
        Ok((there == PREFACE.len()).then(|| self.input.split_to(there).freeze()))
    }

    /// The next frame, or the next headers; `None` until all of it is there.
    pub(super) fn next(&mut self) -> Result<Option<Event>, Broken> {
        while let Some(frame) = self.frame()? {
            match (frame.kind, self.part.take()) {
                (HEADERS, None) => {
                    let block = BytesMut::from(&*frame.content()?);
                    let whole = BytesMut::from(&*frame.whole);
                    let is_end = frame.has(END_STREAM);
                    self.part = Some(Part { stream: frame.stream, is_end, block, whole });
                }
                (CONTINUATION, Some(mut part)) if part.stream == frame.stream => {
                    part.block.extend_from_slice(&frame.payload());
                    part.whole.extend_from_slice(&frame.whole);
                    self.part = Some(part);
                }
                // Nothing may come between the frames of headers.
                (_, Some(_)) | (CONTINUATION, None) | (PUSH_PROMISE, None) => return Err(Broken),
                (_, None) => return Ok(Some(Event::Frame(frame))),
            }
            if self.part.as_ref().is_some_and(|part| part.block.len() > BLOCK_BYTES) {
                return Err(Broken);
            }
            if frame.has(END_HEADERS)
                && let Some(Part { stream, is_end, block, whole }) = self.part.take()
            {
                let block = self.decoder.decode(&block).ok_or(Broken)?;
                return Ok(Some(Event::Headers { stream, block, is_end, whole: whole.freeze() }));
            }
        }
        Ok(None)
    }

    /// The next frame; `None` until all of it is there.
    fn frame(&mut self) -> Result<Option<Frame>, Broken> {
        let Some(mut head) = self.input.get(..HEAD) else { return Ok(None) };
        let length = usize::try_from(head.get_uint(3)).map_err(|_| Broken)?;
        let (kind, flags, stream) = (head.get_u8(), head.get_u8(), head.get_u32() & 0x7fff_ffff);
        if length > self.payload_bytes {
            return Err(Broken);
        }
        let size = HEAD.saturating_add(length);
        if self.input.len() < size {
            return Ok(None);
        }
        Ok(Some(Frame { kind, flags, stream, whole: self.input.split_to(size).freeze() }))
    }
}
