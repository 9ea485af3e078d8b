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
    if let ("ceil" | "floor", Some(Value::Int(int)), None) = (name, &first, &second) {
        return Ok(Value::Int(int.clone()));
    }
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
        "gamma" => gamma(x),
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

/// The gamma function: exact for the ints whose factorial a float can be, and else by the approximation of Lanczos, whose
/// last digits are not those of every implementation.
fn gamma(x: f64) -> f64 {
    // The coefficients for g = 607/128.
    const FIRST: f64 = 0.999_999_999_999_997_1;
    const OTHERS: [f64; 14] = [
        57.156_235_665_862_92,
        -59.597_960_355_475_49,
        14.136_097_974_741_746,
        -0.491_913_816_097_620_2,
        0.339_946_499_848_118_9e-4,
        0.465_236_289_270_485_8e-4,
        -0.983_744_753_048_795_6e-4,
        0.158_088_703_224_912_5e-3,
        -0.210_264_441_724_104_9e-3,
        0.217_439_618_115_212_6e-3,
        -0.164_318_106_536_763_9e-3,
        0.844_182_239_838_527_4e-4,
        -0.261_908_384_015_814_1e-4,
        0.368_991_826_595_316_2e-5,
    ];
    if x == 0.0 {
        return f64::INFINITY.copysign(x);
    }
    if x == f64::NEG_INFINITY || x.is_nan() || x < 0.0 && x.fract() == 0.0 {
        return f64::NAN;
    }
    if x > 171.7 {
        return f64::INFINITY;
    }
    if x.fract() == 0.0 {
        let mut product = 1.0;
        let mut factor = 2.0;
        while factor < x {
            product *= factor;
            factor += 1.0;
        }
        return product;
    }
    if x < 0.5 {
        // The reflection formula.
        return std::f64::consts::PI / ((std::f64::consts::PI * x).sin() * gamma(1.0 - x));
    }
    let x = x - 1.0;
    let mut sum = FIRST;
    let mut at = x;
    for coefficient in OTHERS {
        at += 1.0;
        sum += coefficient / at;
    }
    let base = x + 607.0 / 128.0 + 0.5;
    // The power is taken in two halves, because it may be too large although the result is not.
    let power = base.powf((x + 0.5) / 2.0);
    (2.0 * std::f64::consts::PI).sqrt() * sum * power * (-base).exp() * power
}
