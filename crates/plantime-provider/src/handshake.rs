//! How the host starts a provider: its environment, and the line that the provider prints.

#[cfg(test)]
mod tests;

use base64::Engine;
use base64::engine::general_purpose::STANDARD_NO_PAD;

/// The variable that hosts set, and its value, so that a provider knows that a host has started it.
const COOKIE: (&str, &str) =
    ("TF_PLUGIN_MAGIC_COOKIE", "d602bf8f470bc67ca7faa0386276bbdd4330efaf76d1a219cb4d6991ca9872b2");

/// A version of the provider protocol.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub(crate) enum Protocol {
    /// Protocol 5, without nested attributes.
    V5,
    /// Protocol 6.
    V6,
}

impl Protocol {
    /// The number of the version.
    pub(crate) fn number(self) -> u8 {
        match self {
            Protocol::V5 => 5,
            Protocol::V6 => 6,
        }
    }

    /// The version with a number.
    pub(crate) fn from_number(number: &str) -> Option<Protocol> {
        match number.trim() {
            "5" => Some(Protocol::V5),
            "6" => Some(Protocol::V6),
            _ => None,
        }
    }
}

/// What the host says to a provider that it starts.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Invitation {
    /// The protocol to be spoken.
    pub(crate) protocol: Protocol,
    /// The certificate of the host in PEM; `None` where TLS is off.
    pub(crate) client_certificate: Option<String>,
    /// The directory for the unix socket.
    pub(crate) socket_directory: Option<String>,
    /// The ports to choose from for TCP.
    pub(crate) ports: (u16, u16),
}

/// Why a provider does not start.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Refusal {
    /// No host has started it.
    NotByHost,
    /// The host speaks other versions of the protocol only.
    NoCommonProtocol,
}

impl Refusal {
    /// What is printed.
    pub(crate) fn text(self) -> &'static str {
        match self {
            Refusal::NotByHost => {
                "This program is a provider: Terraform and OpenTofu start it, it is not run by hand. With --debug it waits for one."
            }
            Refusal::NoCommonProtocol => "The host speaks neither protocol 5 nor protocol 6.",
        }
    }
}

/// Reads the environment of a provider.
pub(crate) fn invitation(variable: impl Fn(&str) -> Option<String>) -> Result<Invitation, Refusal> {
    let (name, value) = COOKIE;
    if variable(name).as_deref() != Some(value) {
        return Err(Refusal::NotByHost);
    }
    // A host that names no versions is older than the negotiation, and speaks 5.
    let versions = variable("PLUGIN_PROTOCOL_VERSIONS").unwrap_or_else(|| "5".to_owned());
    let protocol =
        versions.split(',').filter_map(Protocol::from_number).max().ok_or(Refusal::NoCommonProtocol)?;
    let port = |name: &str| variable(name).and_then(|port| port.parse().ok()).unwrap_or(0);
    let set = |name: &str| variable(name).filter(|value| !value.is_empty());
    Ok(Invitation {
        protocol,
        client_certificate: set("PLUGIN_CLIENT_CERT"),
        socket_directory: set("PLUGIN_UNIX_SOCKET_DIR"),
        ports: (port("PLUGIN_MIN_PORT"), port("PLUGIN_MAX_PORT")),
    })
}

/// The line that the provider prints first: where it listens, and its certificate.
pub(crate) fn line(protocol: Protocol, network: &str, address: &str, certificate: Option<&[u8]>) -> String {
    let certificate = certificate.map(|der| STANDARD_NO_PAD.encode(der)).unwrap_or_default();
    format!("1|{}|{network}|{address}|grpc|{certificate}", protocol.number())
}

/// Where a provider listens, as the line that it printed says.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Announcement {
    /// The protocol that it speaks.
    pub(crate) protocol: Protocol,
    /// `unix` or `tcp`.
    pub(crate) network: String,
    /// The path of the socket, or the address and port.
    pub(crate) address: String,
    /// Its certificate in DER; `None` without TLS.
    pub(crate) certificate: Option<Vec<u8>>,
}

/// Reads the line that a provider prints; `None` for another text. Parts that newer providers add are left out.
pub(crate) fn read_line(line: &str) -> Option<Announcement> {
    let parts: Vec<&str> = line.trim_end().split('|').collect();
    let (["1", protocol, network, address], rest) = parts.split_at_checked(4)? else { return None };
    if !matches!(*network, "unix" | "tcp") || rest.first().is_some_and(|kind| *kind != "grpc") {
        return None;
    }
    let certificate = match rest.get(1).filter(|text| !text.is_empty()) {
        None => None,
        Some(text) => Some(STANDARD_NO_PAD.decode(text.trim_end_matches('=')).ok()?),
    };
    let (network, address) = ((*network).to_owned(), (*address).to_owned());
    Some(Announcement { protocol: Protocol::from_number(protocol)?, network, address, certificate })
}

/// The value of `TF_REATTACH_PROVIDERS` that leads a host to a provider that already runs.
pub(crate) fn reattach(provider: &str, protocol: Protocol, network: &str, address: &str) -> String {
    let entry = serde_json::json!({
        "Protocol": "grpc",
        "ProtocolVersion": protocol.number(),
        "Pid": std::process::id(),
        "Test": true,
        "Addr": { "Network": network, "String": address },
    });
    serde_json::json!({ provider: entry }).to_string()
}
