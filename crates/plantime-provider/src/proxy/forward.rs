//! Passes calls on to the provider.

use std::sync::Arc;

use bytes::Bytes;
use http_body_util::{BodyExt, Collected, Full, Limited};
use hyper::body::Incoming;
use hyper::header::{CONTENT_LENGTH, HOST};
use hyper::{Request, Response, Uri};
use tokio::sync::Notify;

use super::amend;
use super::child::{Caller, READ_BYTES};
use super::record::Recorder;
use super::resources::Resources;
use crate::diagnostic::Severity;
use crate::grpc::{self, ResponseBody, Status};
use crate::raw;
use crate::serve::{Answer, FAREWELL};

/// The call with which the host says that it needs the provider no more.
const GOODBYE: &str = "/plugin.GRPCController/Shutdown";

/// The methods that take or give several messages, which are passed on as they come.
const STREAMS: [&str; 5] =
    ["InvokeAction", "ListResource", "ProvisionResource", "ReadStateBytes", "WriteStateBytes"];

/// Passes calls on, and what the provider answers back.
pub(super) struct Forwarder {
    caller: Caller,
    resources: Resources,
    on_broken: Severity,
    recorder: Option<Recorder>,
    /// Is notified when the host has said goodbye.
    pub(super) end: Arc<Notify>,
}

impl Forwarder {
    /// Passes calls on with this caller.
    pub(super) fn new(
        caller: Caller,
        resources: Resources,
        on_broken: Severity,
        recorder: Option<Recorder>,
    ) -> Forwarder {
        Forwarder { caller, resources, on_broken, recorder, end: Arc::new(Notify::new()) }
    }

    /// The response to a call. Only calls about facts and calls to be recorded are read; the bodies of all others, of whatever number of messages, are
    /// neither read nor kept.
    async fn pass(&self, request: Request<Incoming>) -> Result<Response<ResponseBody>, Status> {
        let path = request.uri().path().to_owned();
        let method = method(&path);
        let is_amended =
            self.resources.has_knowledge() && matches!(method, "PlanResourceChange" | "ApplyResourceChange");
        let is_recorded = self.recorder.is_some() && !method.is_empty() && !STREAMS.contains(&method);
        if !is_amended && !is_recorded {
            if let Some(recorder) = self.recorder.as_ref().filter(|_| !method.is_empty()) {
                recorder.call(&path);
            }
            let response = self.caller.send(outward(request.map(|body| body.boxed_unsync()))?).await?;
            return Ok(response.map(|body| body.boxed_unsync()));
        }
        let (head, body) = request.into_parts();
        let body = collect(body).await?.to_bytes();
        let asked = grpc::unframe(body.clone()).ok();
        let request = Request::from_parts(head, Full::new(body).map_err(grpc::never).boxed_unsync());
        let has_facts = |request: &Bytes| !self.resources.facts(&raw::text(request, 1)).is_empty();
        if !is_recorded && !asked.as_ref().is_some_and(has_facts) {
            let response = self.caller.send(outward(request)?).await?;
            return Ok(response.map(|body| body.boxed_unsync()));
        }
        let (head, body) = self.caller.send(outward(request)?).await?.into_parts();
        let body = collect(body).await?;
        let trailers = body.trailers().cloned();
        let body = body.to_bytes();
        let answered = grpc::unframe(body.clone()).ok();
        if let Some(recorder) = &self.recorder {
            recorder.exchange(&self.resources, &path, asked.as_ref(), answered.as_ref()).await;
        }
        let amended = match (&asked, &answered) {
            (Some(request), Some(answer)) if is_amended => self.amended(method, request, answer).await,
            _ => None,
        };
        let body = match &amended {
            Some(message) => grpc::frame(message)?,
            None => body,
        };
        let mut response = Response::from_parts(head, with_trailers(body, trailers));
        response.headers_mut().remove(CONTENT_LENGTH);
        Ok(response)
    }

    /// The answer with what the proxy adds to it.
    async fn amended(&self, method: &str, request: &Bytes, answer: &Bytes) -> Option<Bytes> {
        match method {
            "PlanResourceChange" => amend::plan(&self.resources, request, answer).await,
            "ApplyResourceChange" => amend::apply(&self.resources, self.on_broken, request, answer).await,
            _ => None,
        }
    }
}

impl Answer for Forwarder {
    async fn answer(&self, request: Request<Incoming>) -> Response<ResponseBody> {
        let is_goodbye = request.uri().path() == GOODBYE;
        let answer = self.pass(request).await.unwrap_or_else(|status| status.response());
        if is_goodbye {
            let end = Arc::clone(&self.end);
            // The answer has to be written first.
            tokio::spawn(async move {
                tokio::time::sleep(FAREWELL).await;
                end.notify_one();
            });
        }
        answer
    }
}

/// The name of a provider's method; empty for other calls.
fn method(path: &str) -> &str {
    let of = |prefix| path.strip_prefix(prefix);
    of("/tfplugin6.Provider/").or_else(|| of("/tfplugin5.Provider/")).unwrap_or_default()
}

/// Reads a whole body.
async fn collect(body: Incoming) -> Result<Collected<Bytes>, Status> {
    Limited::new(body, READ_BYTES).collect().await.map_err(|error| {
        if error.is::<http_body_util::LengthLimitError>() {
            Status::too_large()
        } else {
            Status::unavailable(format!("the call ended early: {error}"))
        }
    })
}

/// A body of these bytes. One without trailers has none here either: its status is in the headers.
fn with_trailers(body: Bytes, trailers: Option<hyper::HeaderMap>) -> ResponseBody {
    let body = Full::new(body);
    match trailers {
        None => body.map_err(grpc::never).boxed_unsync(),
        Some(trailers) => {
            body.with_trailers(std::future::ready(Some(Ok(trailers)))).map_err(grpc::never).boxed_unsync()
        }
    }
}

/// The request to the provider instead of to the proxy.
fn outward(mut request: Request<ResponseBody>) -> Result<Request<ResponseBody>, Status> {
    let address = format!("http://localhost{}", request.uri().path());
    *request.uri_mut() =
        address.parse::<Uri>().map_err(|_| Status::invalid("the path is not one of a call"))?;
    request.headers_mut().remove(HOST);
    Ok(request)
}
