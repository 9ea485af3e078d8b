//! The languages of the strings that a function writes when it reads the strings of a language character by character.

use std::collections::HashMap;

use super::alphabet::{Range, common, complement, merged};
use super::build::{EVERY, code};
use super::nfa::Builder;
use super::rows::number;
use super::{Language, Result, TooLarge};

/// The maximum number of bytes of a text that is searched for: the transducer has a state for each character.
const MAX_PART: usize = 64;

/// The maximum number of bytes that are written for a character that is read: the automaton has a state for each.
const MAX_REPLACEMENT: usize = 1 << 10;

/// A finite-state transducer: reads a string character by character and writes another one. In each state every character has exactly
/// one transition.
#[derive(Clone, Debug, Default)]
pub(crate) struct Transducer {
    states: Vec<State>,
}

#[derive(Clone, Debug, Default)]
struct State {
    transitions: Vec<Transition>,
    /// What is written where the string ends in this state.
    end: String,
}

#[derive(Clone, Debug)]
struct Transition {
    /// The characters that are read, as sorted ranges.
    ranges: Vec<Range>,
    output: Output,
    target: u32,
}

/// What is written for a character.
#[derive(Clone, Debug)]
enum Output {
    Text(String),
    /// The text and then the character itself.
    Before(String),
}

/// What is kept of a string that is divided at the first occurrence of a text.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Side {
    Before,
    After,
}

impl Transducer {
    /// Replaces each occurrence of a text, from the start on. The text must not be empty.
    fn replacing(part: &str, replacement: &str) -> Transducer {
        let search = Search::new(part);
        let whole = search.part.len();
        let mut made = Transducer::default();
        for matched in 0..whole {
            made.searching(&search, matched, |open| Output::Text(search.text(0..open)));
            let is_last = matched.saturating_add(1) == whole;
            let (text, next) =
                if is_last { (replacement, 0) } else { ("", number(matched.saturating_add(1))) };
            made.add(&[search.range(matched)], Output::Text(text.to_owned()), next);
        }
        made
    }

    /// Keeps what precedes (or follows) the first occurrence of a text. Of a string without the text, keeps all (or
    /// nothing). The text must not be empty.
    fn dividing(part: &str, side: Side) -> Transducer {
        let search = Search::new(part);
        let whole = search.part.len();
        let mut made = Transducer::default();
        for matched in 0..whole {
            made.searching(&search, matched, |open| match side {
                Side::Before => Output::Text(search.text(0..open)),
                Side::After => Output::Text(String::new()),
            });
            if side == Side::After
                && let Some(state) = made.states.last_mut()
            {
                // Nothing follows.
                state.end.clear();
                for transition in &mut state.transitions {
                    transition.output = Output::Text(String::new());
                }
            }
            made.add(
                &[search.range(matched)],
                Output::Text(String::new()),
                number(matched.saturating_add(1)),
            );
        }
        made.states.push(State::default());
        let rest = match side {
            Side::Before => Output::Text(String::new()),
            Side::After => Output::Before(String::new()),
        };
        made.add(&EVERY, rest, number(whole));
        made
    }

    /// Adds the state in which the first `matched` characters of the searched text have been read, with transitions for
    /// all characters that do not continue it. `output` gives what is written for a number of read characters that can
    /// no longer be the start of an occurrence.
    fn searching(&mut self, search: &Search, matched: usize, output: impl Fn(usize) -> Output) {
        self.states.push(State { transitions: Vec::new(), end: search.text(0..matched) });
        let mut known = vec![search.range(matched)];
        for c in search.characters() {
            let range = only(c);
            if range == search.range(matched) {
                continue;
            }
            let longest = search.longest_start_after(matched, c);
            let read = matched.saturating_add(1);
            if longest > 0 {
                self.add(&[range], output(read.saturating_sub(longest)), number(longest));
                known.push(range);
            }
        }
        self.add(&complement(&merged(known)), Output::Before(search.text(0..matched)), 0);
    }

    /// Replaces each character of a class; with `in_runs`, each longest run of them by one replacement.
    fn replacing_class(ranges: &[Range], replacement: &str, in_runs: bool) -> Transducer {
        let (others, copy) = (complement(ranges), || Output::Before(String::new()));
        let mut made = Transducer { states: vec![State::default()] };
        made.add(ranges, Output::Text(replacement.to_owned()), u32::from(in_runs));
        made.add(&others, copy(), 0);
        if in_runs {
            made.states.push(State::default());
            made.add(ranges, Output::Text(String::new()), 1);
            made.add(&others, copy(), 0);
        }
        made
    }

    /// Writes the letters of ASCII in upper case where no letter, digit or `_` precedes.
    pub(crate) fn ascii_title() -> Transducer {
        let mut made = Transducer { states: vec![State::default()] };
        let word =
            [('0', '9'), ('A', 'Z'), ('_', '_'), ('a', 'z')].map(|(first, last)| (code(first), code(last)));
        for c in 'a'..='z' {
            made.add(&[only(c)], Output::Text(c.to_ascii_uppercase().to_string()), 1);
        }
        let copy = || Output::Before(String::new());
        let others = complement(&word);
        made.add(word.get(..3).unwrap_or_default(), copy(), 1);
        made.add(&others, copy(), 0);
        made.states.push(State::default());
        made.add(&word, copy(), 1);
        made.add(&others, copy(), 0);
        made
    }

    /// Adds a transition to the last state.
    fn add(&mut self, ranges: &[Range], output: Output, target: u32) {
        if let Some(state) = self.states.last_mut() {
            state.transitions.push(Transition { ranges: ranges.to_vec(), output, target });
        }
    }
}

/// The range of one character.
fn only(c: char) -> Range {
    (code(c), code(c))
}

/// A text that is searched for, with what Knuth, Morris and Pratt need to know of it.
struct Search {
    part: Vec<char>,
    /// For each prefix of the text: the length of the longest shorter prefix that it ends with.
    shorter: Vec<usize>,
}

impl Search {
    fn new(part: &str) -> Search {
        let part: Vec<char> = part.chars().collect();
        let mut search = Search { part, shorter: vec![0] };
        for length in 1..search.part.len() {
            let c = search.part.get(length).copied().unwrap_or_default();
            let longest = search.longest_start_after(length, c);
            search.shorter.push(longest);
        }
        search
    }

    /// The characters of the text, each once.
    fn characters(&self) -> Vec<char> {
        let mut all = self.part.clone();
        all.sort_unstable();
        all.dedup();
        all
    }

    /// The character at a place, as a range.
    fn range(&self, place: usize) -> Range {
        only(self.part.get(place).copied().unwrap_or_default())
    }

    fn text(&self, range: std::ops::Range<usize>) -> String {
        self.part.get(range).unwrap_or_default().iter().collect()
    }

    /// The length of the longest beginning of the text with which its first `matched` characters end, followed by `c`, where `c` does
    /// not continue them all.
    fn longest_start_after(&self, matched: usize, c: char) -> usize {
        let mut same = matched;
        while same > 0 {
            same = self.shorter.get(same.saturating_sub(1)).copied().unwrap_or(0);
            if self.part.get(same) == Some(&c) {
                return same.saturating_add(1);
            }
        }
        0
    }
}

impl Language {
    /// The strings of the language with each occurrence of a text replaced, from the start on; for an empty text a larger language.
    ///
    /// The results are not normalised: they are in form C if the language and the replacement are below U+0300.
    ///
    /// ```
    /// use plantime::language::Language;
    ///
    /// let names = Language::one_of(["a::b", "c"])?;
    /// assert_eq!(names.replace("::", "/")?, Language::one_of(["a/b", "c"])?);
    /// # Ok::<(), plantime::language::TooLarge>(())
    /// ```
    pub fn replace(&self, part: &str, replacement: &str) -> Result {
        if part.is_empty() || part.len() > MAX_PART || replacement.len() > MAX_REPLACEMENT {
            return Err(TooLarge { hull: Language::all() });
        }
        self.transduce(&Transducer::replacing(part, replacement))
    }

    /// The strings of the language with each character of the ranges replaced; with `in_runs`, each longest run of them by one
    /// replacement.
    ///
    /// The results are not normalised: they are in form C if the language and the replacement are below U+0300.
    ///
    /// ```
    /// use plantime::language::Language;
    ///
    /// let names = Language::one_of(["a..b", "c.d"])?;
    /// assert_eq!(names.replace_class(&[('.', '/')], "-", false)?, Language::one_of(["a--b", "c-d"])?);
    /// assert_eq!(names.replace_class(&[('.', '/')], "-", true)?, Language::one_of(["a-b", "c-d"])?);
    /// # Ok::<(), plantime::language::TooLarge>(())
    /// ```
    pub fn replace_class(&self, ranges: &[(char, char)], replacement: &str, in_runs: bool) -> Result {
        if replacement.len() > MAX_REPLACEMENT {
            return Err(TooLarge { hull: Language::all() });
        }
        let ranges = merged(ranges.iter().map(|(first, last)| (code(*first), code(*last))).collect());
        self.transduce(&Transducer::replacing_class(&ranges, replacement, in_runs))
    }

    /// The language of what precedes the first occurrence of a text in the strings, and the language of what follows
    /// it. A string without the text counts as preceding as a whole, and the empty string as following. Larger
    /// languages for an empty text.
    ///
    /// ```
    /// use plantime::language::Language;
    ///
    /// let [zone, rest] = Language::one_of(["eu-1-a", "us-2-b"])?.divided_at("-");
    /// assert_eq!(zone?, Language::one_of(["eu", "us"])?);
    /// assert_eq!(rest?, Language::one_of(["1-a", "2-b"])?);
    /// # Ok::<(), plantime::language::TooLarge>(())
    /// ```
    pub fn divided_at(&self, part: &str) -> [Result; 2] {
        [Side::Before, Side::After].map(|side| {
            if part.is_empty() || part.len() > MAX_PART {
                return Err(TooLarge { hull: Language::all() });
            }
            self.transduce(&Transducer::dividing(part, side))
        })
    }

    /// The language of the strings that the transducer writes when it reads the strings of this language.
    pub(crate) fn transduce(&self, transducer: &Transducer) -> Result {
        let classes = self.classes();
        let dead = self.dead_state();
        let mut builder = Builder::new();
        let end = builder.state();
        builder.accepting.push(end);
        // The states of the result: a state of the language with one of the machine.
        let mut numbers: HashMap<(u32, u32), u32> = HashMap::from([((0, 0), 0)]);
        let mut open = vec![(0, 0)];
        while let Some(pair @ (state, at)) = open.pop() {
            let from = numbers.get(&pair).copied().unwrap_or(0);
            let Some(machine) = transducer.states.get(super::rows::to_usize(at)) else { continue };
            if self.accepts_at(state) {
                builder.literal(from, &machine.end, end);
            }
            for (ranges, target) in classes.iter().zip(self.row(state)) {
                let target = u32::from(*target);
                if Some(target) == dead {
                    continue;
                }
                for transition in &machine.transitions {
                    let read = common(ranges, &transition.ranges);
                    if read.is_empty() {
                        continue;
                    }
                    let next = (target, transition.target);
                    let to = *numbers.entry(next).or_insert_with(|| {
                        open.push(next);
                        builder.state()
                    });
                    match &transition.output {
                        Output::Text(text) => builder.literal(from, text, to),
                        Output::Before(text) if text.is_empty() => builder.class(from, &read, to),
                        Output::Before(text) => {
                            let middle = builder.state();
                            builder.literal(from, text, middle);
                            builder.class(middle, &read, to);
                        }
                    }
                }
            }
            if builder.is_too_large() {
                break;
            }
        }
        builder.build()
    }
}
