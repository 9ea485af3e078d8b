//! Compiled patterns, shared between rules that ask the same.

use std::collections::VecDeque;
use std::sync::{Arc, Mutex, PoisonError, Weak};

use super::Compiled;

/// How many are remembered; the oldest is forgotten first, and lives as long as a rule holds it.
const REMEMBERED: usize = 256;

static REMEMBER: Mutex<VecDeque<Weak<Compiled>>> = Mutex::new(VecDeque::new());

/// One that some rule holds already.
pub(super) fn find(text: &str) -> Option<Arc<Compiled>> {
    let compiled = REMEMBER.lock().unwrap_or_else(PoisonError::into_inner);
    compiled.iter().filter_map(Weak::upgrade).find(|compiled| compiled.regex.as_str() == text)
}

pub(super) fn keep(new: &Arc<Compiled>) {
    let mut compiled = REMEMBER.lock().unwrap_or_else(PoisonError::into_inner);
    compiled.retain(|one| one.strong_count() > 0);
    if compiled.len() >= REMEMBERED {
        compiled.pop_front();
    }
    compiled.push_back(Arc::downgrade(new));
}
