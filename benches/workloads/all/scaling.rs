//! How the cost of the workloads grows with their size, and the cost of what is measured beside them.

use super::document::plan;
use super::limit::Growth::{self, Flat, Halving, Linear, Sorting};
use super::work::Work;
use super::{codecs, comparison, configurations, conversion, marks, plans, sets, walks};

pub struct Scaled {
    pub name: &'static str,
    growth: Growth,
    /// The smallest at which instructions are counted; time, which has a coarser measure, from ten times as much.
    size: usize,
    pub make: fn(usize) -> Work,
    /// How many times the instructions of what is beside it a workload may take.
    pub max_ratio: Option<f64>,
}

const fn row(name: &'static str, growth: Growth, size: usize, make: fn(usize) -> Work) -> Scaled {
    Scaled { name, growth, size, make, max_ratio: None }
}

impl Scaled {
    /// With so many times the instructions of what is beside it at most.
    const fn at_most(self, times: f64) -> Scaled {
        Scaled { max_ratio: Some(times), ..self }
    }
}

/// What is flat is done a thousand times whatever the size, or twenty times.
pub const ROWS: &[Scaled] = &[
    row("json_decode", Linear, 10, codecs::json_decode),
    row("json_encode", Linear, 10, codecs::json_encode),
    row("json_implied_type", Linear, 10, codecs::json_implied_type),
    row("json_implied", Linear, 10, codecs::json_implied),
    row("msgpack_decode", Linear, 10, codecs::msgpack_decode),
    row("msgpack_encode", Linear, 10, codecs::msgpack_encode),
    row("plan_read", Linear, 4, plans::plan_read),
    row("configuration", Linear, 1, configurations::configuration).at_most(3.0),
    row("convert", Linear, 40, conversion::convert_tuple),
    row("convert_list", Linear, 40, conversion::convert_list),
    row("unify_equal", Linear, 40, conversion::unify_equal),
    row("unify_mixed", Linear, 40, conversion::unify_mixed),
    row("unify_map", Linear, 40, conversion::unify_map),
    row("equals", Linear, 10, comparison::equals),
    row("raw_equals", Linear, 10, comparison::raw_equals),
    row("equals_unknown", Linear, 10, comparison::equals_unknown),
    row("raw_equals_unknown", Linear, 10, comparison::raw_equals_unknown),
    row("equals_unknown_last", Linear, 10, comparison::equals_unknown_last),
    row("set_strings", Sorting, 100, sets::set_strings),
    row("set_objects", Sorting, 100, sets::set_objects),
    row("set_union_strings", Sorting, 100, sets::set_union_strings),
    row("set_union_objects", Sorting, 100, sets::set_union_objects),
    row("set_iter", Linear, 100, sets::set_iter),
    row("set_equals", Linear, 100, sets::set_equals),
    row("mark_paths", Sorting, 10, marks::mark_paths),
    row("unmark_deep_paths", Sorting, 10, marks::unmark_deep_paths),
    row("unmark_deep", Linear, 10, marks::unmark_deep),
    row("walk", Linear, 10, walks::walk),
    row("transform_id", Linear, 10, walks::transform_id),
    row("transform_upper", Linear, 10, walks::transform_upper),
    row("build", Linear, 10, walks::build),
    row("drop", Linear, 10, walks::drop),
    row("set_has", Halving, 100, sets::set_has),
    row("set_len", Flat, 100, sets::set_len),
    row("path_in", Flat, 10, walks::path_in),
    row("clone", Flat, 10, |n| {
        let value = plan(n, 0);
        Work::each(1000, move |_| value.clone())
    }),
    row("type", Flat, 10, |n| {
        let value = plan(n, 0);
        Work::each(1000, move |_| value.ty())
    }),
    row("wholly_known", Flat, 10, |n| Work { operations: 20, ..marks::wholly_known(n) }),
    row("contains_marked", Flat, 10, |n| {
        let value = plan(n, 0);
        Work::each(1000, move |_| std::hint::black_box(&value).contains_marks())
    }),
];

pub fn named(name: &str) -> Option<&'static Scaled> {
    ROWS.iter().find(|row| row.name == name)
}

impl Scaled {
    pub fn sizes(&self) -> [usize; 3] {
        [1, 10, 100].map(|times| self.size * times)
    }
}

/// How many operations there are at a size, what they cost together, and what they cost the other.
pub struct Cost {
    pub operations: usize,
    pub ours: f64,
    pub beside: Option<(&'static str, f64)>,
}

/// What a workload costs at three sizes, and the other program beside it.
pub struct Costs {
    sizes: [usize; 3],
    operations: [usize; 3],
    ours: [f64; 3],
    beside: Option<(&'static str, [f64; 3])>,
}

impl Costs {
    pub fn new(sizes: [usize; 3], found: [Cost; 3]) -> Costs {
        let other = found[0].beside.map(|(other, _)| other);
        let theirs = found.each_ref().map(|cost| cost.beside.map(|(_, cost)| cost).unwrap_or(f64::NAN));
        Costs {
            sizes,
            operations: found.each_ref().map(|cost| cost.operations),
            ours: found.map(|cost| cost.ours),
            beside: other.map(|other| (other, theirs)),
        }
    }

    /// The cost of an operation at each size, and the exponent of the cost of all.
    fn columns(&self, costs: [f64; 3]) -> String {
        let each: Vec<String> = costs
            .iter()
            .zip(self.operations)
            .map(|(cost, operations)| format!("{:.1}", cost / operations as f64))
            .collect();
        format!("{} | {:.3}", each.join(" | "), exponent(costs))
    }
}

fn exponent(costs: [f64; 3]) -> f64 {
    (costs[2] / costs[0]).log10() / 2.0
}

/// Prints the rows whose name has this part; says which grow faster than they may, if that is asked of such costs.
pub fn print(part: &str, mut cost: impl FnMut(&Scaled) -> Costs) -> Vec<&'static str> {
    println!(
        "| workload | N | each at N | at 10 N | at 100 N | exponent | at most | beside | each at N | at 10 N | at 100 N | exponent |"
    );
    println!("|---|---:|---:|---:|---:|---:|---|---|---:|---:|---:|---:|");
    let mut fast = Vec::new();
    for row in ROWS.iter().filter(|row| row.name.contains(part)) {
        let costs = cost(row);
        let most = row.growth.most(row.size, 100);
        let beside = costs.beside.map(|(other, theirs)| format!("{other} | {}", costs.columns(theirs)));
        println!(
            "| `{}` | {} | {} | {most:.2}{} | {} |",
            row.name,
            costs.sizes[0],
            costs.columns(costs.ours),
            row.growth.kind(),
            beside.unwrap_or_else(|| " | | | |".to_owned()),
        );
        if exponent(costs.ours) > most {
            fast.push(row.name);
        }
    }
    fast
}
