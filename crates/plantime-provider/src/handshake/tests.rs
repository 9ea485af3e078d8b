//! The environment that hosts set, and the line that they read.

use super::*;

fn invited(variables: &[(&str, &str)]) -> Result<Invitation, Refusal> {
    let (cookie, value) = COOKIE;
    let set = |name: &str| variables.iter().find(|(of, _)| *of == name).map(|(_, value)| (*value).to_owned());
    invitation(|name| if name == cookie { Some(value.to_owned()) } else { set(name) })
}

#[test]
fn without_the_cookie_nothing_is_served() {
    assert_eq!(invitation(|_| None), Err(Refusal::NotByHost));
    assert_eq!(invitation(|_| Some("6".to_owned())), Err(Refusal::NotByHost));
}

#[test]
fn the_highest_common_protocol_is_spoken() {
    let protocol =
        |versions: &str| invited(&[("PLUGIN_PROTOCOL_VERSIONS", versions)]).map(|invited| invited.protocol);
    assert_eq!(protocol("5,6"), Ok(Protocol::V6));
    assert_eq!(protocol("6, 5"), Ok(Protocol::V6));
    assert_eq!(protocol("4,5"), Ok(Protocol::V5));
    assert_eq!(protocol("7"), Err(Refusal::NoCommonProtocol));
    assert_eq!(invited(&[]).map(|invited| invited.protocol), Ok(Protocol::V5));
}

#[test]
fn an_empty_variable_is_none() {
    let invited =
        invited(&[("PLUGIN_CLIENT_CERT", ""), ("PLUGIN_MIN_PORT", "10000"), ("PLUGIN_MAX_PORT", "x")]);
    let expected = Invitation {
        protocol: Protocol::V5,
        client_certificate: None,
        socket_directory: None,
        ports: (10000, 0),
    };
    assert_eq!(invited, Ok(expected));
}

#[test]
fn the_line_has_six_parts() {
    assert_eq!(line(Protocol::V6, "unix", "/tmp/s", Some(b"\xff")), "1|6|unix|/tmp/s|grpc|/w");
    assert_eq!(line(Protocol::V5, "tcp", "127.0.0.1:9", None), "1|5|tcp|127.0.0.1:9|grpc|");
}

#[test]
fn the_variable_for_debugging_names_the_socket() {
    let text = reattach("registry.terraform.io/hashicorp/demo", Protocol::V6, "unix", "/tmp/s");
    let read: Option<serde_json::Value> = serde_json::from_str(&text).ok();
    let place =
        read.as_ref().and_then(|read| read.pointer("/registry.terraform.io~1hashicorp~1demo/Addr/String"));
    assert_eq!(place.and_then(serde_json::Value::as_str), Some("/tmp/s"));
}
