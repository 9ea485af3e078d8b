//! Patterns of the last texts, shared between rules that ask the same.

use std::collections::VecDeque;
use std::sync::{Arc, Mutex, PoisonError, Weak};

use super::Judged;

/// How many are remembered; the oldest is forgotten first, and lives as long as a rule holds it.
const REMEMBERED: usize = 256;

static REMEMBER: Mutex<VecDeque<Weak<Judged>>> = Mutex::new(VecDeque::new());

/// One that some rule holds already.
pub(super) fn find(text: &str) -> Option<Arc<Judged>> {
    let patterns = REMEMBER.lock().unwrap_or_else(PoisonError::into_inner);
    patterns.iter().filter_map(Weak::upgrade).find(|pattern| &*pattern.text == text)
}

pub(super) fn keep(new: &Arc<Judged>) {
    let mut patterns = REMEMBER.lock().unwrap_or_else(PoisonError::into_inner);
    patterns.retain(|one| one.strong_count() > 0);
    if patterns.len() >= REMEMBERED {
        patterns.pop_front();
    }
    patterns.push_back(Arc::downgrade(new));
}
