//! What the proxy writes to the host's log.

use serde_json::json;

/// Writes a line at a level, as hosts read it from standard error. What a line says must be no content of a resource.
pub(super) fn log(level: &str, message: &str) {
    let now = jiff::Timestamp::now().strftime("%Y-%m-%dT%H:%M:%S%.6fZ").to_string();
    let line =
        json!({ "@level": level, "@message": message, "@module": "plantime-proxy", "@timestamp": now });
    eprintln!("{line}");
}
