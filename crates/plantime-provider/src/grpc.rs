//! gRPC over HTTP/2: frames, statuses and bodies, as far as providers need them.
//!
//! A message is a byte 0 (not compressed), its length in four bytes, and its bytes. The status is a trailer, or a header
//! where there is no message.

#[cfg(test)]
mod tests;

use std::convert::Infallible;
use std::pin::Pin;
use std::task::{Context, Poll};

use bytes::{BufMut, Bytes, BytesMut};
use http_body_util::combinators::UnsyncBoxBody;
use http_body_util::{BodyExt, Empty, Full, Limited};
use hyper::body::{Body, Frame, Incoming};
use hyper::header::{CONTENT_TYPE, HeaderMap, HeaderValue};
use hyper::{Response, StatusCode};

/// The maximum size of a message: 64 MiB, as hosts have it.
pub(crate) const MESSAGE_BYTES: usize = 64 << 20;
/// The size of the head of a frame.
pub(crate) const HEAD: usize = 5;

/// The body of a response.
pub(crate) type ResponseBody = UnsyncBoxBody<Bytes, hyper::Error>;

/// The reason why a call has no answer.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Status {
    code: u8,
    message: String,
}

impl Status {
    /// The request is not of this protocol.
    pub(crate) fn invalid(message: impl Into<String>) -> Status {
        Status { code: 3, message: message.into() }
    }

    /// A message is larger than the limit.
    pub(crate) fn too_large() -> Status {
        Status { code: 8, message: format!("a message is larger than {MESSAGE_BYTES} bytes") }
    }

    /// The provider does not have the method.
    pub(crate) fn unimplemented(method: &str) -> Status {
        Status { code: 12, message: format!("the provider does not implement {method}") }
    }

    /// The provider made a mistake.
    pub(crate) fn internal(message: impl Into<String>) -> Status {
        Status { code: 13, message: message.into() }
    }

    /// What it says.
    pub(crate) fn text(&self) -> &str {
        &self.message
    }

    /// The response that consists of this status.
    pub(crate) fn response(&self) -> Response<ResponseBody> {
        let mut response = response(Empty::new().map_err(never).boxed_unsync());
        write_status(response.headers_mut(), self.code, &self.message);
        response
    }
}

/// Reads the one message of a request.
pub(crate) async fn read_message(body: Incoming) -> Result<Bytes, Status> {
    let limit = MESSAGE_BYTES.saturating_add(HEAD);
    match Limited::new(body, limit).collect().await {
        Ok(collected) => unframe(collected.to_bytes()),
        Err(error) if error.is::<http_body_util::LengthLimitError>() => Err(Status::too_large()),
        Err(_) => Err(Status::invalid("the request ended early")),
    }
}

/// The message in a frame.
pub(crate) fn unframe(mut frame: Bytes) -> Result<Bytes, Status> {
    let head = frame.get(..HEAD).and_then(|head| head.first_chunk::<HEAD>());
    let Some([compressed, a, b, c, d]) = head.copied() else {
        return Err(Status::invalid("the request has no message"));
    };
    if compressed != 0 {
        return Err(Status { code: 12, message: "compressed messages are not supported".to_owned() });
    }
    let announced = usize::try_from(u32::from_be_bytes([a, b, c, d])).unwrap_or(usize::MAX);
    let message = frame.split_off(HEAD);
    if message.len() == announced {
        Ok(message)
    } else {
        Err(Status::invalid("the request is not one message"))
    }
}

/// A message in a frame.
pub(crate) fn frame(message: &[u8]) -> Result<Bytes, Status> {
    let length = u32::try_from(message.len()).map_err(|_| Status::too_large())?;
    let mut frame = BytesMut::with_capacity(message.len().saturating_add(HEAD));
    frame.put_u8(0);
    frame.put_u32(length);
    frame.put_slice(message);
    Ok(frame.freeze())
}

/// The response with one message. A message that no host would take is an error, which says so.
pub(crate) fn message_response(message: &[u8]) -> Result<Response<ResponseBody>, Status> {
    if message.len() > MESSAGE_BYTES {
        return Err(Status::too_large());
    }
    let mut trailers = HeaderMap::new();
    write_status(&mut trailers, 0, "");
    let body = Full::new(frame(message)?).with_trailers(std::future::ready(Some(Ok(trailers))));
    Ok(response(body.map_err(never).boxed_unsync()))
}

/// The response to a call that streams, which sends nothing and stays open as long as the connection.
pub(crate) fn open_response() -> Response<ResponseBody> {
    response(Open.boxed_unsync())
}

/// The response with a body.
fn response(body: ResponseBody) -> Response<ResponseBody> {
    let mut response = Response::new(body);
    *response.status_mut() = StatusCode::OK;
    response.headers_mut().insert(CONTENT_TYPE, HeaderValue::from_static("application/grpc"));
    response
}

/// Writes a status into headers or trailers.
fn write_status(headers: &mut HeaderMap, code: u8, message: &str) {
    headers.insert("grpc-status", HeaderValue::from(u16::from(code)));
    if let Ok(message) = HeaderValue::from_str(&encoded(message)) {
        headers.insert("grpc-message", message);
    }
}

/// The message of a status, percent-encoded as the protocol demands.
pub(crate) fn encoded(message: &str) -> String {
    let mut encoded = String::new();
    for byte in message.bytes() {
        match byte {
            b' '..=b'~' if byte != b'%' => encoded.push(char::from(byte)),
            _ => encoded.push_str(&format!("%{byte:02X}")),
        }
    }
    encoded
}

/// An error that cannot occur, as any error.
pub(crate) fn never<E>(error: Infallible) -> E {
    match error {}
}

/// A body that never ends.
struct Open;

impl Body for Open {
    type Data = Bytes;
    type Error = hyper::Error;

    fn poll_frame(
        self: Pin<&mut Self>,
        _: &mut Context<'_>,
    ) -> Poll<Option<Result<Frame<Bytes>, hyper::Error>>> {
        Poll::Pending
    }
}
