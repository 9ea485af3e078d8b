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
        let random = RandomState::new().hash_one(std::process::id());
        let directory = parent.join(format!("plugin{random:016x}"));
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
