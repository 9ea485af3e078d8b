//! Settings on their way: the relay notes what concerns it, and allows no table of headers that is too large.
//!
//! A host counts by a new size of windows from the moment on in which it reads that the provider has acknowledged it. What the relay
//! sends before that may arrive before that too, so a larger size counts for it only when the acknowledgement has gone to the host; a
//! smaller one at once, as it is always allowed to send less.

use bytes::{Buf, BufMut};

use super::frame::{Broken, Frame, Reader};
use super::{LARGEST_WINDOW, Observer, Relay};
use crate::proxy::hpack::TABLE_BYTES;

/// The numbers of settings.
const HEADER_TABLE_SIZE: u16 = 1;
const INITIAL_WINDOW_SIZE: u16 = 4;
const MAX_FRAME_SIZE: u16 = 5;
/// How many settings of a host may wait for an acknowledgement: a host that sends so many at once wants no answer.
const OPEN_SETTINGS: usize = 1000;

impl<O: Observer> Relay<O> {
    /// Notes the settings of the host; returns them as they pass on.
    pub(super) fn host_settings(&mut self, frame: &Frame) -> Result<Vec<u8>, Broken> {
        let mut settings = Vec::new();
        let mut window = None;
        for (name, value) in settings_in(frame)? {
            let value = match name {
                HEADER_TABLE_SIZE => allowed_table(&mut self.from_provider, value),
                INITIAL_WINDOW_SIZE => {
                    window = Some(i64::from(value)).filter(|window| *window <= LARGEST_WINDOW);
                    if window.is_none() {
                        return Err(Broken);
                    }
                    value
                }
                MAX_FRAME_SIZE => {
                    allow_frames(&mut self.from_provider, value)?;
                    value
                }
                _ => value,
            };
            settings.put_u16(name);
            settings.put_u32(value);
        }
        if self.open_settings.len() >= OPEN_SETTINGS {
            return Err(Broken);
        }
        self.open_settings.push_back(window);
        self.change_initial_window();
        Ok(settings)
    }

    /// The host reads that the first of its settings that are open is acknowledged.
    pub(super) fn acknowledge_settings(&mut self) {
        if let Some(window) = self.open_settings.pop_front() {
            self.acknowledged_window = window.unwrap_or(self.acknowledged_window);
            self.change_initial_window();
        }
    }

    /// Lets the windows of all calls begin with what the host allows whichever of its settings it counts by.
    fn change_initial_window(&mut self) {
        let open = self.open_settings.iter().copied().flatten();
        let least = open.fold(self.acknowledged_window, i64::min);
        let more = least.saturating_sub(self.initial_window);
        self.initial_window = least;
        for call in self.calls.values_mut() {
            call.window = call.window.saturating_add(more);
        }
    }

    /// Remembers the HTTP/2 settings that the provider sends; returns the settings that are sent to the host in their place.
    pub(super) fn provider_settings(&mut self, frame: &Frame) -> Result<Vec<u8>, Broken> {
        let mut settings = Vec::new();
        for (name, value) in settings_in(frame)? {
            let value = match name {
                HEADER_TABLE_SIZE => allowed_table(&mut self.from_host, value),
                MAX_FRAME_SIZE => {
                    allow_frames(&mut self.from_host, value)?;
                    value
                }
                _ => value,
            };
            settings.put_u16(name);
            settings.put_u32(value);
        }
        Ok(settings)
    }
}

/// The settings in a frame.
fn settings_in(frame: &Frame) -> Result<Vec<(u16, u32)>, Broken> {
    let mut payload = frame.payload();
    let mut settings = Vec::new();
    while payload.has_remaining() {
        let name = payload.try_get_u16().map_err(|_| Broken)?;
        settings.push((name, payload.try_get_u32().map_err(|_| Broken)?));
    }
    Ok(settings)
}

/// Lets a side send frames of this size. A smaller size than before does not count, as larger frames may be on their way.
fn allow_frames(reader: &mut Reader, size: u32) -> Result<(), Broken> {
    reader.payload_bytes = reader.payload_bytes.max(usize::try_from(size).map_err(|_| Broken)?);
    Ok(())
}

/// Lets a side have a table of this size, at most the largest; returns which.
fn allowed_table(reader: &mut Reader, size: u32) -> u32 {
    let size = size.min(u32::try_from(TABLE_BYTES).unwrap_or(u32::MAX));
    reader.decoder.allow(usize::try_from(size).unwrap_or(TABLE_BYTES));
    size
}
