//! Calls of provider functions.

use plantime::{Type, Value};

use super::Server;
use crate::erased::{Called, catch_panic, catch_panic_now};
use crate::function::Parameter;
use crate::message::FunctionError;
use crate::message::calls::{CallRequest, CallResponse};
use crate::wire;

impl Server {
    /// Calls a function.
    pub(super) async fn call_function(&self, request: CallRequest) -> CallResponse {
        let (result, ty) = self.called(request).await;
        let encoded =
            result.and_then(|value| wire::encode(&value, &ty).map_err(|error| (error.to_string(), None)));
        match encoded {
            Ok(result) => CallResponse { result: Some(result), error: None },
            Err((text, argument)) => {
                let function_argument = argument.and_then(|index| i64::try_from(index).ok());
                CallResponse { result: None, error: Some(FunctionError { text, function_argument }) }
            }
        }
    }

    /// The result of a call and its declared type.
    async fn called(&self, request: CallRequest) -> (Called, Type) {
        let Some(function) = self.provider.functions.get(&request.name) else {
            let text = format!("The provider {} has no function {}", self.provider.name, request.name);
            return (Err((text, None)), Type::Dynamic);
        };
        let signature = match catch_panic_now(|| function.signature()) {
            Ok(signature) => signature,
            Err(text) => return (Err((text, None)), Type::Dynamic),
        };
        let declared = signature
            .parameters
            .iter()
            .chain(std::iter::repeat_with(|| signature.variadic.as_ref()).flatten());
        let mut arguments: Vec<Value> = Vec::with_capacity(request.arguments.len());
        if signature.variadic.is_none() && request.arguments.len() > signature.parameters.len() {
            return (Err(("Too many arguments".to_owned(), None)), signature.result);
        }
        for (index, (argument, parameter)) in request.arguments.iter().zip(declared).enumerate() {
            match wire::decode(Some(argument), &parameter.ty) {
                Ok(argument) => match not_allowed(&argument, parameter) {
                    None => arguments.push(argument),
                    Some(text) => return (Err((text, Some(index))), signature.result),
                },
                Err(error) => return (Err((error.to_string(), Some(index))), signature.result),
            }
        }
        if arguments.len() < signature.parameters.len() {
            return (Err(("Too few arguments".to_owned(), None)), signature.result);
        }
        let called = catch_panic(std::sync::Arc::clone(function).call(arguments)).await;
        (called.unwrap_or_else(|text| Err((text, None))), signature.result)
    }
}

/// Why a parameter does not take an argument: hosts make no call with such a one.
fn not_allowed(argument: &Value, parameter: &Parameter) -> Option<String> {
    let name = &parameter.name;
    if argument.is_null() && !parameter.nullable {
        return Some(format!("Invalid value for \"{name}\" parameter: argument must not be null."));
    }
    let is_open = !argument.is_wholly_known() && !parameter.unknown;
    is_open.then(|| format!("Invalid value for \"{name}\" parameter: argument must be known."))
}
