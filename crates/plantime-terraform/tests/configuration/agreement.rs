//! Whether a configured value is the one that a plan has.

use plantime::{Value, View};

/// How a configured value compares with the planned one.
#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct Agreement {
    pub(crate) agrees: bool,
    /// Whether the configured value is wholly known.
    pub(crate) is_known: bool,
}

impl Agreement {
    fn both(self, other: Agreement) -> Agreement {
        Agreement { agrees: self.agrees && other.agrees, is_known: self.is_known && other.is_known }
    }
}

const SAME: Agreement = Agreement { agrees: true, is_known: true };
const OTHER: Agreement = Agreement { agrees: false, is_known: true };

/// Compares part by part. What is not configured is left to the provider.
pub(crate) fn agreement(configured: &Value, planned: &Value) -> Agreement {
    let all = |pairs: &mut dyn Iterator<Item = (&Value, &Value)>| {
        pairs.map(|(configured, planned)| agreement(configured, planned)).fold(SAME, Agreement::both)
    };
    if configured.is_null() {
        return SAME;
    }
    match (configured.view(), planned.view()) {
        (View::Unknown(_) | View::Dynamic, _) => {
            Agreement { agrees: configured.may_become(planned), is_known: false }
        }
        (View::Object(a), View::Object(b)) => {
            let pairs = a.iter().map(|(name, value)| match b.get(name) {
                Some(planned) => agreement(value, planned),
                None if value.is_null() => SAME,
                None => OTHER,
            });
            pairs.fold(SAME, Agreement::both)
        }
        (View::Map(a), View::Map(b)) => {
            let pairs =
                a.iter().map(|(key, value)| b.get(key).map_or(OTHER, |planned| agreement(value, planned)));
            let both = pairs.fold(SAME, Agreement::both);
            if a.len() == b.len() { both } else { OTHER }
        }
        (View::List(a), View::List(b)) if a.len() == b.len() => all(&mut a.iter().zip(b.iter())),
        (View::Tuple(a), View::Tuple(b)) if a.len() == b.len() => all(&mut a.iter().zip(b.iter())),
        (View::Set(a), View::Set(b)) => {
            let members: Vec<&Value> = b.iter().collect();
            let each = a.iter().map(|configured| {
                let found = members.iter().map(|planned| agreement(configured, planned));
                found.filter(|found| found.agrees).max_by_key(|found| found.is_known).unwrap_or(OTHER)
            });
            let both = each.fold(SAME, Agreement::both);
            if a.member_count() >= b.member_count() { both } else { OTHER }
        }
        // Without a declared type, JSON has arrays and objects only.
        (View::List(a), View::Tuple(b)) if a.len() == b.len() => all(&mut a.iter().zip(b.iter())),
        (View::Set(a), View::Tuple(b)) if a.member_count() == b.len() => {
            let each = a.iter().map(|configured| {
                let found = b.iter().map(|planned| agreement(configured, planned));
                found.filter(|found| found.agrees).max_by_key(|found| found.is_known).unwrap_or(OTHER)
            });
            each.fold(SAME, Agreement::both)
        }
        (View::Map(a), View::Object(b)) if a.len() == b.len() => {
            let pairs =
                a.iter().map(|(key, value)| b.get(key).map_or(OTHER, |planned| agreement(value, planned)));
            pairs.fold(SAME, Agreement::both)
        }
        _ => match configured.is_wholly_known() {
            true => Agreement { agrees: configured == planned, is_known: true },
            false => Agreement { agrees: configured.may_become(planned), is_known: false },
        },
    }
}
