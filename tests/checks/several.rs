//! The laws of what takes several values: what they have in common, a choice, texts put together.

use plantime::sample::{Weakened, may_become};
use plantime::{Type, Value};

use super::inclusion::may_include;
use super::laws::{self, Call};

/// What two values have in common contains both, whichever comes first.
#[track_caller]
pub fn joined(a: &Weakened, b: &Weakened, marked: (&Value, &Value)) {
    let text = || format!("join of {:?} and {:?}", a.value(), b.value());
    let joined = Value::join(&[a.value(), b.value()]).unwrap();
    for own in [a, b] {
        assert!(
            may_become(&joined, own.concrete()),
            "{} is {joined:?}, without {:?}",
            text(),
            own.concrete()
        );
        assert!(may_include(&joined, own.value()), "{} is {joined:?}, without {:?}", text(), own.value());
    }
    let apply = Value::join(&[a.concrete(), b.concrete()]).unwrap();
    for own in [a, b] {
        assert!(may_become(&apply, own.concrete()), "{:?} is without {:?}", apply, own.concrete());
        assert_eq!(Value::join(&[own.value(), own.value()]).as_ref().ok(), Some(own.value()));
    }
    assert_eq!(Value::join(&[b.value(), a.value()]).ok().as_ref(), Some(&joined), "{}", text());
    let answer = Value::join(&[marked.0, marked.1]);
    laws::erased(&answer, &Ok(joined), &Call(&text));
    laws::retained(&answer, &[marked.0, marked.1], &Call(&text));
}

/// A choice contains what is chosen in the end.
#[track_caller]
pub fn chosen(condition: &Weakened, a: &Weakened, b: &Weakened, wide: (&Value, &Value, &Value)) {
    let text = || {
        let shown = [condition, a, b].map(|own| format!("{:?} with {:?}", own.value(), own.concrete()));
        format!("{} ? {} : {}, weaker {wide:?}", shown[0], shown[1], shown[2])
    };
    let call = Call(&text);
    let concrete = condition.concrete().conditional(a.concrete(), b.concrete());
    laws::known(&concrete, &call);
    let weak = condition.value().conditional(a.value(), b.value());
    laws::sound(&concrete, &weak, &call);
    laws::sound(&concrete, &condition.concrete().conditional(a.value(), b.value()), &call);
    let wider = wide.0.conditional(wide.1, wide.2);
    laws::sound(&concrete, &wider, &call);
    laws::monotone(&weak, &wider, &call);
}

/// A text put together has the beginning that is certain.
#[track_caller]
pub fn concatenated(parts: &[Weakened], wide: &[Value]) {
    let text = || {
        let shown = parts.iter().map(|part| format!("{:?} with {:?}", part.value(), part.concrete()));
        format!("{}, weaker {wide:?}", shown.collect::<Vec<_>>().join(" and "))
    };
    let call = Call(&text);
    let concrete: Vec<&Value> = parts.iter().map(Weakened::concrete).collect();
    let concrete = Value::concat_text(&concrete);
    laws::known(&concrete, &call);
    let weak: Vec<&Value> = parts.iter().map(Weakened::value).collect();
    let weak = Value::concat_text(&weak);
    laws::sound(&concrete, &weak, &call);
    let wider = Value::concat_text(&wide.iter().collect::<Vec<_>>());
    laws::sound(&concrete, &wider, &call);
    laws::monotone(&weak, &wider, &call);
}

/// Every unknown part becomes a null, and what is known stays.
#[track_caller]
pub fn nulled(a: &Weakened, marked: &Value) {
    assert_eq!(a.concrete().unknown_as_null().as_ref().ok(), Some(a.concrete()));
    let text = || format!("{marked:?} without unknowns");
    let nulled = a.value().unknown_as_null().unwrap();
    assert!(nulled.parts().all(|(_, part)| part.is_known()), "{}: {nulled:?}", text());
    assert!(nulled.is_wholly_known() || nulled.ty().has_dynamic(), "{}: {nulled:?}", text());
    assert_eq!(nulled.unknown_as_null().as_ref().ok(), Some(&nulled), "{}", text());
    let answer = marked.unknown_as_null();
    laws::erased(&answer, &Ok(nulled), &Call(&text));
    laws::retained(&answer, &[marked], &Call(&text));
}

/// What lies in the range of a value: everything that it may become does.
#[track_caller]
pub fn included(range: &Weakened, b: &Weakened, wide: &Value) {
    let text = || format!("{:?} includes {:?} with {:?}", range.value(), b.value(), b.concrete());
    let call = Call(&text);
    if range.value().ty() != Type::Dynamic || range.value().is_known() {
        let own = range.value().type_and_refinement_allow(range.concrete()).unwrap();
        assert_eq!(own, Value::from(true), "{:?} includes {:?}", range.value(), range.concrete());
    }
    let concrete = range.value().type_and_refinement_allow(b.concrete());
    laws::known(&concrete, &call);
    let weak = range.value().type_and_refinement_allow(b.value());
    laws::sound(&concrete, &weak, &call);
    let wider = range.value().type_and_refinement_allow(wide);
    laws::sound(&concrete, &wider, &call);
    laws::monotone(&weak, &wider, &call);
}
