//! What stands between a host and a provider at the level of HTTP/2: frames pass as they are, but the answers that are read.
//!
//! | what | how it passes |
//! |---|---|
//! | requests | as they are; headers are read in order to know the call, messages as far as they are of interest |
//! | headers of the provider | decoded and encoded without a table, since those of a changed answer may change |
//! | answers of no interest | as they come, without padding, in frames that every host takes, as the host's windows allow |
//! | answers of interest | kept until they are whole, then sent likewise |
//! | settings | with a smaller table of headers where a side allows a large one |
//! | updates of windows | counted; the provider gets its own |
//! | all else | as it is |
//!
//! An answer that was kept and one that has another length upset the windows, of which host and provider think that they
//! have one for both. So the relay counts what the host takes (`host_window`), what the provider believes it may send
//! (`provider_window`), and tells the provider the difference when it can.

mod call;
mod failure;
mod frame;
mod settings;
#[cfg(test)]
mod tests;

use std::collections::{BTreeMap, VecDeque};

use bytes::{BufMut, Bytes, BytesMut};

pub(super) use self::call::Interest;
use self::call::{Call, Item};
use self::frame::{Broken, Event, Frame, Reader};
use super::hpack::Block;

/// What a client sends before its first frame.
#[cfg(any(test, feature = "fuzzing"))]
pub(super) use self::frame::PREFACE;

/// Whether bytes are whole frames and whole headers, as a host reads them.
#[cfg(any(test, feature = "fuzzing"))]
pub(super) fn is_http2(bytes: &[u8]) -> bool {
    let mut reader = Reader::new();
    reader.add(bytes);
    while let Ok(event) = reader.next() {
        if event.is_none() {
            return true;
        }
    }
    false
}

/// The size of windows before a peer says anything.
const INITIAL_WINDOW: i64 = 65_535;
/// The largest window.
const LARGEST_WINDOW: i64 = 0x7fff_ffff;
/// How much of what was kept the provider may send again only later: less than would ever let it wait.
const GRANT_BYTES: i64 = 16 << 10;
/// The call with which the host says that it needs the provider no more.
const GOODBYE: &str = "/plugin.GRPCController/Shutdown";

/// Who decides about calls.
pub(super) trait Observer {
    /// Whether the messages of a call of this path are read.
    fn interest(&self, path: &str) -> Interest;
    /// Whether they are for this resource type.
    fn is_of_interest(&self, type_name: &str) -> bool;
    /// A call has no answer, as the provider does not answer any more.
    fn unanswered(&self, text: &str);
}

/// A call whose messages are there, with the head of each.
#[derive(Debug, PartialEq)]
pub(super) struct Exchange {
    pub(super) stream: u32,
    pub(super) path: String,
    pub(super) request: Bytes,
    pub(super) answer: Bytes,
}

/// One connection of a host, and the one to the provider that belongs to it.
pub(super) struct Relay<O> {
    observer: O,
    /// What goes to the host.
    pub(super) to_host: BytesMut,
    /// What goes to the provider.
    pub(super) to_provider: BytesMut,
    /// Calls whose answers are to be looked at: each is kept until [`Relay::release`].
    pub(super) exchanges: Vec<Exchange>,
    /// Whether the host has said goodbye, and got an answer.
    pub(super) is_goodbye: bool,
    from_host: Reader,
    from_provider: Reader,
    has_preface: bool,
    /// Whether the host has got the settings of the provider.
    has_settings: bool,
    /// The settings of the host that the provider has not acknowledged, each with the size of windows that is in it.
    open_settings: VecDeque<Option<i64>>,
    /// The size of windows in the settings that are acknowledged.
    acknowledged_window: i64,
    calls: BTreeMap<u32, Call>,
    /// How much of an answer the host takes at first.
    initial_window: i64,
    /// How much the host takes now, of all answers.
    host_window: i64,
    /// How much the provider believes it may send now, of all answers.
    provider_window: i64,
    /// Why the provider does not answer any more.
    failure: Option<String>,
}

impl<O: Observer> Relay<O> {
    pub(super) fn new(observer: O) -> Relay<O> {
        Relay {
            observer,
            to_host: BytesMut::new(),
            to_provider: BytesMut::new(),
            exchanges: Vec::new(),
            is_goodbye: false,
            from_host: Reader::new(),
            from_provider: Reader::new(),
            has_preface: false,
            has_settings: false,
            open_settings: VecDeque::new(),
            acknowledged_window: INITIAL_WINDOW,
            calls: BTreeMap::new(),
            initial_window: INITIAL_WINDOW,
            host_window: INITIAL_WINDOW,
            provider_window: INITIAL_WINDOW,
            failure: None,
        }
    }

    /// Whether the provider is still there.
    pub(super) fn has_provider(&self) -> bool {
        self.failure.is_none()
    }

    /// Takes what the host has sent; `false` where that is not HTTP/2.
    pub(super) fn host_sent(&mut self, bytes: &[u8]) -> bool {
        self.from_host.add(bytes);
        self.read_host().is_ok()
    }

    /// Takes what the provider has sent.
    pub(super) fn provider_sent(&mut self, bytes: &[u8]) {
        self.from_provider.add(bytes);
        if self.read_provider().is_err() {
            self.fail("what it sent is not HTTP/2");
        }
    }

    /// Goes on with a call that was kept: its answer, which may have changed.
    pub(super) fn release(&mut self, stream: u32, answer: Bytes, is_changed: bool) {
        // The host may have taken the call back.
        let Some(call) = self.calls.get_mut(&stream) else { return };
        call.release(answer, is_changed);
        self.flush(stream);
        self.grant(GRANT_BYTES);
    }

    fn read_host(&mut self) -> Result<(), Broken> {
        if !self.has_preface {
            let Some(preface) = self.from_host.preface()? else { return Ok(()) };
            self.to_provider.put(preface);
            self.has_preface = true;
        }
        while let Some(event) = self.from_host.next()? {
            if self.failure.is_some() {
                self.answer_without_provider(event);
                continue;
            }
            match event {
                Event::Headers { stream, block, is_end: _, whole } => {
                    self.to_provider.put(whole);
                    // Headers after a request have no path.
                    if let Some(path) = block.value(":path").filter(|_| !self.calls.contains_key(&stream)) {
                        let path = String::from_utf8_lossy(path).into_owned();
                        let interest = self.observer.interest(&path);
                        self.calls.insert(stream, Call::new(path, interest, self.initial_window));
                    }
                }
                Event::Frame(frame) => self.host_frame(frame)?,
            }
        }
        Ok(())
    }

    /// Passes on a frame of the host.
    fn host_frame(&mut self, frame: Frame) -> Result<(), Broken> {
        match frame.kind {
            frame::DATA => {
                let observer = &self.observer;
                if let Some(call) = self.calls.get_mut(&frame.stream)
                    && !call.ask(&frame.content()?, |name| observer.is_of_interest(name))
                {
                    let answer = call.take_answer();
                    self.release(frame.stream, answer, false);
                }
            }
            frame::SETTINGS if !frame.has(frame::ACK) => {
                let settings = self.host_settings(&frame)?;
                frame::write(&mut self.to_provider, frame::SETTINGS, frame.flags, frame.stream, &settings);
                return Ok(());
            }
            frame::WINDOW_UPDATE => return self.host_takes(&frame),
            frame::RESET => {
                self.to_provider.put(frame.whole);
                self.forget(frame.stream);
                // What waited of this answer may have kept the others back.
                self.grant(GRANT_BYTES);
                return Ok(());
            }
            _ => {}
        }
        self.to_provider.put(frame.whole);
        Ok(())
    }

    /// The host takes more.
    fn host_takes(&mut self, frame: &Frame) -> Result<(), Broken> {
        let more = i64::from(frame.number()?);
        if frame.stream == 0 {
            self.host_window = self.host_window.saturating_add(more);
            if self.host_window > LARGEST_WINDOW {
                return Err(Broken);
            }
            self.flush_all();
            self.grant(1);
            return Ok(());
        }
        let Some(call) = self.calls.get_mut(&frame.stream) else {
            self.to_provider.put(&*frame.whole);
            return Ok(());
        };
        call.window = call.window.saturating_add(more);
        if call.window > LARGEST_WINDOW {
            return Err(Broken);
        }
        // What the provider was allowed before the host is not allowed again.
        let known = call.ahead.min(more);
        call.ahead = call.ahead.saturating_sub(known);
        if !call.is_answered {
            write_update(&mut self.to_provider, frame.stream, more.saturating_sub(known));
        }
        self.flush(frame.stream);
        Ok(())
    }

    fn read_provider(&mut self) -> Result<(), Broken> {
        while let Some(event) = self.from_provider.next()? {
            match event {
                Event::Headers { stream, block, is_end, .. } => self.provider_headers(stream, block, is_end),
                Event::Frame(frame) => self.provider_frame(frame)?,
            }
        }
        self.grant(GRANT_BYTES);
        Ok(())
    }

    fn provider_headers(&mut self, stream: u32, block: Block, is_end: bool) {
        // Of a call that the host has taken back.
        let Some(call) = self.calls.get_mut(&stream) else { return };
        call.is_answered |= is_end;
        if !call.is_kept() {
            // It is too late to keep the answer.
            call.interest = Interest::Nothing;
            call.push(Item::Headers { block: block.encode(), is_end });
            self.flush(stream);
            return;
        }
        if is_end && !call.heads.is_empty() {
            call.trailers = Some(block);
        } else {
            call.heads.push(block);
        }
        if is_end {
            self.exchange(stream);
        }
    }

    /// Passes on a frame of the provider.
    fn provider_frame(&mut self, frame: Frame) -> Result<(), Broken> {
        match frame.kind {
            frame::DATA => return self.provider_data(&frame),
            frame::SETTINGS if !frame.has(frame::ACK) => {
                let settings = self.provider_settings(&frame)?;
                self.has_settings = true;
                frame::write(&mut self.to_host, frame::SETTINGS, frame.flags, frame.stream, &settings);
                return Ok(());
            }
            frame::SETTINGS => {
                // What the host takes more counts after this.
                self.to_host.put(frame.whole);
                self.acknowledge_settings();
                self.flush_all();
                return Ok(());
            }
            frame::RESET => {
                // An answer that is whole still reaches the host before that.
                if let Some(call) = self.calls.get_mut(&frame.stream).filter(|call| call.is_answered) {
                    call.reset = Some(frame.payload());
                    return Ok(());
                }
                self.forget(frame.stream);
            }
            _ => {}
        }
        self.to_host.put(frame.whole);
        Ok(())
    }

    /// Passes on or keeps a part of an answer.
    fn provider_data(&mut self, frame: &Frame) -> Result<(), Broken> {
        let size = i64::try_from(frame.payload().len()).map_err(|_| Broken)?;
        self.provider_window = self.provider_window.saturating_sub(size);
        let content = frame.content()?;
        let own = i64::try_from(content.len()).map_err(|_| Broken)?;
        let is_end = frame.has(frame::END_STREAM);
        // Of a call that the host has taken back.
        let Some(call) = self.calls.get_mut(&frame.stream) else { return Ok(()) };
        call.is_answered |= is_end;
        if call.is_kept() {
            call.kept = call.kept.saturating_add(size);
            let is_readable = call.keep(&content);
            if !is_readable {
                let answer = call.take_answer();
                call.release(answer, false);
                self.flush(frame.stream);
            } else if is_end {
                self.exchange(frame.stream);
            } else if call.kept.saturating_mul(2) >= call.window {
                write_update(&mut self.to_provider, frame.stream, call.kept);
                call.ahead = call.ahead.saturating_add(call.kept);
                call.kept = 0;
            }
            return Ok(());
        }
        let padding = size.saturating_sub(own);
        if padding > 0 && !is_end {
            // The host never sees it, so it does not allow it again.
            write_update(&mut self.to_provider, frame.stream, padding);
        }
        call.push(Item::Data { content, is_end });
        self.flush(frame.stream);
        Ok(())
    }

    /// The messages of a call are there.
    fn exchange(&mut self, stream: u32) {
        let Some(call) = self.calls.get_mut(&stream) else { return };
        let (path, answer) = (call.path.clone(), call.take_answer());
        let request = std::mem::take(&mut call.request).freeze();
        self.exchanges.push(Exchange { stream, path, request, answer });
    }

    /// Sends what the host takes of a call.
    fn flush(&mut self, stream: u32) {
        let Some(call) = self.calls.get_mut(&stream) else { return };
        let (sent, is_end) = call.flush(&mut self.to_host, stream, self.host_window);
        self.host_window = self.host_window.saturating_sub(sent);
        if is_end {
            self.forget(stream);
        }
    }

    /// Sends what the host takes of all calls.
    fn flush_all(&mut self) {
        let waiting = self.calls.iter().filter(|(_, call)| call.is_waiting());
        let waiting: Vec<u32> = waiting.map(|(stream, _)| *stream).collect();
        for stream in waiting {
            self.flush(stream);
        }
    }

    /// A call has come to its end.
    fn forget(&mut self, stream: u32) {
        if let Some(call) = self.calls.remove(&stream) {
            self.is_goodbye |= call.path == GOODBYE;
        }
    }

    /// Lets the provider send as much as the host takes, if that is at least so much more than it believes.
    fn grant(&mut self, least: i64) {
        let more = self.host_window.saturating_sub(self.provider_window);
        if more < least || self.failure.is_some() {
            return;
        }
        let queued = self.calls.values().map(Call::queued).fold(0, i64::saturating_add);
        let more = more.saturating_sub(queued);
        if more >= least {
            write_update(&mut self.to_provider, 0, more);
            self.provider_window = self.provider_window.saturating_add(more);
        }
    }
}

/// Writes that more may be sent.
fn write_update(out: &mut BytesMut, stream: u32, more: i64) {
    if let Ok(more @ 1..) = u32::try_from(more) {
        frame::write(out, frame::WINDOW_UPDATE, 0, stream, &more.to_be_bytes());
    }
}
