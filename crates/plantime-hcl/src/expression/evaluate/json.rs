//! `jsondecode` of JSON that is not known yet, but what it is made of is: one unknown part would hide all others.

use plantime::{Type, Value, View};

use super::{Evaluated, Evaluator, Frame, ValueFacts};
use crate::expression::tree::{Call, Kind, Node};

impl Evaluator<'_> {
    /// `jsondecode(argument)` in a rule.
    pub(super) fn decoded_json(
        &self,
        call: &Call,
        argument: &Node,
        node: &Node,
        frame: Option<&Frame<'_>>,
    ) -> Evaluated {
        let functions = self.scope.functions;
        let decode =
            |text: Value| self.call_given(functions.get("jsondecode"), call, vec![vec![text]], node, frame);
        let inner = without_parentheses(argument);
        if let Kind::Call(encode) = &inner.kind
            && let ("jsonencode", [source], false) = (&*encode.name, &*encode.arguments, encode.expands)
        {
            self.count_steps(1, inner)?;
            let source = self.value(source, frame)?;
            if !source.is_wholly_known()
                && let Some(decoded) = round_trip(&source)
            {
                self.count_value(&source, node)?;
                return Ok(decoded.with_marks(&source.all_marks()));
            }
            return decode(self.call_given(
                functions.get("jsonencode"),
                encode,
                vec![vec![source]],
                inner,
                frame,
            )?);
        }
        let text = self.value(argument, frame)?;
        if !text.is_known()
            && !text.is_certainly_null()
            && let Some(name) = self.named_origin(argument, frame)
            && let Some(source) = self.scope.variables.json_source(&name)
            && let Some(decoded) = round_trip(&source)
        {
            self.count_value(&decoded, node)?;
            return Ok(decoded.with_marks(text.marks()).with_marks(&source.all_marks()));
        }
        decode(text)
    }
}

/// The node without the parentheses around it.
fn without_parentheses(node: &Node) -> &Node {
    let mut node = node;
    while let Kind::Parenthesis(inner) | Kind::Wrapped(inner) = &node.kind {
        node = inner;
    }
    node
}

/// What `jsondecode` makes of the JSON of a value: lists are tuples, maps are objects, and null has no type. `None` if nothing is known of it.
fn round_trip(value: &Value) -> Option<Value> {
    let (bare, _) = value.clone().unmark();
    if bare.is_certainly_null() {
        return Some(Value::null(Type::Dynamic));
    }
    let part = |part: &Value| round_trip(part).unwrap_or_else(Value::dynamic);
    let is_primitive = matches!(bare.ty(), Type::Bool | Type::Number | Type::String);
    match bare.view() {
        _ if is_primitive && !bare.may_be_null() => Some(bare.clone()),
        View::List(list) => Value::tuple(list.iter().map(part)).ok(),
        View::Tuple(tuple) => Value::tuple(tuple.iter().map(part)).ok(),
        View::Set(set) if bare.is_wholly_known() => Value::tuple(set.iter().map(part)).ok(),
        View::Map(map) => Value::object(map.iter().map(|(key, value)| (key, part(value)))).ok(),
        View::Object(object) => Value::object(object.iter().map(|(key, value)| (key, part(value)))).ok(),
        _ => None,
    }
}
