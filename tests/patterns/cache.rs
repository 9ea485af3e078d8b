//! Compiled expressions are cached by their size, not by their number.

use std::time::{Duration, Instant};

use plantime::Value;
use plantime::function::Functions;

/// The time of a call, with so many patterns in turn, after each was used once.
fn in_turn(count: usize) -> Duration {
    let regexall = Functions::standard().get("regexall").unwrap();
    let patterns: Vec<Value> = (0..count).map(|i| Value::from(format!("a{i}[a-z]+in{count}"))).collect();
    let round = || {
        for pattern in &patterns {
            regexall.call(&[pattern.clone(), "xxa12bcd".into()]).unwrap();
        }
    };
    round();
    let fastest = (0..5).map(|_| {
        let start = Instant::now();
        round();
        start.elapsed()
    });
    fastest.min().unwrap() / u32::try_from(count).unwrap()
}

#[test]
fn many_patterns_in_turn_are_as_fast_as_few() {
    let (few, many) = (in_turn(16), in_turn(500));
    println!("16 in turn: {few:?} a call, 500: {many:?}");
    // Compiling takes forty times as long as finding what is compiled.
    assert!(many < few * 8, "{few:?}, {many:?}");
}

#[test]
fn threads_share_what_is_compiled() {
    let answers: Vec<bool> = std::thread::scope(|scope| {
        let threads: Vec<_> = (0..8)
            .map(|thread| {
                scope.spawn(move || {
                    (0..200).all(|i| {
                        let pattern = format!("^{}x+$", (i * 7 + thread) % 50);
                        super::first(&pattern, &pattern[1..pattern.len() - 2]).is_some()
                            && super::is_match(&pattern, &pattern[1..pattern.len() - 2])
                    })
                })
            })
            .collect();
        threads.into_iter().map(|thread| thread.join().unwrap()).collect()
    });
    assert_eq!(answers, [true; 8]);
}
