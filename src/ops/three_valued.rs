//! Three-valued logic on Rust bools: `None` is unknown.

/// The conjunction: false if one operand is false, else unknown if one is unknown.
pub fn and(a: Option<bool>, b: Option<bool>) -> Option<bool> {
    match (a, b) {
        (Some(false), _) | (_, Some(false)) => Some(false),
        (Some(true), Some(true)) => Some(true),
        _ => None,
    }
}

/// The disjunction: true if one operand is true, else unknown if one is unknown.
pub fn or(a: Option<bool>, b: Option<bool>) -> Option<bool> {
    and(a.map(|a| !a), b.map(|b| !b)).map(|both| !both)
}

/// The conjunction of all; true for none. Stops at the first operand that is false.
pub fn all(operands: impl Iterator<Item = Option<bool>>) -> Option<bool> {
    let mut all = Some(true);
    for operand in operands {
        all = and(all, operand);
        if all == Some(false) {
            break;
        }
    }
    all
}
