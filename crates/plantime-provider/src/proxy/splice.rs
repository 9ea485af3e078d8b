//! Moves bytes between the two connections of a [`Relay`], in one task: a call costs one reading and one writing on each side.

use std::future::poll_fn;
use std::pin::Pin;
use std::task::{Context, Poll, ready};
use std::time::Duration;

use bytes::{Buf, Bytes, BytesMut};
use tokio::io::{AsyncRead, AsyncWrite, ReadBuf};
use tokio::time::{Sleep, sleep};

use super::relay::{Exchange, Observer, Relay};

/// How much is read at once.
const READ_BYTES: usize = 64 << 10;
/// How much may wait for one side before no more is read from the other.
const WAITING_BYTES: usize = 1 << 20;
/// How long a provider that takes nothing more may send nothing before it is given up.
const LAST_TIME: Duration = Duration::from_secs(2);

/// What the host hears of a connection that has ended.
const ENDED: &str = "the connection ended";

/// What becomes of an exchange: its answer, and whether that is another one.
pub(super) type Finishing = Pin<Box<dyn Future<Output = (Bytes, bool)> + Send>>;

/// Two connections and what is between them.
struct Splice<'s, H, P, O> {
    host: Output<H>,
    provider: Output<P>,
    relay: Relay<O>,
    finish: &'s (dyn Fn(Exchange) -> Finishing + Sync),
    goodbye: &'s (dyn Fn() + Sync),
    finishing: Vec<(u32, Finishing)>,
    read: Vec<u8>,
    /// Whether the provider takes nothing more: what it has sent is still read to its end, since it may say what was created.
    is_deaf: bool,
    /// Until when the rest of a deaf provider is waited for.
    last: Option<Pin<Box<Sleep>>>,
}

/// A connection, and whether all that was written to it is on its way.
struct Output<S> {
    stream: S,
    is_flushed: bool,
}

impl<S: AsyncRead + AsyncWrite + Unpin> Output<S> {
    fn new(stream: S) -> Output<S> {
        Output { stream, is_flushed: true }
    }

    /// Writes as much as the connection takes; ready when that is all of it.
    fn write(&mut self, bytes: &mut BytesMut, context: &mut Context<'_>) -> Poll<std::io::Result<()>> {
        while !bytes.is_empty() {
            let written = ready!(Pin::new(&mut self.stream).poll_write(context, bytes))?;
            if written == 0 {
                return Poll::Ready(Err(std::io::ErrorKind::WriteZero.into()));
            }
            bytes.advance(written);
            self.is_flushed = false;
        }
        if !self.is_flushed {
            ready!(Pin::new(&mut self.stream).poll_flush(context))?;
            self.is_flushed = true;
        }
        Poll::Ready(Ok(()))
    }

    /// Reads what is there; nothing at the end.
    fn read<'b>(
        &mut self,
        buffer: &'b mut [u8],
        context: &mut Context<'_>,
    ) -> Poll<std::io::Result<&'b [u8]>> {
        let mut read = ReadBuf::new(buffer);
        ready!(Pin::new(&mut self.stream).poll_read(context, &mut read))?;
        let length = read.filled().len();
        Poll::Ready(Ok(buffer.get(..length).unwrap_or_default()))
    }
}

/// Serves a host on its connection until that ends. Each exchange is finished before the host gets the answer.
pub(super) async fn splice<H, P, O>(
    host: H,
    provider: P,
    observer: O,
    finish: &(dyn Fn(Exchange) -> Finishing + Sync),
    goodbye: &(dyn Fn() + Sync),
) where
    H: AsyncRead + AsyncWrite + Unpin,
    P: AsyncRead + AsyncWrite + Unpin,
    O: Observer,
{
    let mut splice = Splice {
        host: Output::new(host),
        provider: Output::new(provider),
        relay: Relay::new(observer),
        finish,
        goodbye,
        finishing: Vec::new(),
        read: vec![0; READ_BYTES],
        is_deaf: false,
        last: None,
    };
    poll_fn(|context| splice.poll(context)).await;
}

impl<H, P, O> Splice<'_, H, P, O>
where
    H: AsyncRead + AsyncWrite + Unpin,
    P: AsyncRead + AsyncWrite + Unpin,
    O: Observer,
{
    /// Does all that can be done now; ready when the host is gone.
    fn poll(&mut self, context: &mut Context<'_>) -> Poll<()> {
        loop {
            self.finish(context);
            // What cannot be written wakes the task later; so does what cannot be read. Nothing is read for a side that does not
            // take what is there.
            self.write_to_provider(context);
            if let Poll::Ready(Err(_)) = self.host.write(&mut self.relay.to_host, context) {
                return Poll::Ready(());
            }
            if std::mem::take(&mut self.relay.is_goodbye) {
                (self.goodbye)();
            }
            let from_provider = self.read_from_provider(context);
            match self.read_from_host(context) {
                Ok(from_host) if from_host || from_provider => {}
                Ok(_) => return Poll::Pending,
                Err(HostGone) => return Poll::Ready(()),
            }
        }
    }

    /// Finishes exchanges.
    fn finish(&mut self, context: &mut Context<'_>) {
        for exchange in std::mem::take(&mut self.relay.exchanges) {
            self.finishing.push((exchange.stream, (self.finish)(exchange)));
        }
        let relay = &mut self.relay;
        self.finishing.retain_mut(|(stream, finishing)| match finishing.as_mut().poll(context) {
            Poll::Pending => true,
            Poll::Ready((answer, is_changed)) => {
                relay.release(*stream, answer, is_changed);
                false
            }
        });
    }

    /// Writes what the provider takes.
    fn write_to_provider(&mut self, context: &mut Context<'_>) {
        if self.relay.has_provider()
            && !self.is_deaf
            && let Poll::Ready(Err(_)) = self.provider.write(&mut self.relay.to_provider, context)
        {
            self.is_deaf = true;
        }
        if self.is_deaf {
            self.relay.to_provider.clear();
        }
    }

    /// Returns whether something was read.
    fn read_from_provider(&mut self, context: &mut Context<'_>) -> bool {
        if !self.relay.has_provider() || self.relay.to_host.len() > WAITING_BYTES {
            return false;
        }
        match self.provider.read(&mut self.read, context) {
            Poll::Pending => return self.is_given_up(context),
            Poll::Ready(Ok([])) => self.relay.fail(ENDED),
            Poll::Ready(Ok(bytes)) => self.relay.provider_sent(bytes),
            Poll::Ready(Err(error)) => self.relay.fail(&error.to_string()),
        }
        self.last = None;
        true
    }

    /// Gives up a provider that takes nothing more and has sent nothing for a while; returns whether it did.
    fn is_given_up(&mut self, context: &mut Context<'_>) -> bool {
        if !self.is_deaf {
            return false;
        }
        let last = self.last.get_or_insert_with(|| Box::pin(sleep(LAST_TIME)));
        if last.as_mut().poll(context).is_pending() {
            return false;
        }
        self.relay.fail(ENDED);
        true
    }

    /// Returns whether something was read.
    fn read_from_host(&mut self, context: &mut Context<'_>) -> Result<bool, HostGone> {
        // Without a provider, what the host sends is answered here.
        let waiting = if self.relay.has_provider() { &self.relay.to_provider } else { &self.relay.to_host };
        if waiting.len() > WAITING_BYTES {
            return Ok(false);
        }
        match self.host.read(&mut self.read, context) {
            Poll::Pending => Ok(false),
            Poll::Ready(Ok(bytes)) if !bytes.is_empty() && self.relay.host_sent(bytes) => Ok(true),
            Poll::Ready(_) => Err(HostGone),
        }
    }
}

/// The host has ended the connection, or what it sends is not HTTP/2.
struct HostGone;
