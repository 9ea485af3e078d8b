//! What the proxy writes to the host's log.

/// Writes a line at a level. What a line says must be no content of a resource.
pub(super) fn log(level: &str, message: &str) {
    crate::log::write(level, "plantime-proxy", message, serde_json::Map::new());
}
