//! The socket that a provider listens on.

use std::io;
use std::path::{Path, PathBuf};

use tokio::io::{AsyncRead, AsyncWrite};
use tokio::net::TcpListener;

/// A connection, of whichever socket.
pub(crate) trait Connection: AsyncRead + AsyncWrite + Send + Unpin {}

impl<C: AsyncRead + AsyncWrite + Send + Unpin> Connection for C {}

/// A socket that listens.
pub(crate) enum Listener {
    /// A unix socket, in a directory that is removed with it.
    #[cfg(unix)]
    Unix(tokio::net::UnixListener, SocketFile),
    /// A TCP port of this machine.
    Tcp(TcpListener),
}

/// The path of a unix socket; dropping it removes its directory and all that is in there, such as the socket of a provider behind
/// the proxy that was killed.
pub(crate) struct SocketFile(PathBuf);

impl Drop for SocketFile {
    fn drop(&mut self) {
        // Nothing can be done about a file that stays: the next run has another name.
        if let Some(directory) = self.0.parent() {
            let _ = std::fs::remove_dir_all(directory);
        }
    }
}

impl Listener {
    /// A unix socket in a new directory inside this one, which no other user can enter.
    #[cfg(unix)]
    pub(crate) fn unix(directory: Option<&Path>) -> io::Result<Listener> {
        use std::hash::{BuildHasher, RandomState};
        use std::os::unix::fs::DirBuilderExt;

        let parent = directory.map_or_else(std::env::temp_dir, Path::to_path_buf);
        remove_abandoned(&parent);
        let random = RandomState::new().hash_one(std::process::id());
        let directory = parent.join(format!("{PREFIX}{random:016x}"));
        std::fs::DirBuilder::new().mode(0o700).create(&directory)?;
        let path = SocketFile(directory.join("socket"));
        Ok(Listener::Unix(tokio::net::UnixListener::bind(&path.0)?, path))
    }

    /// The first free port of a range on 127.0.0.1, or any port for 0.
    pub(crate) async fn tcp((first, last): (u16, u16)) -> io::Result<Listener> {
        let mut refused = io::Error::from(io::ErrorKind::AddrInUse);
        for port in first..=last.max(first) {
            match TcpListener::bind(("127.0.0.1", port)).await {
                Ok(listener) => return Ok(Listener::Tcp(listener)),
                Err(error) => refused = error,
            }
        }
        Err(refused)
    }

    /// The names of network and address, as the handshake has them.
    pub(crate) fn address(&self) -> io::Result<(&'static str, String)> {
        match self {
            #[cfg(unix)]
            Listener::Unix(_, path) => Ok(("unix", path.0.display().to_string())),
            Listener::Tcp(listener) => Ok(("tcp", listener.local_addr()?.to_string())),
        }
    }

    /// The directory of the socket, which no other user can enter; `None` for TCP.
    pub(crate) fn folder(&self) -> Option<&Path> {
        match self {
            #[cfg(unix)]
            Listener::Unix(_, path) => path.0.parent(),
            Listener::Tcp(_) => None,
        }
    }

    /// The next connection.
    pub(crate) async fn accept(&self) -> io::Result<Box<dyn Connection>> {
        match self {
            #[cfg(unix)]
            Listener::Unix(listener, _) => Ok(Box::new(listener.accept().await?.0)),
            Listener::Tcp(listener) => {
                let (connection, _) = listener.accept().await?;
                connection.set_nodelay(true)?;
                Ok(Box::new(connection))
            }
        }
    }
}

/// The start of the names of directories with sockets.
#[cfg(unix)]
const PREFIX: &str = "plugin";
/// How many entries of a directory are looked at: what is left over there stays.
#[cfg(unix)]
const ENTRIES: usize = 10_000;
/// How old a directory has to be before it counts as left over: its provider may be about to listen.
#[cfg(unix)]
const STARTING: std::time::Duration = std::time::Duration::from_secs(60);

/// Removes the directories of providers that were killed, which could not do so themselves: nobody listens to their sockets.
#[cfg(unix)]
fn remove_abandoned(parent: &Path) {
    for entry in std::fs::read_dir(parent).into_iter().flatten().take(ENTRIES).flatten() {
        let name = entry.file_name();
        let random = name.to_str().and_then(|name| name.strip_prefix(PREFIX));
        let is_own = random.is_some_and(|random| {
            random.len() == 16
                && random.bytes().all(|byte| byte.is_ascii_digit() || matches!(byte, b'a'..=b'f'))
        });
        if is_own && is_abandoned(&entry) {
            // Another provider that starts may remove it too.
            let _ = std::fs::remove_dir_all(entry.path());
        }
    }
}

/// Whether nobody listens to the socket in a directory. Of another user's directory that cannot be told.
#[cfg(unix)]
fn is_abandoned(entry: &std::fs::DirEntry) -> bool {
    let is_old = entry.metadata().is_ok_and(|data| {
        data.is_dir() && data.modified().is_ok_and(|time| time.elapsed().is_ok_and(|age| age > STARTING))
    });
    is_old
        && std::os::unix::net::UnixStream::connect(entry.path().join("socket"))
            .is_err_and(|error| error.kind() == io::ErrorKind::ConnectionRefused)
}

#[cfg(all(test, unix))]
mod tests {
    use super::*;

    /// Of a provider that was killed the directory stays, with a socket that nobody listens to.
    #[tokio::test]
    async fn what_killed_providers_leave_is_removed_by_the_next_one() {
        let parent = std::env::temp_dir().join(format!("plantime-listen-{}", std::process::id()));
        std::fs::create_dir_all(&parent).expect("a folder");
        let old = std::time::SystemTime::now() - 2 * STARTING;
        let folder = |name: &str, is_listening: bool| {
            let folder = parent.join(name);
            std::fs::create_dir_all(&folder).expect("a folder");
            let listener = std::os::unix::net::UnixListener::bind(folder.join("socket")).expect("a socket");
            let opened = std::fs::File::open(&folder).expect("a folder");
            opened.set_modified(old).expect("a time");
            (folder, is_listening.then_some(listener))
        };
        let killed = folder("plugin0123456789abcdef", false);
        let running = folder("pluginfedcba9876543210", true);
        let other = folder("plugin-of-somebody", false);
        let (young, _) = folder("plugin0000000000000000", false);
        std::fs::File::open(&young)
            .expect("a folder")
            .set_modified(std::time::SystemTime::now())
            .expect("a time");
        let listener = Listener::unix(Some(&parent)).expect("a listener");
        assert!(!killed.0.exists());
        assert!(running.0.exists() && other.0.exists() && young.exists());
        let own = listener.folder().expect("a folder").to_owned();
        drop(listener);
        assert!(!own.exists());
        std::fs::remove_dir_all(&parent).expect("removed");
    }
}
