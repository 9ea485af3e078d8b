//! Operations, conversion, assumptions, rules.

use plantime::sample::{Size, Weakened};
use plantime::strategy::{
    constraint, constraint_for, marked, path_in, refinement_holding, refinement_of, rule_for, ty,
    weakened_of, wider_than,
};
use plantime::{Type, TypeConstraint, Value};
use proptest::prelude::{Just, Strategy, any, prop_oneof};

use crate::checks::operations::{self, BINARY, UNARY};
use crate::checks::{convert, laws, refinements, rules, schemas, several};
use crate::{law, operand, operands, pairs, with_wider};

#[test]
fn operations_on_two_operands_are_sound_and_monotone() {
    for op in &BINARY {
        let wider = |(a, b): (Weakened, Weakened)| {
            let wide = (wider_than(a.value().clone()), wider_than(b.value().clone()));
            (Just(a), Just(b), wide)
        };
        law(64, &operands(op.kind).prop_flat_map(wider), |(a, b, wide)| {
            operations::two(op, &a, &b, (&wide.0, &wide.1));
        });
    }
}

#[test]
fn operations_on_one_operand_are_sound_and_monotone() {
    for op in &UNARY {
        law(64, &with_wider(operand(op.kind)), |(a, wide)| operations::one(op, &a, &wide));
    }
}

#[test]
fn what_values_have_in_common_contains_them() {
    let cases = operands(operations::Kind::Any).prop_flat_map(|(a, b)| {
        let marks = (marked(a.value().clone()), marked(b.value().clone()));
        (Just(a), Just(b), marks)
    });
    law(256, &cases, |(a, b, marked)| several::joined(&a, &b, (&marked.0, &marked.1)));
}

#[test]
fn a_choice_contains_what_is_chosen() {
    let cases = (with_wider(operand(operations::Kind::Bool)), operands(operations::Kind::Any)).prop_flat_map(
        |(condition, (a, b))| {
            let wide = (wider_than(a.value().clone()), wider_than(b.value().clone()));
            (Just(condition), Just(a), Just(b), wide)
        },
    );
    law(256, &cases, |((condition, wide), a, b, (wide_a, wide_b))| {
        several::chosen(&condition, &a, &b, (&wide, &wide_a, &wide_b));
    });
}

#[test]
fn a_text_put_together_begins_as_it_must() {
    let text = || with_wider(weakened_of(Type::String, Size::default()));
    law(256, &proptest::collection::vec(text(), 0..5), |parts| {
        let (parts, wide): (Vec<Weakened>, Vec<Value>) = parts.into_iter().unzip();
        several::concatenated(&parts, &wide);
    });
}

#[test]
fn a_range_includes_what_the_value_may_become() {
    let cases = operands(operations::Kind::Any)
        .prop_flat_map(|(a, b)| (Just(a), Just(b.clone()), wider_than(b.value().clone())));
    law(256, &cases, |(a, b, wide)| several::included(&a, &b, &wide));
}

#[test]
fn an_unknown_as_null_leaves_what_is_known() {
    let cases = pairs().prop_flat_map(|pair| (Just(pair.clone()), marked(pair.value().clone())));
    law(256, &cases, |(pair, marked)| several::nulled(&pair, &marked));
}

#[test]
fn marks_change_no_answer_and_stay() {
    for op in &BINARY {
        let with_marks = |(a, b): (Weakened, Weakened)| {
            let (a, b) = (a.into_parts().1, b.into_parts().1);
            (Just(a.clone()), Just(b.clone()), marked(a), marked(b))
        };
        law(32, &operands(op.kind).prop_flat_map(with_marks), |(a, b, with, other)| {
            operations::two_marked(op, &a, &b, (&with, &other));
        });
    }
    for op in &UNARY {
        let with_marks = |a: Weakened| {
            let a = a.into_parts().1;
            (Just(a.clone()), marked(a))
        };
        law(32, &operand(op.kind).prop_flat_map(with_marks), |(a, with)| {
            operations::one_marked(op, &a, &with)
        });
    }
}

/// Marks come off and go on again.
#[test]
fn marks_are_put_where_they_were() {
    let values = pairs().prop_flat_map(|pair| marked(pair.value().clone()));
    law(128, &values, |value| {
        let (bare, places) = value.unmark_deep_with_paths();
        assert!(!bare.contains_marks());
        assert_eq!(bare.mark_with_paths(&places), value);
        let all = places.iter().fold(plantime::Marks::new(), |all, (_, marks)| all.union(marks));
        assert_eq!(value.unmark_deep(), (bare, all));
    });
}

/// A constraint for the type of the value, or any.
fn constraint_of(ty: Type) -> impl Strategy<Value = TypeConstraint> {
    prop_oneof![3 => constraint_for(ty, Size::default()), 1 => constraint(Size::default())]
}

#[test]
fn conversions_are_sound_and_monotone() {
    let cases = with_wider(pairs())
        .prop_flat_map(|(a, wide)| (Just(a.clone()), Just(wide), constraint_of(a.concrete().ty())));
    law(512, &cases, |(a, wide, to)| convert::conversions(&a, &to, &wide));
}

#[test]
fn marks_change_no_conversion() {
    let cases = pairs().prop_flat_map(|a| {
        let (concrete, value) = a.into_parts();
        (Just(value.clone()), marked(value), constraint_of(concrete.ty()))
    });
    law(256, &cases, |(bare, with, to)| convert::marked(&bare, &to, &with));
}

#[test]
fn the_common_type_does_not_depend_on_the_order() {
    let types = proptest::collection::vec(ty(Size::default(), true), 0..5);
    law(256, &types, |types| {
        convert::unified(&types);
    });
}

#[test]
fn refinements_are_a_lattice_of_what_they_mean() {
    let cases = pairs().prop_flat_map(|pair| {
        let (concrete, ty) = (pair.concrete().clone(), pair.concrete().ty());
        let (a, b) = (refinement_of(ty.clone()), refinement_of(ty));
        (Just(concrete.clone()), a, b, refinement_holding(concrete))
    });
    law(512, &cases, |(concrete, a, b, holding)| {
        let ty = concrete.ty();
        if ty != Type::Dynamic {
            assert!(refinements::holds(&ty, &holding, &concrete), "{holding} does not hold for {concrete:?}");
            refinements::lattice(&ty, [&a, &b, &holding], &concrete);
            refinements::assumed_twice(&ty, &a, &b);
        }
    });
}

#[test]
fn plan_and_apply_agree_on_assumptions() {
    let cases = pairs().prop_flat_map(|pair| {
        let ty = pair.concrete().ty();
        (Just(pair.clone()), refinement_of(ty), refinement_holding(pair.concrete().clone()))
    });
    law(512, &cases, |(pair, any, holding)| {
        refinements::assumed(&pair, &any);
        refinements::assumed(&pair, &holding);
    });
}

#[test]
fn plan_and_apply_agree_on_types() {
    let cases = (with_wider(pairs()), ty(Size::default(), true));
    law(256, &cases, |((pair, wide), ty)| {
        operations::assume_type(&pair, &ty, &wide);
        operations::assume_type(&pair, &pair.concrete().ty(), &wide);
    });
}

#[test]
fn parts_of_a_value_contain_the_parts_of_what_it_becomes() {
    let cases = pairs().prop_flat_map(|pair| (Just(pair.clone()), path_in(pair.concrete().clone())));
    law(256, &cases, |(pair, path)| operations::part(&pair, &path));
}

#[test]
fn attributes_of_a_value_contain_those_of_what_it_becomes() {
    law(256, &with_wider(pairs()), |(pair, wide)| {
        if let plantime::View::Object(object) = pair.concrete().view() {
            for name in object.ty().attribute_names().chain(["no such name"]) {
                operations::attribute(&pair, name, &wide);
            }
        }
    });
}

#[test]
fn rules_are_sound_and_leave_obligations_that_agree() {
    let cases = pairs().prop_flat_map(|pair| {
        let ty = pair.concrete().ty();
        (Just(pair.clone()), rule_for(ty, Size::default()), marked(pair.value().clone()))
    });
    law(512, &cases, |(pair, rule, marked)| rules::sound(&rule, &pair, &marked));
}

#[test]
fn rules_on_changes_are_sound_and_leave_obligations_that_agree() {
    let size = Size { depth: 2, parts: 8, ..Size::default() };
    let cases = pairs().prop_flat_map(move |pair| {
        let ty = pair.concrete().ty();
        (weakened_of(ty.clone(), size), Just(pair), rule_for(ty, Size::default()))
    });
    law(512, &cases, |(before, after, rule)| rules::sound_on_changes(&rule, &before, &after));
}

#[test]
fn rules_come_back_from_schemas() {
    let cases = pairs().prop_flat_map(|pair| {
        let ty = pair.concrete().ty();
        (Just(pair), rule_for(ty, Size::default()))
    });
    law(256, &cases, |(pair, rule)| schemas::there_and_back(&rule, &pair));
}

#[test]
fn equality_order_and_hash_of_values_agree() {
    let cases = (operands(operations::Kind::Any), any::<bool>())
        .prop_flat_map(|((a, b), _)| (marked(a.value().clone()), marked(b.value().clone()), pairs()));
    law(256, &cases, |(a, b, c)| {
        laws::ordered(&a, &b);
        laws::ordered(&a, &a.clone());
        laws::transitive(&a, &b, c.value());
        laws::transitive(&a, c.concrete(), c.value());
    });
}

/// A value put together again from its parts is the same.
#[test]
fn a_value_transformed_by_nothing_is_the_same() {
    law(256, &pairs().prop_flat_map(|pair| marked(pair.value().clone())), |value| {
        assert_eq!(value.transform(|_, part| Ok(part)).unwrap(), value);
        let mut parts: Vec<Value> = Vec::new();
        value.walk(|_, part| {
            parts.push(part.clone());
            true
        });
        assert!(value.parts().map(|(_, part)| part).eq(&parts));
    });
}
