//! Settings on their way: the relay notes what concerns it, and allows no table of headers that is too large.

use bytes::{Buf, BufMut};

use super::frame::{Broken, Frame, Reader};
use super::{Observer, Relay};
use crate::proxy::hpack::TABLE_BYTES;

/// The numbers of settings.
const HEADER_TABLE_SIZE: u16 = 1;
const INITIAL_WINDOW_SIZE: u16 = 4;
const MAX_FRAME_SIZE: u16 = 5;

impl<O: Observer> Relay<O> {
    /// Notes the settings of the host; returns them as they pass on.
    pub(super) fn host_settings(&mut self, frame: &Frame) -> Result<Vec<u8>, Broken> {
        let mut settings = Vec::new();
        for (name, value) in settings_in(frame)? {
            let value = match name {
                HEADER_TABLE_SIZE => allowed_table(&mut self.from_provider, value),
                INITIAL_WINDOW_SIZE => {
                    let new = i64::from(value);
                    let more = new.saturating_sub(self.initial_window);
                    self.initial_window = new;
                    for call in self.calls.values_mut() {
                        call.window = call.window.saturating_add(more);
                    }
                    value
                }
                MAX_FRAME_SIZE => {
                    self.from_provider.payload_bytes = usize::try_from(value).map_err(|_| Broken)?;
                    value
                }
                _ => value,
            };
            settings.put_u16(name);
            settings.put_u32(value);
        }
        Ok(settings)
    }

    /// Remembers the HTTP/2 settings that the provider sends; returns the settings that are sent to the host in their place.
    pub(super) fn provider_settings(&mut self, frame: &Frame) -> Result<Vec<u8>, Broken> {
        let mut settings = Vec::new();
        for (name, value) in settings_in(frame)? {
            let value = match name {
                HEADER_TABLE_SIZE => allowed_table(&mut self.from_host, value),
                MAX_FRAME_SIZE => {
                    self.from_host.payload_bytes = usize::try_from(value).map_err(|_| Broken)?;
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

/// Lets a side have a table of this size, at most the largest; returns which.
fn allowed_table(reader: &mut Reader, size: u32) -> u32 {
    let size = size.min(u32::try_from(TABLE_BYTES).unwrap_or(u32::MAX));
    reader.decoder.allow(usize::try_from(size).unwrap_or(TABLE_BYTES));
    size
}
