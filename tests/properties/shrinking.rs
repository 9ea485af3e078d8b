//! What strategies shrink to.

use plantime::sample::{Size, Weakened, may_become};
use plantime::strategy::{
    concrete, constraint, number, refinement, rule_for, text, ty, weakened, weakened_of,
};
use plantime::{Type, Value, View};
use proptest::strategy::{Strategy, ValueTree};
use proptest::test_runner::{Config, RngSeed, TestError, TestRunner};

/// Where the search for a failure starts. What shrinking comes to may depend on it, and must not.
const SEEDS: std::ops::Range<u64> = 0..32;

/// What is left of a failure, from each seed.
fn shrunk<S: Strategy>(strategy: &S, holds: impl Fn(&S::Value) -> bool) -> impl Iterator<Item = S::Value> {
    SEEDS.map(move |seed| {
        let config = Config {
            cases: 20_000,
            rng_seed: RngSeed::Fixed(seed),
            failure_persistence: None,
            ..Config::default()
        };
        let outcome = TestRunner::new(config).run(strategy, |value| {
            if holds(&value) { Ok(()) } else { Err(proptest::test_runner::TestCaseError::fail("no")) }
        });
        match outcome {
            Err(TestError::Fail(_, value)) => value,
            other => panic!("seed {seed}: {other:?}"),
        }
    })
}

fn has_number_above_100(value: &Value) -> bool {
    value.parts().any(|(_, part)| part.as_number().is_ok_and(|number| *number > 100.into()))
}

#[test]
fn a_pair_shrinks_to_a_small_known_value() {
    for left in shrunk(&weakened(Size::LARGE), |pair| !has_number_above_100(pair.concrete())) {
        assert!(left.concrete() == left.value() && left.concrete().as_number().is_ok(), "{left:?}");
        assert!(left.concrete().to_string().len() <= 3, "{left:?}");
    }
}

#[test]
fn a_pair_keeps_what_has_to_be_unknown() {
    for left in shrunk(&weakened(Size::LARGE), |pair| pair.value().is_wholly_known()) {
        assert_eq!(left.value().parts().count(), 1, "{left:?}");
    }
    let list = Type::list(Type::String).unwrap();
    let strategy = weakened_of(list.clone(), Size::default());
    let has_unknown =
        |value: &Value| matches!(value.view(), View::List(list) if list.iter().any(|item| !item.is_known()));
    for left in shrunk(&strategy, |pair| !has_unknown(pair.value())) {
        assert_eq!(left.concrete().ty(), list);
        assert_eq!(left.concrete().parts().count(), 2, "{left:?}");
    }
}

/// Two places that fail together, neither of which can be left out.
#[test]
fn a_pair_shrinks_around_two_parts() {
    let has_both = |value: &Value| {
        let hidden = value.parts().any(|(_, part)| !part.is_known());
        hidden && has_number_above_100(value)
    };
    for left in shrunk(&weakened(Size::LARGE), |pair| !has_both(pair.value())) {
        assert_eq!(left.value().parts().count(), 3, "{left:?}");
    }
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
    for left in shrunk(&concrete(Size::LARGE), |value| !has_number_above_100(value)) {
        assert!(left.as_number().is_ok() && left.to_string().len() <= 3, "{left}");
    }
    for left in shrunk(&ty(Size::LARGE, true), |ty| ty.depth() < 3) {
        assert_eq!(left.depth(), 3, "{left}");
        assert!(left.to_string().len() <= 40, "{left}");
    }
    for left in shrunk(&constraint(Size::LARGE), |constraint| !constraint.has_optional()) {
        assert!(left.to_string().len() < 40, "{left}");
    }
    for left in shrunk(&text(Size::LARGE), |text| !text.contains('x')) {
        assert_eq!(left, "x");
    }
    for left in shrunk(&number(), |number| *number <= 100.into()) {
        assert!(left.to_string().len() <= 3, "{left}");
    }
    for left in shrunk(&refinement(), |refinement| refinement.number_range().is_none()) {
        assert!(left.to_string().len() < 20, "{left}");
    }
    for left in shrunk(&rule_for(Type::String, Size::default()), |rule| rule.depth() < 3) {
        assert_eq!(left.depth(), 3, "{left}");
    }
}
