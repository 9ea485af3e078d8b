//! Values of the type that the text implies.

use crate::error::Result;
use crate::path::Step;
use crate::text::Text;
use crate::types::Type;
use crate::value::Value;

use super::number::number;
use super::reader::{Reader, Token};

/// Reads the value that comes next.
pub(crate) fn value(reader: &mut Reader<'_>) -> Result<Value> {
    match reader.peek()? {
        Token::Null => reader.null().map(|()| Value::null(Type::Dynamic)),
        Token::Bool => reader.bool().map(Value::from),
        Token::Number => {
            let digits = reader.number()?;
            number(digits).map(Value::from).map_err(|error| reader.locate(error))
        }
        Token::String => reader.string().map(|text| Value::from(&*text.text())),
        Token::Array => array(reader),
        Token::Object => object(reader),
    }
}

fn array(reader: &mut Reader<'_>) -> Result<Value> {
    reader.open()?;
    let mut items = Vec::new();
    while reader.element(items.is_empty())? {
        items.push(value(reader).map_err(|error| error.under(Step::index(items.len())))?);
    }
    Value::tuple(items)
}

fn object(reader: &mut Reader<'_>) -> Result<Value> {
    reader.open()?;
    let mut attributes: Vec<(Text, Value)> = Vec::new();
    let mut sorted = true;
    while let Some(key) = reader.key(attributes.is_empty())? {
        let name = Text::new(&key.text());
        sorted = sorted && attributes.last().is_none_or(|(last, _)| *last < name);
        let value = value(reader).map_err(|error| error.under(Step::attr(name.as_str())))?;
        attributes.push((name, value));
    }
    if !sorted {
        attributes.sort_by(|(a, _), (b, _)| a.cmp(b));
        if let Some([(twice, _), ..]) =
            attributes.windows(2).find(|pair| matches!(pair, [a, b] if a.0 == b.0))
        {
            return Err(reader.error(&format!("duplicate {twice:?} property in a JSON object that ends")));
        }
    }
    Value::object(attributes)
}
