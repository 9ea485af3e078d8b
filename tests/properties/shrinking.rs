//! What strategies shrink to.

use plantime::sample::{Size, Weakened, may_become};
use plantime::strategy::{constraint, refinement, rule_for, text, ty, weakened, weakened_of};
use plantime::{Type, Value, View};
use proptest::strategy::{Strategy, ValueTree};
use proptest::test_runner::{Config, RngSeed, TestError, TestRunner};

/// What is left of a failure.
fn shrunk<S: Strategy>(strategy: &S, holds: impl Fn(&S::Value) -> bool) -> S::Value {
    // What is left is the least that single steps lead to from where the failure was found, which the seed decides:
    // from some places they do not lead far.
    let config =
        Config { cases: 20_000, rng_seed: RngSeed::Fixed(3), failure_persistence: None, ..Config::default() };
    let outcome = TestRunner::new(config).run(strategy, |value| {
        if holds(&value) { Ok(()) } else { Err(proptest::test_runner::TestCaseError::fail("no")) }
    });
    match outcome {
        Err(TestError::Fail(_, value)) => value,
        other => panic!("{other:?}"),
    }
}

fn has_number_above_100(value: &Value) -> bool {
    value.parts().any(|(_, part)| part.as_number().is_ok_and(|number| *number > 100.into()))
}

#[test]
fn a_pair_shrinks_to_a_small_known_value() {
    let left = shrunk(&weakened(Size::LARGE), |pair| !has_number_above_100(pair.concrete()));
    assert!(left.concrete() == left.value() && left.concrete().as_number().is_ok(), "{left:?}");
    assert!(left.concrete().to_string().len() <= 3, "{left:?}");
}

#[test]
fn a_pair_keeps_what_has_to_be_unknown() {
    let left = shrunk(&weakened(Size::default()), |pair| pair.value().is_wholly_known());
    assert_eq!(left.value().parts().count(), 1, "{left:?}");
    let list = Type::list(Type::String).unwrap();
    let left = shrunk(
        &weakened_of(list.clone(), Size::default()),
        |pair| !matches!(pair.value().view(), View::List(list) if list.iter().any(|item| !item.is_known())),
    );
    assert_eq!(left.concrete().ty(), list);
    assert_eq!(left.concrete().parts().count(), 2, "{left:?}");
}

/// Each step is a pair, and there is an end.
#[test]
fn shrinking_keeps_the_proof_and_ends() {
    let mut runner = TestRunner::deterministic();
    for _ in 0..200 {
        let mut tree = weakened(Size::default()).new_tree(&mut runner).unwrap();
        let mut steps = 0;
        while tree.simplify() {
            steps += 1;
            let pair: Weakened = tree.current();
            assert!(may_become(pair.value(), pair.concrete()), "{pair:?}");
            // Every third is refused, so that what comes after is seen too.
            if steps % 3 == 0 {
                tree.complicate();
            }
            assert!(steps < 5_000, "{pair:?}");
        }
    }
}

#[test]
fn everything_shrinks_to_little() {
    assert_eq!(shrunk(&ty(Size::LARGE, true), |ty| ty.depth() < 3).depth(), 3);
    let left = shrunk(&constraint(Size::LARGE), |constraint| !constraint.has_optional());
    assert!(left.to_string().len() < 40, "{left}");
    assert_eq!(shrunk(&text(Size::LARGE), |text| !text.contains('x')), "x");
    let left = shrunk(&refinement(), |refinement| refinement.number_range().is_none());
    assert!(left.to_string().len() < 20, "{left}");
    let left = shrunk(&rule_for(Type::String, Size::default()), |rule| rule.depth() < 3);
    assert_eq!(left.depth(), 3, "{left}");
}
