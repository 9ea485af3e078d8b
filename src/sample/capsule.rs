//! The capsule in random values.

use super::Sampler;
use crate::capsule::Capsule;
use crate::error::{Error, Result};
use crate::types::Type;
use crate::value::Value;

/// The capsule that random values contain. It converts from integers below 256 and to strings.
///
/// ```
/// use plantime::sample::Token;
/// use plantime::{Type, Value, convert};
///
/// let token = convert(&Value::from(7), &Type::capsule::<Token>().into())?;
/// assert_eq!(token, Value::capsule(Token(7)));
/// assert_eq!(convert(&token, &Type::String.into())?, Value::from("#7"));
/// # Ok::<(), plantime::Error>(())
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Token(pub u8);

impl Capsule for Token {
    const NAME: &'static str = "token";

    fn conversion_to(ty: &Type) -> Option<fn(&Token, &Type) -> Result<Value>> {
        match ty {
            Type::String => Some(|token, _| Ok(Value::from(format!("#{}", token.0)))),
            _ => None,
        }
    }

    fn conversion_from(ty: &Type) -> Option<fn(&Value) -> Result<Token>> {
        match ty {
            Type::Number => Some(|number| {
                let token = number.as_number()?.to_u64().and_then(|number| u8::try_from(number).ok());
                token.map(Token).ok_or_else(|| Error::custom("a token is a whole number below 256"))
            }),
            _ => None,
        }
    }
}

impl Sampler<'_> {
    /// A random token, of four different ones.
    pub(super) fn token(&mut self) -> Token {
        Token(u8::try_from(self.below(4)).unwrap_or(0))
    }
}
