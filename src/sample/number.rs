//! Random numbers.

use super::Sampler;
use crate::number::Number;

/// Numbers at which the behaviour of number code changes: the limits of machine integers, of exact floats and of the
/// number of digits, and carries.
const EDGES: [&str; 26] = [
    "0.1",
    "0.2",
    "0.3",
    "-0.1",
    "1e1",
    "9.99",
    "100",
    "199",
    "1e-1",
    "9223372036854775807",
    "-9223372036854775808",
    "9223372036854775808",
    "18446744073709551615",
    "18446744073709551617",
    "340282366920938463463374607431768211456",
    "9007199254740993",
    "1e15",
    "1e21",
    "1e22",
    "123456789012345678901234567890.123456789012345678901234567890",
    "0.3333333333333333333333333333333333333333333333333333333333333333333333333333333333333333333333333",
    "1e-300",
    "-1e300",
    "1e8000",
    "-1e-8000",
    "1e8191",
];

impl Sampler<'_> {
    /// A random number: a small integer, a multiple of a quarter, one of the `EDGES` or next to one, long, or
    /// infinite.
    pub fn number(&mut self) -> Number {
        match self.below(12) {
            0..=4 => self.small(),
            5 | 6 => self.quarters(),
            7 => read(self.pick(&EDGES, "0")),
            8 => {
                // A number next to an edge.
                let (edge, step) = (read(self.pick(&EDGES, "0")), self.small());
                edge.add(&step).unwrap_or(edge)
            }
            9 => {
                let (digits, places) = (self.bits() as i64, self.below(60));
                read(&format!("{digits}e{}", 30_i64.saturating_sub(places as i64)))
            }
            10 => self.long(),
            _ => self.pick(&[Number::INFINITY, Number::NEG_INFINITY], Number::ZERO),
        }
    }

    /// A random integer from -3 to 8. From the simplest choice on these are 0 to 8, then -1 to -3.
    pub(super) fn small(&mut self) -> Number {
        let number = self.below(12) as i64;
        Number::from(if number > 8 { 8_i64.saturating_sub(number) } else { number })
    }

    /// A random multiple of a quarter, from -10 to 10.
    fn quarters(&mut self) -> Number {
        let quarter = read("0.25");
        let count = self.below(81) as i64;
        quarter.multiply(&Number::from(count.saturating_sub(40))).unwrap_or(quarter)
    }

    /// A random number of fewer than 200 digits, with a decimal point at a random place.
    fn long(&mut self) -> Number {
        let digits = self.below(200);
        let point = self.below(digits.saturating_add(1));
        let mut text = if self.chance(1, 2) { "-".to_owned() } else { String::new() };
        let (mut bits, mut drawn) = (0, 0);
        for place in 0..digits {
            if place == point {
                text.push('.');
            }
            if drawn == 0 {
                (bits, drawn) = (self.bits(), 18);
            }
            text.push(char::from(b'0'.saturating_add((bits % 10) as u8)));
            bits /= 10;
            drawn = i32::saturating_sub(drawn, 1);
        }
        read(&text)
    }
}

/// Parses a number; 0 if the text is not one.
fn read(text: &str) -> Number {
    text.parse().unwrap_or(Number::ZERO)
}
