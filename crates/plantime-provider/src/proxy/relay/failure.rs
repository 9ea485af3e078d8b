//! What the host hears of a provider that does not answer any more.

use super::call::{Call, Interest};
use super::frame::{self, Event};
use super::{Observer, Relay};
use crate::grpc;
use crate::proxy::hpack::Block;

impl<O: Observer> Relay<O> {
    /// Ends every open call, and every later one, with an error to the host, because the provider does not answer any more.
    pub(in crate::proxy) fn fail(&mut self, why: &str) {
        if self.failure.is_some() {
            return;
        }
        let text = format!("the provider behind plantime-proxy does not answer: {why}");
        self.to_provider.clear();
        self.failure = Some(text);
        self.write_settings();
        // What is answered and waited for a larger window arrives whole.
        self.flush_all();
        let waiting = self.calls.iter().filter(|(_, call)| !call.is_answered);
        let waiting: Vec<u32> = waiting.map(|(stream, _)| *stream).collect();
        for stream in waiting {
            self.refuse(stream);
        }
    }

    /// Answers a call that the provider does not answer.
    fn refuse(&mut self, stream: u32) {
        let Some(text) = &self.failure else { return };
        let call = self.calls.get(&stream);
        // Those of the plugin itself, such as the streams of its output, are open until it ends.
        if call.is_some_and(|call| !call.path.starts_with("/plugin.")) {
            self.observer.unanswered(text);
        }
        let has_begun = call.is_some_and(|call| call.has_begun);
        let before = [(":status", "200".to_owned()), ("content-type", "application/grpc".to_owned())];
        let status = [("grpc-status", "14".to_owned()), ("grpc-message", grpc::encoded(text))];
        let block = if has_begun { Block::new(&status) } else { Block::new(&[before, status].concat()) };
        frame::write_headers(&mut self.to_host, stream, &block.encode(), true);
        self.forget(stream);
    }

    /// Answers the host in the place of a provider that does not.
    pub(super) fn answer_without_provider(&mut self, event: Event) {
        match event {
            Event::Headers { stream, block, .. } => {
                if let Some(path) = block.value(":path") {
                    let path = String::from_utf8_lossy(path).into_owned();
                    self.calls.insert(stream, Call::new(path, Interest::Nothing, self.initial_window));
                    self.refuse(stream);
                }
            }
            Event::Frame(frame) => match frame.kind {
                // Settings that cannot be read change nothing.
                frame::SETTINGS if !frame.has(frame::ACK) && self.host_settings(&frame).is_ok() => {
                    self.write_acknowledgements();
                    self.flush_all();
                }
                frame::PING if !frame.has(frame::ACK) => {
                    frame::write(&mut self.to_host, frame::PING, frame::ACK, 0, &frame.payload());
                }
                frame::WINDOW_UPDATE => {
                    // What was answered may still wait.
                    let _ = self.host_takes(&frame);
                    self.to_provider.clear();
                }
                frame::RESET => self.forget(frame.stream),
                _ => {}
            },
        }
    }

    /// Sends settings to a host that has got none, and takes those of the host.
    fn write_settings(&mut self) {
        if !self.has_settings {
            self.has_settings = true;
            frame::write(&mut self.to_host, frame::SETTINGS, 0, 0, &[]);
        }
        self.write_acknowledgements();
    }

    /// Acknowledges the settings of the host that are open.
    fn write_acknowledgements(&mut self) {
        while !self.open_settings.is_empty() {
            frame::write(&mut self.to_host, frame::SETTINGS, frame::ACK, 0, &[]);
            self.acknowledge_settings();
        }
    }
}
