//! Functions and rules beside the reference matcher, on all small expressions.

use plantime::Value;
use plantime::function::Functions;
use plantime::rule::Pattern;

use super::reference::{Expr, Places, Program};

fn atoms() -> Vec<Expr> {
    vec![
        Expr::Empty,
        Expr::Char('a'),
        Expr::Char('b'),
        Expr::Any,
        Expr::Word,
        Expr::Start,
        Expr::End,
        Expr::Boundary,
    ]
}

/// How an expression can be wrapped.
fn wrapped(expr: &Expr) -> Vec<Expr> {
    let repeat = |least, most, greedy| Expr::Repeat(Box::new(expr.clone()), least, most, greedy);
    vec![
        Expr::Group(Box::new(expr.clone())),
        repeat(0, None, true),
        repeat(0, None, false),
        repeat(1, None, true),
        repeat(0, Some(1), true),
        repeat(0, Some(1), false),
        repeat(1, Some(2), false),
        repeat(2, Some(2), true),
        repeat(0, Some(0), true),
    ]
}

/// All expressions of so many nodes, by their number.
fn expressions(most: usize) -> Vec<Vec<Expr>> {
    let mut by_size = vec![Vec::new(), atoms()];
    for size in 2..=most {
        let mut new: Vec<Expr> = by_size[size - 1].iter().flat_map(wrapped).collect();
        for left in 1..size - 1 {
            for (one, other) in pairs(&by_size[left], &by_size[size - 1 - left]) {
                new.push(Expr::Concat(vec![one.clone(), other.clone()]));
                new.push(Expr::Either(vec![one.clone(), other.clone()]));
            }
        }
        by_size.push(new);
    }
    by_size
}

fn pairs<'a>(left: &'a [Expr], right: &'a [Expr]) -> impl Iterator<Item = (&'a Expr, &'a Expr)> {
    left.iter().flat_map(move |one| right.iter().map(move |other| (one, other)))
}

/// Branches with a common beginning, which an engine may factor out only where that changes no preference.
fn common_beginnings() -> Vec<Expr> {
    let beginnings = expressions(3);
    let ends = [Expr::Char('a'), Expr::Char('b'), Expr::Any, Expr::End, Expr::Empty];
    let mut all = Vec::new();
    for beginning in
        beginnings[2].iter().chain(&beginnings[3]).filter(|expr| !matches!(expr, Expr::Either(_)))
    {
        for (one, other) in pairs(&ends[..4], &ends) {
            let branch = |end: &Expr| Expr::Concat(vec![beginning.clone(), end.clone()]);
            all.push(Expr::Either(vec![branch(one), branch(other)]));
        }
    }
    all
}

fn strings(letters: &[char], most: usize) -> Vec<Vec<char>> {
    let mut all = vec![Vec::new()];
    let mut last = all.clone();
    for _ in 0..most {
        last = last
            .iter()
            .flat_map(|text: &Vec<char>| letters.iter().map(move |c| [&text[..], &[*c]].concat()))
            .collect();
        all.extend(last.iter().cloned());
    }
    all
}

/// What `regex` gives for a match: its groups or, without groups, the whole.
fn groups(text: &[char], places: &Places) -> Vec<Option<String>> {
    let string = |place: &Option<(usize, usize)>| place.map(|(start, end)| text[start..end].iter().collect());
    let from = usize::from(places.len() > 1);
    places[from..].iter().map(string).collect()
}

#[track_caller]
fn check(expr: &Expr, texts: &[Vec<char>]) {
    let (pattern, program) = (expr.to_string(), Program::new(expr));
    let rule = Pattern::new(&pattern).unwrap_or_else(|error| panic!("{pattern:?}: {error}"));
    for text in texts {
        let string: String = text.iter().collect();
        let expected = program.find(text, 0).map(|places| groups(text, &places));
        assert_eq!(super::first(&pattern, &string), expected, "regex of {pattern:?} on {string:?}");
        assert_eq!(rule.is_match(&string), expected.is_some(), "matches of {pattern:?} on {string:?}");
        let all: Vec<_> = program.find_all(text).iter().map(|places| groups(text, places)).collect();
        assert_eq!(super::all(&pattern, &string), all, "regexall of {pattern:?} on {string:?}");
    }
}

#[test]
fn functions_and_rules_find_what_the_reference_finds() {
    let texts = strings(&['a', 'b', '\u{e9}'], 2);
    let longer: Vec<Vec<char>> =
        ["aba", "aab\nb", "ba-b"].iter().map(|text| text.chars().collect()).collect();
    let texts = [texts, longer].concat();
    let all: Vec<Expr> = expressions(3).into_iter().flatten().collect();
    println!("{} expressions, {} texts", all.len(), texts.len());
    all.iter().for_each(|expr| check(expr, &texts));
    // Of the larger ones, every 31st, which is prime to the numbers of atoms and ways to wrap.
    let larger: Vec<Expr> = expressions(5).into_iter().skip(4).flatten().step_by(31).collect();
    println!("{} larger expressions", larger.len());
    larger.iter().for_each(|expr| check(expr, &texts));
}

#[test]
fn branches_with_a_common_beginning_keep_their_order() {
    let texts =
        [strings(&['a', 'b'], 3), vec!["abab".chars().collect(), "aab\u{e9}".chars().collect()]].concat();
    let all: Vec<Expr> = common_beginnings().into_iter().step_by(3).collect();
    println!("{} expressions", all.len());
    all.iter().for_each(|expr| check(expr, &texts));
}

#[test]
fn replacing_prefers_the_first_branch() {
    for (text, pattern, expected) in [
        ("foo a,b;", "/foo.*?;|foo.*?,/", "X"),
        ("acb", "/a.*c|a.*b/", "Xb"),
        ("acb", "/(a.*c)|(a.*b)/", "Xb"),
        ("aab", "/a+?|a+?b/", "XXb"),
        ("abab", "/(?:ab)*a|(?:ab)*b/", "XX"),
        ("xay", "/x(?:.*y|.*a)|x/", "X"),
    ] {
        let replaced = Functions::standard().call("replace", &[text.into(), pattern.into(), "X".into()]);
        assert_eq!(replaced, Ok(Value::from(expected)), "{pattern}");
    }
}

/// What is decided of a prefix holds of all its continuations, and what all continuations agree on is decided.
#[test]
fn prefixes_are_decided_as_the_reference_says() {
    let letters = ['a', 'b', '\u{e9}', '\n'];
    // Four characters more decide all expressions of this size.
    let (prefixes, rests) = (strings(&letters, 2), strings(&letters, 4));
    let mut decided = 0;
    let all: Vec<Expr> = expressions(4).into_iter().flatten().step_by(29).collect();
    for expr in &all {
        let (pattern, program) = (Pattern::new(&expr.to_string()).unwrap(), Program::new(expr));
        for prefix in &prefixes {
            let mut matches =
                rests.iter().map(|rest| program.find(&[&prefix[..], rest].concat(), 0).is_some());
            let first = matches.next().unwrap();
            let expected = matches.all(|one| one == first).then_some(first);
            let string: String = prefix.iter().collect();
            assert_eq!(pattern.contains_all_with_prefix(&string), expected, "{expr} with prefix {string:?}");
            decided += usize::from(expected.is_some());
        }
    }
    println!("{decided} of {} decided", all.len() * prefixes.len());
}
