//! The proxy is a program beside the command, which becomes it.

use std::os::unix::fs::PermissionsExt;
use std::process::Command;

/// The command in a folder of its own, beside a proxy that prints its arguments if there is one.
fn run(name: &str, has_proxy: bool, arguments: &[&str]) -> (Option<i32>, String, String) {
    let folder = std::env::temp_dir().join(format!("plantime-cli-proxy-{name}-{}", std::process::id()));
    std::fs::create_dir_all(&folder).expect("a folder");
    let own = folder.join("plantime");
    std::fs::copy(env!("CARGO_BIN_EXE_plantime"), &own).expect("the command is copied");
    if has_proxy {
        let proxy = folder.join("plantime-proxy");
        std::fs::write(&proxy, "#!/bin/sh\nprintf '<%s>' \"$@\"\nexit 7\n").expect("a script");
        std::fs::set_permissions(&proxy, std::fs::Permissions::from_mode(0o755)).expect("permissions");
    }
    // A process that another test is starting may still hold the new file open for a moment.
    let output = loop {
        match Command::new(&own).args(arguments).env("PATH", "/nowhere").output() {
            Err(error) if error.kind() == std::io::ErrorKind::ExecutableFileBusy => continue,
            output => break output.expect("it starts"),
        }
    };
    std::fs::remove_dir_all(&folder).expect("the folder is there");
    let text = |bytes: Vec<u8>| String::from_utf8(bytes).expect("text");
    (output.status.code(), text(output.stdout), text(output.stderr))
}

#[test]
fn arguments_reach_the_proxy_as_they_were_typed() {
    let (status, out, err) = run("all", true, &["proxy", "--", "provider", "--debug"]);
    assert_eq!((status, &*out, &*err), (Some(7), "<--><provider><--debug>", ""));
    let (_, out, _) = run("options", true, &["proxy", "--assume", "a b", "--", "provider"]);
    assert_eq!(out, "<--assume><a b><--><provider>");
    let (_, out, _) = run("record", true, &["record", "calls.jsonl", "--", "provider", "-x"]);
    assert_eq!(out, "<--no-catalogue><--record><calls.jsonl><--><provider><-x>");
}

#[test]
fn what_is_missing_is_named() {
    let (status, out, err) = run("missing", false, &["proxy", "--", "provider"]);
    assert_eq!(status, Some(2));
    assert!(err.starts_with("error: plantime-proxy could not be started: No such file"), "{err}");
    // A host shows its user this line only.
    assert_eq!(out, err);
    let (status, _, err) = run("short", true, &["record", "calls.jsonl"]);
    assert_eq!((status, err.starts_with("error: plantime record takes a file")), (Some(2), true));
}
