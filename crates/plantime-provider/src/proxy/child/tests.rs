use std::fs::{self, Permissions};
use std::os::unix::fs::PermissionsExt;
use std::os::unix::net::UnixListener;
use std::path::Path;

use super::{is_closed_to_others, is_private};
use crate::handshake::read_line;

/// Changes who may do what.
fn allow(path: &Path, mode: u32) {
    let changed = fs::set_permissions(path, Permissions::from_mode(mode));
    assert!(changed.is_ok(), "{changed:?}");
}

#[test]
fn a_socket_is_closed_where_no_other_user_may_write_or_replace_it() {
    let outer = std::env::temp_dir().join(format!("plantime-closed-{}", std::process::id()));
    let inner = outer.join("inner");
    fs::create_dir_all(&inner).expect("folders");
    let socket = inner.join("socket");
    let _listener = UnixListener::bind(&socket).expect("a socket");
    for (of_outer, of_inner, of_socket, is_closed) in [
        (0o755, 0o700, 0o755, true),
        (0o755, 0o700, 0o777, false),
        (0o755, 0o777, 0o755, false),
        // Another user may put another folder into the place of the inner one, but not where the bit is set.
        (0o777, 0o700, 0o755, false),
        (0o1777, 0o700, 0o755, true),
    ] {
        allow(&outer, of_outer);
        allow(&inner, of_inner);
        allow(&socket, of_socket);
        assert_eq!(is_closed_to_others(&socket), is_closed, "{of_outer:o} {of_inner:o} {of_socket:o}");
    }
    allow(&outer, 0o755);
    allow(&socket, 0o777);
    let line = |rest: &str| read_line(&format!("1|6|{rest}")).expect("a line");
    let of_socket = line(&format!("unix|{}|grpc|", socket.display()));
    // The folder is the proxy's own, so it does not matter who might write to the socket.
    assert!(is_private(&of_socket, Some(&inner)) && !is_private(&of_socket, None));
    let above = line(&format!("unix|{}/../../socket|grpc|", inner.display()));
    assert!(!is_private(&above, Some(&inner)));
    assert!(!is_private(&line("tcp|127.0.0.1:7|grpc|"), Some(&inner)));
    assert!(!is_private(&line(&format!("unix|{}|grpc|AAAA", socket.display())), Some(&inner)));
    fs::remove_dir_all(&outer).expect("the folder is there");
}
