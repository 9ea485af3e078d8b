//! One call on its way.

use std::collections::VecDeque;

use bytes::{Bytes, BytesMut};
use prost::encoding::decode_varint;

use super::frame::{self, RESET};
use crate::grpc::{HEAD, MESSAGE_BYTES};
use crate::proxy::hpack::Block;

/// How much of a message is kept in order to be read: as much as any host takes.
const KEPT_BYTES: usize = MESSAGE_BYTES + HEAD;

/// Whether the messages of a call are read.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(in crate::proxy) enum Interest {
    /// They pass as they come.
    Nothing,
    /// They are, if the resource type that the request names is of interest.
    OfType,
    /// They are.
    Everything,
}

/// What waits until the host takes it.
#[derive(Debug)]
pub(super) enum Item {
    /// Encoded headers.
    Headers { block: Vec<u8>, is_end: bool },
    /// A part of a message.
    Data { content: Bytes, is_end: bool },
}

/// A call of the host that has not come to its end.
#[derive(Debug)]
pub(super) struct Call {
    pub(super) path: String,
    pub(super) interest: Interest,
    /// How much the host takes of the answer now; less than nothing if it has changed its mind.
    pub(super) window: i64,
    /// How much more the provider may have sent than the host knows of.
    pub(super) ahead: i64,
    /// How much of what was kept the provider has not been allowed to send again.
    pub(super) kept: i64,
    /// The request, as far as it is kept.
    pub(super) request: BytesMut,
    /// Headers before the answer, which wait for it.
    pub(super) heads: Vec<Block>,
    /// The answer, as far as it is kept.
    pub(super) answer: BytesMut,
    /// The headers after it.
    pub(super) trailers: Option<Block>,
    /// What the host gets, in this order.
    queue: VecDeque<Item>,
    /// How much of answers is in the queue.
    queued: i64,
    /// Whether the host has got headers.
    pub(super) has_begun: bool,
    /// Whether the provider has sent all.
    pub(super) is_answered: bool,
    /// With what the provider has asked for no more of the request, after its answer.
    pub(super) reset: Option<Bytes>,
}

impl Call {
    pub(super) fn new(path: String, interest: Interest, window: i64) -> Call {
        Call {
            path,
            interest,
            window,
            ahead: 0,
            kept: 0,
            request: BytesMut::new(),
            heads: Vec::new(),
            answer: BytesMut::new(),
            trailers: None,
            queue: VecDeque::new(),
            queued: 0,
            has_begun: false,
            is_answered: false,
            reset: None,
        }
    }

    /// Keeps a part of the request; `false` where that is the end of keeping: what was kept of the answer is then to be released.
    pub(super) fn ask(&mut self, content: &[u8], is_of_interest: impl Fn(&str) -> bool) -> bool {
        if self.interest == Interest::Nothing || self.is_answered {
            return true;
        }
        let was_kept = self.is_kept();
        self.request.extend_from_slice(content);
        if self.interest == Interest::OfType {
            self.interest = match type_name(&self.request) {
                Name::Incomplete => Interest::OfType,
                Name::Is(name) if !is_of_interest(name) => Interest::Nothing,
                Name::Is(_) | Name::Elsewhere => Interest::Everything,
            };
        }
        if self.request.len() > KEPT_BYTES {
            self.interest = Interest::Nothing;
        }
        if self.interest == Interest::Nothing {
            self.request = BytesMut::new();
        }
        self.is_kept() || !was_kept
    }

    /// Whether the answer is kept until all of it is there.
    pub(super) fn is_kept(&self) -> bool {
        self.interest == Interest::Everything
    }

    /// Keeps a part of the answer; `false` where it has become larger than what is read.
    pub(super) fn keep(&mut self, content: &[u8]) -> bool {
        self.answer.extend_from_slice(content);
        self.answer.len() <= KEPT_BYTES
    }

    /// Takes the answer that was kept.
    pub(super) fn take_answer(&mut self) -> Bytes {
        std::mem::take(&mut self.answer).freeze()
    }

    /// Puts something into the queue.
    pub(super) fn push(&mut self, item: Item) {
        if let Item::Data { content, .. } = &item {
            self.queued = self.queued.saturating_add(i64::try_from(content.len()).unwrap_or(i64::MAX));
        }
        self.queue.push_back(item);
    }

    /// Puts into the queue what was kept, with this answer.
    pub(super) fn release(&mut self, answer: Bytes, is_changed: bool) {
        self.interest = Interest::Nothing;
        let is_whole = self.is_answered;
        let has_body = !answer.is_empty();
        let (heads, trailers) = (std::mem::take(&mut self.heads), self.trailers.take());
        let last_head = heads.len().saturating_sub(1);
        for (place, mut head) in heads.into_iter().enumerate() {
            if is_changed {
                head.headers.retain(|(name, _)| name != "content-length");
            }
            let is_end = is_whole && !has_body && trailers.is_none() && place == last_head;
            self.push(Item::Headers { block: head.encode(), is_end });
        }
        if has_body {
            self.push(Item::Data { content: answer, is_end: is_whole && trailers.is_none() });
        }
        if let Some(trailers) = trailers {
            self.push(Item::Headers { block: trailers.encode(), is_end: true });
        }
    }

    /// Writes what the host takes now; returns how much of its windows that needs, and whether it was the last.
    pub(super) fn flush(&mut self, out: &mut BytesMut, stream: u32, connection: i64) -> (i64, bool) {
        let (sent, is_end) = self.write(out, stream, connection);
        if let Some(reset) = self.reset.as_ref().filter(|_| is_end) {
            frame::write(out, RESET, 0, stream, reset);
        }
        (sent, is_end)
    }

    fn write(&mut self, out: &mut BytesMut, stream: u32, connection: i64) -> (i64, bool) {
        let mut sent = 0_i64;
        while let Some(item) = self.queue.pop_front() {
            match item {
                Item::Headers { block, is_end } => {
                    frame::write_headers(out, stream, &block, is_end);
                    self.has_begun = true;
                    if is_end {
                        return (sent, true);
                    }
                }
                Item::Data { mut content, is_end } => {
                    let room = self.window.min(connection.saturating_sub(sent));
                    let room = usize::try_from(room).unwrap_or_default().min(frame::PAYLOAD_BYTES);
                    let part = content.split_to(room.min(content.len()));
                    let is_last = is_end && content.is_empty();
                    if !part.is_empty() || is_last {
                        let flags = if is_last { frame::END_STREAM } else { 0 };
                        frame::write(out, frame::DATA, flags, stream, &part);
                    }
                    let size = i64::try_from(part.len()).unwrap_or_default();
                    self.window = self.window.saturating_sub(size);
                    self.queued = self.queued.saturating_sub(size);
                    sent = sent.saturating_add(size);
                    if is_last {
                        return (sent, true);
                    }
                    if !content.is_empty() {
                        self.queue.push_front(Item::Data { content, is_end });
                        if part.is_empty() {
                            return (sent, false);
                        }
                    }
                }
            }
        }
        (sent, false)
    }

    /// Whether something waits for the host.
    pub(super) fn is_waiting(&self) -> bool {
        !self.queue.is_empty()
    }

    /// How much of the answer waits for the window of all answers only. What its own window keeps back takes nothing from others.
    pub(super) fn queued(&self) -> i64 {
        self.queued.min(self.window).max(0)
    }
}

/// What the beginning of a request tells of its resource type.
enum Name<'r> {
    Is(&'r str),
    /// It does not stand first, as hosts write it.
    Elsewhere,
    /// More has to come.
    Incomplete,
}

/// The name of the resource type in the beginning of a request: after the head of the message, field 1.
fn type_name(request: &[u8]) -> Name<'_> {
    let Some(mut rest) = request.get(HEAD..).filter(|rest| !rest.is_empty()) else { return Name::Incomplete };
    if rest.first() != Some(&0x0a) {
        return Name::Elsewhere;
    }
    rest = rest.get(1..).unwrap_or_default();
    let Ok(length) = decode_varint(&mut rest) else { return Name::Incomplete };
    let Ok(length) = usize::try_from(length) else { return Name::Elsewhere };
    match rest.get(..length).map(std::str::from_utf8) {
        None => Name::Incomplete,
        Some(Ok(name)) => Name::Is(name),
        Some(Err(_)) => Name::Elsewhere,
    }
}
