//! A matcher that says what an expression means: a program of few instructions, run by backtracking.
//!
//! A place in the program is visited once at each place of the text, as in Go's backtracker; so an iteration that
//! matches the empty string ends its loop.

use std::collections::HashSet;
use std::fmt;

#[derive(Clone, Debug, PartialEq)]
pub(crate) enum Expr {
    Empty,
    Char(char),
    /// Any character but a newline.
    Any,
    /// `\w`.
    Word,
    Start,
    End,
    /// `\b`.
    Boundary,
    Group(Box<Expr>),
    Concat(Vec<Expr>),
    Either(Vec<Expr>),
    Repeat(Box<Expr>, usize, Option<usize>, bool),
}

impl Expr {
    fn may_be_empty(&self) -> bool {
        match self {
            Expr::Char(_) | Expr::Any | Expr::Word => false,
            Expr::Empty | Expr::Start | Expr::End | Expr::Boundary => true,
            Expr::Group(inner) => inner.may_be_empty(),
            Expr::Concat(parts) => parts.iter().all(Expr::may_be_empty),
            Expr::Either(parts) => parts.iter().any(Expr::may_be_empty),
            Expr::Repeat(inner, least, _, _) => *least == 0 || inner.may_be_empty(),
        }
    }
}

impl fmt::Display for Expr {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Expr::Empty => Ok(()),
            Expr::Char(c) => write!(f, "{c}"),
            Expr::Any => f.write_str("."),
            Expr::Word => f.write_str(r"\w"),
            Expr::Start => f.write_str("^"),
            Expr::End => f.write_str("$"),
            Expr::Boundary => f.write_str(r"\b"),
            Expr::Group(inner) => write!(f, "({inner})"),
            Expr::Concat(parts) => parts.iter().try_for_each(|part| match part {
                Expr::Either(_) => write!(f, "(?:{part})"),
                part => write!(f, "{part}"),
            }),
            Expr::Either(parts) => parts.iter().enumerate().try_for_each(|(i, part)| {
                f.write_str(if i > 0 { "|" } else { "" })?;
                write!(f, "{part}")
            }),
            Expr::Repeat(inner, least, most, greedy) => {
                match &**inner {
                    Expr::Empty | Expr::Concat(_) | Expr::Either(_) | Expr::Repeat(..) => {
                        write!(f, "(?:{inner})")?
                    }
                    inner => write!(f, "{inner}")?,
                }
                match (least, most) {
                    (0, None) => f.write_str("*")?,
                    (1, None) => f.write_str("+")?,
                    (0, Some(1)) => f.write_str("?")?,
                    (least, None) => write!(f, "{{{least},}}")?,
                    (least, Some(most)) if least == most => write!(f, "{{{least}}}")?,
                    (least, Some(most)) => write!(f, "{{{least},{most}}}")?,
                }
                f.write_str(if *greedy { "" } else { "?" })
            }
        }
    }
}

enum Step {
    One(Expr),
    Look(Expr),
    /// Remembers the place of the text as the start (even) or end (odd) of a group.
    Place(usize),
    /// Tries the first, then the second.
    Split(usize, usize),
    Jump(usize),
    Match,
}

pub(crate) struct Program {
    steps: Vec<Step>,
    groups: usize,
}

/// For each group from the whole match on, where it starts and ends, in characters.
pub(crate) type Places = Vec<Option<(usize, usize)>>;

impl Program {
    pub(crate) fn new(expr: &Expr) -> Program {
        let mut program = Program { steps: Vec::new(), groups: 0 };
        program.add(expr);
        program.steps.push(Step::Match);
        program
    }

    fn add(&mut self, expr: &Expr) {
        match expr {
            Expr::Empty => {}
            Expr::Char(_) | Expr::Any | Expr::Word => self.steps.push(Step::One(expr.clone())),
            Expr::Start | Expr::End | Expr::Boundary => self.steps.push(Step::Look(expr.clone())),
            Expr::Group(inner) => {
                self.groups += 1;
                let group = self.groups * 2;
                self.steps.push(Step::Place(group));
                self.add(inner);
                self.steps.push(Step::Place(group + 1));
            }
            Expr::Concat(parts) => parts.iter().for_each(|part| self.add(part)),
            Expr::Either(parts) => {
                let mut ends = Vec::new();
                for (i, part) in parts.iter().enumerate() {
                    let split = self.steps.len();
                    let is_last = i + 1 == parts.len();
                    if !is_last {
                        self.steps.push(Step::Split(split + 1, 0));
                    }
                    self.add(part);
                    if !is_last {
                        ends.push(self.steps.len());
                        self.steps.push(Step::Jump(0));
                        self.steps[split] = Step::Split(split + 1, self.steps.len());
                    }
                }
                let end = self.steps.len();
                ends.into_iter().for_each(|at| self.steps[at] = Step::Jump(end));
            }
            Expr::Repeat(inner, least, most, greedy) => {
                let groups = self.groups;
                let mut again = |program: &mut Program| {
                    program.groups = groups;
                    program.add(inner);
                };
                let certain = if most.is_none() { least.saturating_sub(1) } else { *least };
                (0..certain).for_each(|_| again(self));
                match most {
                    // Where `x` can be empty, `x*` is `(x+)?`: an empty first iteration counts as one.
                    None if *least == 0 && inner.may_be_empty() => {
                        self.maybe(*greedy, |program| program.plus(*greedy, &mut again));
                    }
                    None if *least == 0 => {
                        let start = self.steps.len();
                        self.maybe(*greedy, |program| {
                            again(program);
                            program.steps.push(Step::Jump(start));
                        });
                    }
                    None => self.plus(*greedy, &mut again),
                    Some(most) => self.up_to(most - least, *greedy, &mut again),
                }
                if *most == Some(0) {
                    // The groups of what never matches are there all the same.
                    let mut nowhere = Program { steps: Vec::new(), groups };
                    nowhere.add(inner);
                    self.groups = nowhere.groups;
                }
            }
        }
    }

    fn plus(&mut self, greedy: bool, again: &mut impl FnMut(&mut Program)) {
        let start = self.steps.len();
        again(self);
        let next = self.steps.len() + 1;
        self.steps.push(if greedy { Step::Split(start, next) } else { Step::Split(next, start) });
    }

    fn up_to(&mut self, count: usize, greedy: bool, again: &mut impl FnMut(&mut Program)) {
        if count > 0 {
            self.maybe(greedy, |program| {
                again(program);
                program.up_to(count - 1, greedy, again);
            });
        }
    }

    fn maybe(&mut self, greedy: bool, inside: impl FnOnce(&mut Program)) {
        let split = self.steps.len();
        self.steps.push(Step::Split(0, 0));
        inside(self);
        let (inside, after) = (split + 1, self.steps.len());
        self.steps[split] = if greedy { Step::Split(inside, after) } else { Step::Split(after, inside) };
    }

    /// The leftmost match that begins at a place or after it.
    pub(crate) fn find(&self, text: &[char], from: usize) -> Option<Places> {
        (from..=text.len()).find_map(|start| {
            let mut places = vec![None; self.groups * 2 + 2];
            let mut visited = HashSet::new();
            let end = self.run(0, text, start, &mut places, &mut visited)?;
            (places[0], places[1]) = (Some(start), Some(end));
            Some(places.chunks(2).map(|place| Some((place[0]?, place[1]?))).collect())
        })
    }

    /// All matches, as Go has them: an empty match right after another one does not count.
    pub(crate) fn find_all(&self, text: &[char]) -> Vec<Places> {
        let (mut found, mut from, mut last) = (Vec::new(), 0, None);
        while let Some(places) = self.find(text, from) {
            let (start, end) = places[0].unwrap();
            if start < end || last != Some(start) {
                found.push(places);
            }
            last = Some(end);
            from = if end > from { end } else { from + 1 };
            if from > text.len() {
                break;
            }
        }
        found
    }

    fn run(
        &self,
        at: usize,
        text: &[char],
        place: usize,
        places: &mut Vec<Option<usize>>,
        visited: &mut HashSet<(usize, usize)>,
    ) -> Option<usize> {
        if !visited.insert((at, place)) {
            return None;
        }
        match &self.steps[at] {
            Step::Match => Some(place),
            Step::One(one) => {
                if !text.get(place).is_some_and(|c| takes(one, *c)) {
                    return None;
                }
                self.run(at + 1, text, place + 1, places, visited)
            }
            Step::Look(look) => {
                if !holds(look, text, place) {
                    return None;
                }
                self.run(at + 1, text, place, places, visited)
            }
            Step::Place(index) => {
                let before = places[*index].replace(place);
                let end = self.run(at + 1, text, place, places, visited);
                if end.is_none() {
                    places[*index] = before;
                }
                end
            }
            Step::Split(first, second) => self
                .run(*first, text, place, places, visited)
                .or_else(|| self.run(*second, text, place, places, visited)),
            Step::Jump(to) => self.run(*to, text, place, places, visited),
        }
    }
}

fn is_word(c: Option<&char>) -> bool {
    c.is_some_and(|c| c.is_ascii_alphanumeric() || *c == '_')
}

fn takes(one: &Expr, c: char) -> bool {
    match one {
        Expr::Char(own) => *own == c,
        Expr::Any => c != '\n',
        _ => is_word(Some(&c)),
    }
}

fn holds(look: &Expr, text: &[char], place: usize) -> bool {
    match look {
        Expr::Start => place == 0,
        Expr::End => place == text.len(),
        _ => {
            let before = place.checked_sub(1).and_then(|before| text.get(before));
            is_word(before) != is_word(text.get(place))
        }
    }
}

#[test]
fn the_reference_prefers_what_perl_prefers() {
    let repeat = |inner, greedy| Expr::Repeat(Box::new(inner), 0, None, greedy);
    let any = |last| Expr::Concat(vec![Expr::Char('a'), repeat(Expr::Any, true), Expr::Char(last)]);
    let empty_or_a = Expr::Group(Box::new(Expr::Either(vec![Expr::Empty, Expr::Char('a')])));
    for (expr, text, expected) in [
        (Expr::Either(vec![any('c'), any('b')]), "acb", vec![Some((0, 2))]),
        (Expr::Either(vec![Expr::Char('a'), any('c')]), "xac", vec![Some((1, 2))]),
        (repeat(empty_or_a.clone(), true), "aaa", vec![Some((0, 0)), Some((0, 0))]),
        (repeat(Expr::Char('a'), false), "aaa", vec![Some((0, 0))]),
        (Expr::Concat(vec![repeat(empty_or_a, true), Expr::End]), "aa", vec![Some((0, 2)), Some((1, 2))]),
    ] {
        let text: Vec<char> = text.chars().collect();
        assert_eq!(Program::new(&expr).find(&text, 0), Some(expected), "{expr}");
    }
}
