//! Nothing grows out of proportion. How each cost grows is counted in instructions by `benches/growth`; here stands
//! what can be told without: how often parts are compared and hashed, and what would take minutes if it were quadratic.

use std::cmp::Ordering;
use std::hash::{Hash, Hasher};
use std::sync::atomic::{AtomicUsize, Ordering::Relaxed};

use plantime::{Capsule, Mark, MarkChange, Path, Type, TypeConstraint, Value, View, convert};

use super::hash;

/// A capsule that counts how often any of its kind is compared or hashed.
#[derive(Clone, Copy, Debug)]
struct Probe(u64);

/// One test alone uses it, as tests run side by side.
static LOOKS: AtomicUsize = AtomicUsize::new(0);

impl Probe {
    fn scrambled(i: usize) -> Value {
        Value::capsule(Probe((i as u64).wrapping_mul(0x9e37_79b9_7f4a_7c15)))
    }
}

impl Ord for Probe {
    fn cmp(&self, other: &Probe) -> Ordering {
        LOOKS.fetch_add(1, Relaxed);
        self.0.cmp(&other.0)
    }
}

impl PartialOrd for Probe {
    fn partial_cmp(&self, other: &Probe) -> Option<Ordering> {
        Some(self.cmp(other))
    }
}

impl PartialEq for Probe {
    fn eq(&self, other: &Probe) -> bool {
        self.cmp(other) == Ordering::Equal
    }
}

impl Eq for Probe {}

impl Hash for Probe {
    fn hash<H: Hasher>(&self, state: &mut H) {
        LOOKS.fetch_add(1, Relaxed);
        self.0.hash(state);
    }
}

impl Capsule for Probe {
    const NAME: &'static str = "probe";
}

/// How many looks at a probe the work takes.
fn looks<T>(work: impl FnOnce() -> T) -> usize {
    let before = LOOKS.load(Relaxed);
    let _ = work();
    LOOKS.load(Relaxed).saturating_sub(before)
}

#[test]
fn each_part_is_looked_at_a_few_times() {
    const COUNT: usize = 4096;
    let log = COUNT.ilog2() as usize;
    let probes = || (0..COUNT).map(Probe::scrambled);
    // An object with a part that is not known.
    let planned =
        |probe: Value| Value::object([("id", Value::unknown(Type::String)), ("probe", probe)]).unwrap();
    let all_planned = || probes().map(planned);
    let (list, same) = (Value::list(probes()).unwrap(), Value::list(probes()).unwrap());
    let (partial, like) = (Value::list(all_planned()).unwrap(), Value::list(all_planned()).unwrap());
    let (set, set_like) = (Value::set(all_planned()).unwrap(), Value::set(all_planned()).unwrap());
    let known = Value::set(probes()).unwrap();
    let View::Set(members) = known.view() else { panic!("a set") };
    let sorted = |mut values: Vec<Value>| values.sort();
    let to_set: TypeConstraint = "set(any)".parse().unwrap();
    let (linear, sorting) = (COUNT * 2, COUNT * log * 2);
    for (what, most, count) in [
        ("==", linear, looks(|| assert_eq!(list, same))),
        ("== partly known", linear, looks(|| assert_eq!(partial, like))),
        ("== of sets", linear, looks(|| assert_eq!(set, set_like))),
        ("equals", linear, looks(|| list.equals(&same).unwrap())),
        ("equals partly known", linear, looks(|| partial.equals(&like).unwrap())),
        ("equals of sets", linear, looks(|| set.equals(&set_like).unwrap())),
        ("hash", linear, looks(|| hash(&list))),
        ("hash of a set", linear, looks(|| hash(&set))),
        ("sort", sorting, looks(|| sorted(probes().collect()))),
        ("sort partly known", sorting, looks(|| sorted(all_planned().collect()))),
        ("set", sorting, looks(|| Value::set(probes()).unwrap())),
        ("set partly known", 2 * sorting, looks(|| Value::set(all_planned()).unwrap())),
        ("membership", sorting, looks(|| probes().filter(|probe| members.contains_known(probe)).count())),
        ("to a set", sorting, looks(|| convert(&list, &to_set).unwrap())),
        ("walk", 0, looks(|| partial.parts().count())),
        ("marks", 0, looks(|| partial.clone().mark(Mark::SENSITIVE).unmark_deep())),
        ("transform", linear, looks(|| partial.transform(|_, part| Ok(part)).unwrap())),
        ("join", linear, looks(|| partial.index(&Value::unknown(Type::Number)).unwrap())),
    ] {
        assert!(count <= most, "{what} of {COUNT} took {count} looks, more than {most}");
    }
}

/// Fails where the work takes long: a second and more is ten times what it needs unoptimised on a busy machine, and
/// a tenth of what it would take if the cost of one part grew with their number.
#[track_caller]
fn soon<T>(what: &str, mut work: impl FnMut() -> T) -> T {
    let mut fastest = std::time::Duration::MAX;
    let mut result = None;
    // Others may have the processor for a while.
    for _ in 0..3 {
        let start = std::time::Instant::now();
        result = Some(work());
        fastest = fastest.min(start.elapsed());
        if fastest.as_millis() < 500 {
            break;
        }
    }
    assert!(fastest.as_millis() < 2_000, "{what}: {fastest:?}");
    result.unwrap()
}

/// As many values as there are marks, each with one of its own, in no order.
fn marked_apart(count: u64) -> Vec<Value> {
    let mark = |i: u64| Mark::new(&format!("{:x}", i.wrapping_mul(0x9e37_79b9_7f4a_7c15)));
    (0..count).map(|i| Value::from(i).mark(mark(i))).collect()
}

/// Each step makes a value with one mark more, of which the one before is still there.
#[test]
fn marks_are_collected_one_by_one_in_time_that_grows_with_their_number() {
    const COUNT: u64 = 40_000;
    let parts = marked_apart(COUNT);
    let marked = soon("mark one by one", || {
        let marks = parts.iter().flat_map(|part| part.marks());
        marks.fold(Value::from("a"), |value, mark| value.mark(mark.clone()))
    });
    assert_eq!(marked.marks().len() as u64, COUNT);
    let sum = soon("a sum of marked numbers", || {
        parts.iter().fold(Value::from(0), |sum, part| sum.add(part).unwrap())
    });
    assert_eq!(sum.marks(), marked.marks());
    let joined = soon("a text of marked texts", || {
        parts.iter().fold(Value::from(""), |text, part| {
            let empty = Value::from("").with_same_marks([part]);
            Value::concat_text(&[&text, &empty]).unwrap()
        })
    });
    assert_eq!(joined.marks(), marked.marks());
}

#[test]
fn marks_are_gathered_in_time_that_grows_with_their_number() {
    let parts = marked_apart(60_000);
    let list = Value::list(parts.clone()).unwrap();
    let (bare, marks) = soon("unmark_deep", || list.unmark_deep());
    assert_eq!(marks.len(), parts.len());
    soon("equals", || list.equals(&list).unwrap());
    let set = soon("a set of marked members", || Value::set(parts.clone()).unwrap());
    assert_eq!(set.marks(), &marks);
    soon("union", || set.clone().with_marks(&marks).marks().union(&marks));
    soon("with_same_marks", || Value::from(1).with_same_marks(&parts));
    let raised = soon("wrangle_marks", || list.wrangle_marks(|_, _| MarkChange::Raise));
    assert_eq!(raised.marks(), &marks);
    let (_, places) = soon("unmark_deep_with_paths", || list.unmark_deep_with_paths());
    assert_eq!(soon("mark_with_paths", || bare.mark_with_paths(&places)), list);
    let bare_set = set.unmark().0;
    let into_members: Vec<_> = places
        .iter()
        .zip(&parts)
        .map(|((_, marks), part)| (Path::new().index(part.clone().unmark().0), marks.clone()))
        .collect();
    assert_eq!(soon("marks into a set", || bare_set.mark_with_paths(&into_members)).marks(), &marks);
}

/// `object({a0 = dynamic, …})` or the like.
fn wide(count: usize, attribute: &Type) -> Type {
    Type::object((0..count).map(|i| (format!("a{i}"), attribute.clone()))).unwrap()
}

#[test]
fn one_type_is_looked_at_once_not_once_for_each_value_of_it() {
    let (undecided, decided) = (wide(20_000, &Type::Dynamic), wide(20_000, &Type::String));
    let unknowns = |ty: &Type| Value::list(vec![Value::unknown(ty.clone()); 20_000]).unwrap();
    let list = unknowns(&undecided);
    let typed = soon("assume_type", || {
        let ty = Type::list(decided.clone()).unwrap();
        list.assume_type(&ty).unwrap()
    });
    assert_eq!(typed.ty(), Type::list(decided.clone()).unwrap());
    soon("hash", || hash(&typed));
    // Of an equal type that is not shared.
    let others = unknowns(&wide(20_000, &Type::String));
    soon("==", || assert_eq!(typed, others));
    assert!(!soon("equals", || typed.equals(&others).unwrap()).is_known());
    let (known, nulls) = (Value::null(wide(20_000, &Type::String)), Value::null(decided.clone()));
    let (known, nulls) = (vec![known; 20_000], vec![nulls; 20_000]);
    let (known, nulls) = (Value::list(known).unwrap(), Value::list(nulls).unwrap());
    assert_eq!(soon("equals of nulls", || known.equals(&nulls).unwrap()), Value::from(true));
    for value in [&typed, &list] {
        assert!(soon("{:?}", || format!("{value:?}").len()) < 2_000_000);
    }
    let pairs = vec![Value::tuple([Value::unknown(undecided.clone()), Value::from(1)]).unwrap(); 20_000];
    let pair = Type::tuple([decided.clone(), Type::Number]).unwrap();
    let pairs = Value::list(pairs).unwrap();
    let typed =
        soon("assume_type of pairs", || pairs.assume_type(&Type::list(pair.clone()).unwrap()).unwrap());
    assert_eq!(typed.ty(), Type::list(pair).unwrap());
}
