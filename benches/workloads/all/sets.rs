//! Sets: made, joined, looked into.

use std::rc::Rc;

use plantime::{Value, View};

use super::document::Random;
use super::work::Work;

fn texts(seed: u64, n: usize) -> Vec<String> {
    let mut r = Random::seeded(seed);
    (0..n).map(|_| format!("i-{}", r.hex(12))).collect()
}

fn strings(seed: u64, n: usize) -> Vec<Value> {
    texts(seed, n).into_iter().map(Value::from).collect()
}

fn objects(n: usize) -> Vec<Value> {
    let mut r = Random::seeded(3);
    let object = |i| {
        let to_port = Value::from(r.below(65_536));
        let protocol = Value::from(["tcp", "udp", "icmp"][r.below(3) as usize]);
        let cidr = format!("10.{}.{}.0/24", r.below(256), r.below(256));
        let cidr = Value::list([cidr]).expect("texts");
        let words = [r.word(), r.word()];
        let attributes = [
            ("from_port", Value::from(i)),
            ("to_port", to_port),
            ("protocol", protocol),
            ("cidr", cidr),
            ("desc", Value::from(words.join("-"))),
        ];
        Value::object(attributes).expect("an object")
    };
    (0..n).map(object).collect()
}

fn set(items: &[Value]) -> Value {
    Value::set(items.iter().cloned()).expect("members of one type")
}

fn made(items: Vec<Value>) -> Work {
    Work::new(items.len(), move || set(&items))
}

pub fn set_strings(n: usize) -> Work {
    let other = Rc::new(texts(3, n));
    made(strings(3, n)).beside_with(
        "sort and dedup of strings",
        Work::with(
            n,
            move || Vec::clone(&other),
            |mut texts| {
                texts.sort_unstable();
                texts.dedup();
                texts
            },
        ),
    )
}

pub fn set_objects(n: usize) -> Work {
    made(objects(n))
}

fn joined(n: usize, items: &[Value]) -> Work {
    let (a, b) = (set(&items[..n]), set(&items[n / 2..]));
    Work::new(n, move || a.union(&b).expect("sets of one type"))
}

pub fn set_union_strings(n: usize) -> Work {
    let other = Rc::new(texts(3, n + n / 2));
    joined(n, &strings(3, n + n / 2)).beside_with(
        "sort of all strings",
        Work::with(
            n,
            move || Vec::clone(&other),
            |mut texts| {
                texts.sort_unstable();
                texts
            },
        ),
    )
}

pub fn set_union_objects(n: usize) -> Work {
    joined(n, &objects(n + n / 2))
}

/// Half of the lookups find nothing.
pub fn set_has(n: usize) -> Work {
    let items = strings(3, n);
    let mut sorted = texts(3, n);
    sorted.sort_unstable();
    let wanted: Vec<Value> = items.iter().cycle().take(1000).cloned().chain(strings(4, 1000)).collect();
    let names: Vec<String> = texts(3, n).into_iter().cycle().take(1000).chain(texts(4, 1000)).collect();
    let set = set(&items);
    Work::new(wanted.len(), move || {
        wanted.iter().map(|value| set.has_element(value).expect("a text")).collect::<Vec<_>>()
    })
    .beside("binary search of strings", move || {
        names.iter().map(|name| sorted.binary_search(name).is_ok()).collect::<Vec<_>>()
    })
}

pub fn set_len(n: usize) -> Work {
    let set = set(&strings(3, n));
    Work::each(20, move |_| set.length().expect("a set"))
}

pub fn set_iter(n: usize) -> Work {
    let set = set(&strings(3, n));
    Work::new(n, move || {
        let View::Set(set) = set.view() else { unreachable!("it is a set") };
        set.iter().map(|member| usize::from(!member.is_null())).sum::<usize>()
    })
}

pub fn set_equals(n: usize) -> Work {
    let (a, b) = (set(&strings(3, n)), set(&strings(3, n)));
    Work::new(n, move || a.equals(&b).expect("any two values can be compared"))
}
