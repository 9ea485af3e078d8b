//! What the proxy writes to the host's log.

use std::sync::LazyLock;

use serde_json::Map;
use tracing::Level;

use crate::log::{HostLog, write};

/// The log that the user asks for.
static LOG: LazyLock<HostLog> = LazyLock::new(|| HostLog::from_environment(|name| std::env::var(name).ok()));

/// Writes a line to the log at a level, if the level that the user set shows it. The line must not hold the content of a
/// resource.
pub(super) fn log(level: Level, message: impl FnOnce() -> String) {
    if LOG.has(level) {
        write(&level.as_str().to_ascii_lowercase(), "plantime-proxy", &message(), Map::new());
    }
}
