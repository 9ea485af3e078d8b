use std::collections::BTreeMap;
use std::convert::Infallible;
use std::ffi::OsString;
use std::sync::Arc;

use hyper::body::Incoming;
use hyper::service::service_fn;
use hyper::{Request, Response};
use hyper_util::rt::{TokioExecutor, TokioIo};
use plantime::Type;
use prost::Message;
use tokio::net::TcpListener;

use super::{Kind, Resources};
use crate::grpc::{ResponseBody, message_response};
use crate::handshake::{Protocol, read_line};
use crate::message::schema::v6::ProviderSchema;
use crate::proxy::child::Dialer;
use crate::proxy::facts::Knowledge;
use crate::proxy::options::Options;
use crate::{schema, wire};

/// The response with the schema of one resource type.
async fn schemas(_: Request<Incoming>) -> Result<Response<ResponseBody>, Infallible> {
    let of_type = wire::schema::schema6(&schema().optional("name", Type::String).build()).expect("a schema");
    let resource_schemas = BTreeMap::from([("t".to_owned(), of_type)]);
    let message = ProviderSchema { resource_schemas, ..ProviderSchema::default() };
    Ok(message_response(&message.encode_to_vec()).expect("a response"))
}

#[tokio::test]
async fn a_provider_that_gave_no_schemas_is_asked_again() {
    let listener = TcpListener::bind("127.0.0.1:0").await.expect("a listener");
    let line = format!("1|6|tcp|{}|grpc", listener.local_addr().expect("an address"));
    let dialer = Dialer::new(&read_line(&line).expect("a line"), None).expect("a dialer");
    tokio::spawn(async move {
        // The first connection ends at once.
        drop(listener.accept().await);
        loop {
            let (stream, _) = listener.accept().await.expect("a connection");
            let server = hyper::server::conn::http2::Builder::new(TokioExecutor::new());
            tokio::spawn(server.serve_connection(TokioIo::new(stream), service_fn(schemas)));
        }
    });
    let resources = Arc::new(Resources::new(dialer, Protocol::V6, None));
    assert!(resources.schema(Kind::Resource, "t").await.is_none());
    // The user is told once.
    assert_eq!(resources.warnings.lock().expect("no panic").len(), 1);
    assert!(resources.schema(Kind::Resource, "t").await.is_some());
    assert!(resources.value_type("t").await.is_some_and(|ty| ty.to_string().contains("name")));
    assert!(resources.value_type("u").await.is_none());
    assert_eq!(resources.warnings.lock().expect("no panic").len(), 1);
}

/// Facts about a part that the resource type does not have do nothing: the user hears so, once.
#[tokio::test]
async fn a_fact_with_a_mistyped_path_is_named() {
    let file = std::env::temp_dir().join(format!("plantime-facts-{}", std::process::id()));
    std::fs::write(&file, "t a/b\n  nam A notnull()\n  name A notnull()\n").expect("a file");
    let arguments = ["--no-catalogue", "--provider", "a/b", "--assume"].map(OsString::from);
    let end = [file.clone().into_os_string(), "--".into(), "provider".into()];
    let options = Options::read(arguments.into_iter().chain(end).collect()).expect("options");
    let knowledge = Knowledge::read(&options).expect("facts");
    std::fs::remove_file(&file).expect("a file");
    let dialer =
        Dialer::new(&read_line("1|6|tcp|127.0.0.1:1|grpc").expect("a line"), None).expect("a dialer");
    let resources = Resources::new(dialer, Protocol::V6, knowledge);
    let ty = Type::object([("name", Type::String)]).expect("a type");
    resources.check_paths("t", &ty);
    resources.check_paths("t", &ty);
    let warnings: Vec<String> = resources.warnings.lock().expect("no panic").iter().cloned().collect();
    assert_eq!(warnings.len(), 1);
    assert!(warnings[0].contains("about t.nam does not count"), "{warnings:?}");
}
