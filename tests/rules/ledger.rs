//! The precision ledger: where a rule may be undetermined although all outcomes agree, and why.

use std::collections::BTreeMap;

/// How many calls of each rule were made, and how many were less precise than they could be.
#[derive(Default)]
pub(crate) struct Ledger {
    calls: BTreeMap<&'static str, usize>,
    imprecise: BTreeMap<&'static str, Vec<String>>,
}

impl Ledger {
    pub(crate) fn call(&mut self, name: &'static str) {
        *self.calls.entry(name).or_default() += 1;
    }

    pub(crate) fn imprecise(&mut self, name: &'static str, what: String) {
        self.imprecise.entry(name).or_default().push(what);
    }

    /// Every imprecise call has a row, every row is used, and no row covers more than it says, in thousandths of the
    /// calls of its rule, or more than five thousandths.
    pub(crate) fn settle(&self) {
        let rows: toml::Table = include_str!("precision.toml").parse().unwrap();
        let mut problems = Vec::new();
        for (name, calls) in &self.imprecise {
            let share = calls.len() as f64 * 1000.0 / self.calls[name] as f64;
            let allowed = rows.get(*name).and_then(|row| row["thousandths"].as_float());
            match allowed {
                Some(allowed) if share <= allowed && share <= 5.0 => {}
                _ => problems.push(format!(
                    "{name}: {share:.2} thousandths, such as {:?}",
                    &calls[..calls.len().min(12)]
                )),
            }
            println!(
                "precision: {name}: {} of {} calls ({share:.2} thousandths)",
                calls.len(),
                self.calls[name]
            );
        }
        for (name, row) in &rows {
            assert!(row["reason"].as_str().is_some_and(|reason| reason.len() > 20), "{name} has no reason");
            if !self.imprecise.contains_key(name.as_str()) {
                problems.push(format!("{name}: the row is not needed"));
            }
        }
        assert!(problems.is_empty(), "{problems:#?}");
    }
}
