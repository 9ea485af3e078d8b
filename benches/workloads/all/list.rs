//! All workloads: their sizes in the table, what go-cty 1.18.1 was measured to take, and what is wanted.

use super::work::Work;
use super::{
    calls, codecs, comparison, conversion, languages, marks, numbers, plans, refinement, rules, sets, walks,
};

pub struct Workload {
    pub name: &'static str,
    /// In the table.
    pub size: usize,
    pub make: fn(usize) -> Work,
    /// Nanoseconds of an operation of go-cty, on the processor, and how many times faster this is to be.
    pub cty: Option<(f64, f64)>,
    /// The largest wanted ratio to what is measured beside it.
    pub beside: Option<f64>,
    /// The most nanoseconds that an operation is to take.
    pub most: Option<f64>,
}

const fn row(name: &'static str, size: usize, make: fn(usize) -> Work) -> Workload {
    Workload { name, size, make, cty: None, beside: None, most: None }
}

impl Workload {
    /// go-cty takes so many nanoseconds; this is to be so many times faster.
    const fn cty(mut self, nanoseconds: f64, times: f64) -> Workload {
        self.cty = Some((nanoseconds, times));
        self
    }

    const fn beside(mut self, ratio: f64) -> Workload {
        self.beside = Some(ratio);
        self
    }

    const fn most(mut self, nanoseconds: f64) -> Workload {
        self.most = Some(nanoseconds);
        self
    }
}

/// The figures of go-cty are those of its quietest runs.
pub const WORKLOADS: &[Workload] = &[
    row("json_decode", 10_000, codecs::json_decode).cty(2678.0, 40.0).beside(0.8),
    row("json_encode", 10_000, codecs::json_encode).cty(4898.0, 60.0).beside(1.0),
    row("json_implied_type", 10_000, codecs::json_implied_type).cty(568.0, 10.0).beside(2.0),
    row("json_implied", 10_000, codecs::json_implied).cty(3240.0, 25.0).beside(2.0),
    row("msgpack_decode", 10_000, codecs::msgpack_decode).cty(900.0, 10.0).beside(0.8),
    row("msgpack_encode", 10_000, codecs::msgpack_encode).cty(1624.0, 30.0).beside(1.0),
    row("plan_read", 100, plans::plan_read),
    row("convert", 10_000, conversion::convert_tuple).cty(218_000.0, 500.0),
    row("convert_list", 50_000, conversion::convert_list).cty(7271.0, 20.0),
    row("unify_equal", 2000, conversion::unify_equal).cty(111_000.0, 1000.0),
    row("unify_mixed", 2000, conversion::unify_mixed).cty(215_000.0, 200.0),
    row("unify_map", 500, conversion::unify_map).cty(653_000.0, 200.0),
    row("equals", 10_000, comparison::equals).cty(5450.0, 60.0).beside(0.8),
    row("raw_equals", 10_000, comparison::raw_equals).cty(1580.0, 20.0),
    row("equals_unknown", 10_000, comparison::equals_unknown).cty(2650.0, 30.0),
    row("raw_equals_unknown", 10_000, comparison::raw_equals_unknown),
    row("equals_unknown_last", 10_000, comparison::equals_unknown_last).cty(6220.0, 60.0),
    row("set_strings", 200_000, sets::set_strings).cty(624.0, 5.0).beside(1.3),
    row("set_objects", 20_000, sets::set_objects).cty(3240.0, 12.0),
    row("set_union_strings", 20_000, sets::set_union_strings).cty(32_050.0, 150.0).beside(1.0),
    row("set_union_objects", 2000, sets::set_union_objects).cty(353_000.0, 300.0),
    row("set_has", 1000, sets::set_has).cty(2_660_000.0, 5000.0).beside(2.0),
    row("set_len", 20_000, sets::set_len).cty(90_600_000.0, 1_000_000.0),
    row("set_iter", 20_000, sets::set_iter).cty(4600.0, 100.0),
    row("set_equals", 10_000, sets::set_equals).cty(26_700.0, 300.0),
    row("arith_int_add", 2_000_000, numbers::arith_int_add).cty(116.0, 12.0).most(8.0),
    row("arith_int_mul", 2_000_000, numbers::arith_int_mul).cty(100.0, 12.0).most(8.0),
    row("arith_int_lt", 2_000_000, numbers::arith_int_lt).cty(21.0, 4.0),
    row("arith_int_div", 2_000_000, numbers::arith_int_div).cty(146.0, 8.0),
    row("arith_int_mod", 2_000_000, numbers::arith_int_mod).cty(551.0, 40.0),
    row("arith_dec_add", 200_000, numbers::arith_dec_add).cty(168.0, 3.0),
    row("arith_dec_mul", 200_000, numbers::arith_dec_mul).cty(216.0, 3.0),
    row("arith_dec_div", 200_000, numbers::arith_dec_div).cty(573.0, 1.8),
    row("arith_dec_lt", 200_000, numbers::arith_dec_lt).cty(22.0, 2.0),
    row("arith_dec_eq", 200_000, numbers::arith_dec_eq).cty(29_400.0, 1000.0),
    row("arith_dec_parse", 200_000, numbers::arith_dec_parse).cty(482.0, 4.0),
    row("refine_string", 1_000_000, refinement::refine_string).cty(457.0, 10.0),
    row("refine_number", 1_000_000, refinement::refine_number).cty(1722.0, 40.0),
    row("refine_len", 1_000_000, refinement::refine_len).cty(1822.0, 30.0),
    row("wholly_known", 2000, marks::wholly_known).cty(206.0, 100_000.0),
    row("mark_paths", 1000, marks::mark_paths).cty(58_300.0, 300.0).most(150.0),
    row("unmark_deep_paths", 1000, marks::unmark_deep_paths).cty(514.0, 10.0),
    row("unmark_deep", 4000, marks::unmark_deep).cty(446.0, 10.0),
    row("contains_marked", 10_000, marks::contains_marked).cty(337.0, 100.0),
    row("walk", 10_000, walks::walk).cty(377.0, 8.0).beside(1.0),
    row("transform_id", 10_000, walks::transform_id).cty(879.0, 15.0).beside(0.8),
    row("transform_upper", 10_000, walks::transform_upper).cty(1081.0, 8.0),
    row("fn_upper", 1_000_000, calls::upper).cty(281.0, 4.0),
    row("fn_format", 500_000, calls::format).cty(1128.0, 8.0),
    row("fn_length", 1_000_000, calls::length).cty(598.0, 15.0),
    row("fn_join", 500_000, calls::join).cty(1798.0, 15.0),
    row("fn_merge", 500_000, calls::merge).cty(2154.0, 6.0),
    row("fn_concat", 500_000, calls::concat).cty(1604.0, 6.0),
    row("fn_lookup", 500_000, calls::lookup).cty(780.0, 10.0),
    row("fn_regex", 200_000, calls::regex).cty(6817.0, 10.0),
    row("fn_jsonencode", 500_000, calls::jsonencode).cty(7627.0, 25.0),
    row("path_apply", 1_000_000, walks::path_apply).cty(389.0, 3.0),
    row("index", 1_000_000, walks::index),
    row("build", 10_000, walks::build).cty(699.0, 5.0),
    row("clone", 10_000, walks::clone).most(10.0),
    row("drop", 10_000, walks::drop).most(80.0),
    row("rule_check", 1_000_000, rules::rule_check).most(200.0),
    row("pattern_prefix", 1_000_000, rules::pattern_prefix).most(20_000.0),
    row("language_decides", 1_000_000, languages::language_decides).beside(20.0),
    row("language_within", 20_000, languages::language_within).beside(20.0),
    row("language_meet", 2000, languages::language_meet).beside(1.0),
    row("language_concat", 2000, languages::language_concat).beside(1.0),
];

pub fn named(name: &str) -> Option<&'static Workload> {
    WORKLOADS.iter().find(|workload| workload.name == name)
}
