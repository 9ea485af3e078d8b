//! All laws, including optimality, on each function, for arguments from the domains of its parameters.

use std::collections::BTreeSet;

use plantime::function::{Function, Functions};
use plantime::testing::{self, Law, Proof};
use plantime::{Type, Value};

use crate::domains::{domain, domains};
use crate::{collections, ledger};

pub(crate) fn function(name: &str) -> Function {
    let functions = [Functions::cty(), Functions::rules()];
    functions.iter().find_map(|functions| functions.get(name)).unwrap_or_else(|| panic!("{name}")).clone()
}

pub(crate) fn proof(function: &Function) -> Proof<'_> {
    let call = move |operands: &[&Value]| {
        let arguments: Vec<Value> = operands.iter().map(|&operand| operand.clone()).collect();
        function.call(&arguments)
    };
    let mut proof = testing::variadic(function.name(), call);
    for row in ledger::rows().into_iter().filter(|row| row.function == function.name()) {
        proof = proof.allow(&row.operands.iter().map(String::as_str).collect::<Vec<_>>(), &row.reason);
    }
    proof
}

/// Functions whose result type depends on the values of arguments: on a text that is decoded, a pattern, or a type.
const TYPES_FOLLOW_VALUES: &[&str] = &["convert", "csvdecode", "jsondecode", "regex", "regexall"];

/// Tries the laws on a function, with one argument for each parameter, and one or two more if it is variadic.
#[track_caller]
fn try_function(function: &Function) {
    let name = function.name();
    let own = domains(name);
    let fixed: Vec<&Type> = function.parameters().iter().map(|parameter| parameter.ty()).collect();
    let mut tries = vec![fixed.clone()];
    if let Some(variadic) = function.variadic() {
        for more in 1..=2 {
            tries.push(fixed.iter().copied().chain(vec![variadic.ty(); more]).collect());
        }
    }
    let mut proof = proof(function);
    let loss = ledger::loss(name);
    if loss.is_none() {
        proof = proof.optimal();
    }
    if TYPES_FOLLOW_VALUES.contains(&name) {
        proof = proof.types_follow_values();
    }
    // Its answer depends on marks, see `marks.rs`.
    if name == "issensitive" {
        proof = proof.without_marks();
    }
    for types in tries {
        let domains = types
            .iter()
            .enumerate()
            .map(|(i, ty)| own.get(i).cloned().flatten().unwrap_or_else(|| domain(name, ty, types.len())));
        proof = proof.on(domains.collect::<Vec<_>>());
    }
    let report = proof.report();
    let Some(recorded) = loss else {
        let only_loss = report.violations.iter().all(|violation| violation.law == Law::Optimality);
        let hint = "only precision is lost: let the function say more, or, where that is not worth its cost, give \
                    it a row in tests/functions/precision.toml (write the share 0: the next run tells the right one)";
        assert!(
            report.is_proven(),
            "{report}{}",
            if only_loss { format!("\n{hint}") } else { String::new() }
        );
        println!("{report}");
        return;
    };
    report.assert();
    // `EVERY=1` prints each kind of imprecise answer, for those who want to mend one.
    if std::env::var_os("EVERY").is_some() {
        for kind in &report.imprecise {
            println!("KIND {} {:?} {}", kind.count, kind.kinds, kind.example.replace('\n', " ## "));
        }
    }
    let count: usize = report.imprecise.iter().map(|answers| answers.count).sum();
    // Rounded up, so that a single call that says less than before is seen in small domains.
    let share = (10_000.0 * count as f64 / report.abstract_calls as f64).ceil() / 100.0;
    println!("{name} could say more in {share} % of its calls");
    assert!(
        count > 0 && share == recorded,
        "{name} could say more in {share} % of its calls, and precision.toml has {recorded} %: where it says more \
         than before, write the smaller share there; where it says less, give back what it lost"
    );
}

macro_rules! laws_of {
    ($($name:ident),* $(,)?) => {
        $(#[test]
        fn $name() {
            try_function(&function(stringify!($name).trim_start_matches("r#")));
        })*

        const TRIED: &[&str] = &[$(stringify!($name)),*];
    };
}

laws_of!(
    absolute,
    add,
    and,
    assertnotnull,
    assumeequal,
    assumelistlength,
    assumelistlengthmax,
    assumelistlengthmin,
    assumemaplength,
    assumemaplengthmax,
    assumemaplengthmin,
    assumenotnull,
    assumesetlength,
    assumesetlengthmax,
    assumesetlengthmin,
    assumestringprefix,
    base64decode,
    base64encode,
    base64sha256,
    base64sha512,
    basename,
    byteslen,
    bytesslice,
    ceil,
    chomp,
    cidrcontains,
    cidrhost,
    cidrnetmask,
    cidroverlaps,
    cidrsubnet,
    cidrsubnets,
    convert,
    csvdecode,
    dirname,
    divide,
    endswith,
    equal,
    floor,
    formatdate,
    format,
    formatlist,
    greaterthan,
    greaterthanorequalto,
    indent,
    int,
    issensitive,
    jsondecode,
    jsonencode,
    join,
    lessthan,
    lessthanorequalto,
    log,
    lower,
    max,
    md5,
    min,
    modulo,
    multiply,
    negate,
    nonsensitive,
    not,
    notequal,
    or,
    parseint,
    pow,
    regex,
    regexall,
    regexreplace,
    replace,
    reverse,
    sensitive,
    sha1,
    sha256,
    sha512,
    signum,
    split,
    startswith,
    strcontains,
    strlen,
    substr,
    subtract,
    tobool,
    tolist,
    tomap,
    tonumber,
    toset,
    tostring,
    timeadd,
    timecmp,
    title,
    trim,
    trimprefix,
    trimspace,
    trimsuffix,
    r#type,
    upper,
    urldecode,
    urlencode,
    uuidv5,
    versioncmp,
    versionmatches,
);

/// `replace` of the planning languages, where a pattern may stand between slashes.
#[test]
fn replace_of_the_languages() {
    try_function(Functions::standard().get("replace").unwrap());
}

#[test]
fn the_laws_are_tried_on_every_function() {
    // A function that has another name in cty is tried once.
    let what = |function: &Function| {
        let signature = function.to_string();
        let parameters = signature.split_once('(').map(|(_, rest)| rest.to_owned()).unwrap();
        (function.description().to_owned(), parameters)
    };
    let tried = TRIED.iter().chain(collections::TRIED).map(|name| function(name.trim_start_matches("r#")));
    let language = collections::language::TRIED.iter().chain(&["replace", "yamldecode", "yamlencode"]);
    let language = language.map(|name| Functions::standard().get(name).unwrap().clone());
    let tried: BTreeSet<_> = tried.chain(language).map(|function| what(&function)).collect();
    let all = Functions::cty();
    let standard = Functions::rules();
    let is_untried = |function: &&Function| !tried.contains(&what(function));
    let untried: BTreeSet<&str> =
        all.iter().chain(standard.iter()).filter(is_untried).map(Function::name).collect();
    assert!(
        untried.is_empty(),
        "the laws are not tried on {untried:?}: add each to `laws_of!` in tests/functions/laws.rs; \
         or, if it takes collections, to `laws_of!` in tests/functions/collections.rs, with its domains in `tries` there"
    );
}
