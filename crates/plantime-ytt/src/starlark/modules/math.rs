//! The module `math`, on floats.

use super::super::error::Failure;
use super::super::interpreter::Interpreter;
use super::super::number::float_of;
use super::super::value::{Arguments, Builtin, Native, Value};

pub(super) const FUNCTIONS: [(&str, Native); 28] = [
    ("acos", call),
    ("acosh", call),
    ("asin", call),
    ("asinh", call),
    ("atan", call),
    ("atan2", call),
    ("atanh", call),
    ("ceil", call),
    ("copysign", call),
    ("cos", call),
    ("cosh", call),
    ("degrees", call),
    ("exp", call),
    ("fabs", call),
    ("floor", call),
    ("gamma", call),
    ("hypot", call),
    ("log", call),
    ("mod", call),
    ("pow", call),
    ("radians", call),
    ("remainder", call),
    ("round", call),
    ("sin", call),
    ("sinh", call),
    ("sqrt", call),
    ("tan", call),
    ("tanh", call),
];

const WARNING: &str = "\nWarning: a function from the @ytt:math module is used in this invocation; this module does not guarantee bit-identical results across CPU architectures.";

/// Every function of `math`, by the name under which it is called.
fn call(this: &mut Interpreter<'_>, f: &Builtin, arguments: Arguments) -> Result<Value, Failure> {
    if !this.printed.contains(WARNING) {
        this.print(WARNING)?;
    }
    let name = f.name.trim_start_matches("math.");
    let is_binary = matches!(name, "atan2" | "copysign" | "hypot" | "mod" | "pow" | "remainder" | "log");
    let [first, second] = arguments.positions("", 1).map_err(super::assert::unnamed)?;
    let number = |value: &Value, position: usize| match value.known()? {
        Value::Int(int) => Ok(float_of(int)),
        Value::Float(float) => Ok(*float),
        other => Err(Failure::from(format!(
            "for parameter {position}: got {}, want float or int",
            other.type_name()
        ))),
    };
    let x = number(&first.unwrap_or(Value::None), 1)?;
    let y = second.map(|second| number(&second, 2)).transpose()?;
    if y.is_some() && !is_binary {
        return Err("got 2 arguments, want 1".into());
    }
    if y.is_none() && is_binary && name != "log" {
        return Err("got 1 arguments, want 2".into());
    }
    let other = y.unwrap_or(0.0);
    let result = match name {
        "acos" => x.acos(),
        "acosh" => x.acosh(),
        "asin" => x.asin(),
        "asinh" => x.asinh(),
        "atan" => x.atan(),
        "atan2" => x.atan2(other),
        "atanh" => x.atanh(),
        "ceil" | "floor" => {
            let rounded = if name == "ceil" { x.ceil() } else { x.floor() };
            let int = super::super::number::whole(rounded);
            let shown = super::super::number::float_text(rounded);
            return Ok(Value::Int(int.ok_or_else(|| format!("cannot convert float {shown} to integer"))?));
        }
        "copysign" => x.copysign(other),
        "cos" => x.cos(),
        "cosh" => x.cosh(),
        "degrees" => x.to_degrees(),
        "exp" => x.exp(),
        "fabs" => x.abs(),
        "hypot" => x.hypot(other),
        "log" => match y {
            Some(1.0) => return Err("division by zero".into()),
            Some(base) => x.ln() / base.ln(),
            None => x.ln(),
        },
        "mod" => x % other,
        "pow" => x.powf(other),
        "radians" => x.to_radians(),
        "remainder" => x - other * (x / other).round_ties_even(),
        "round" => x.round(),
        "sin" => x.sin(),
        "sinh" => x.sinh(),
        "sqrt" => x.sqrt(),
        "tan" => x.tan(),
        "tanh" => x.tanh(),
        other => return Err(Failure::Limit(format!("math.{other} is not supported"))),
    };
    Ok(Value::Float(result))
}
