//! The function `fileset`: the files that match a pattern of the Go library doublestar, which Terraform uses.
//!
//! | in a pattern | stands for |
//! |---|---|
//! | `*` | any characters of a name |
//! | `?` | one character of a name |
//! | `[a-z]`, `[^a]` | one character of a class, or one that is in none of its ranges |
//! | `{a,b}` | one of these, in a name |
//! | `\a` | the character |
//! | `**` between slashes | any folders |
//!
//! Each part of a pattern between slashes is a nondeterministic automaton, so comparing it with a name takes time in
//! proportion to the product of both lengths. Each folder that the pattern can reach is read once.

use std::collections::BTreeSet;

use crate::configuration::files::{Files, joined};

/// The maximum number of files and folders that are visited. Beyond it the result is unknown.
const ENTRIES: usize = 100_000;

/// The maximum depth of folders. A link to an enclosing folder leads ever deeper; Terraform follows it until the system
/// refuses.
const DEPTH: usize = 32;

/// The maximum length of a pattern in bytes.
const PATTERN: usize = 4096;

/// The result of `fileset`.
#[derive(Debug, PartialEq)]
pub(super) enum Found {
    /// The paths of the files that match, relative to the folder.
    Files(BTreeSet<String>),
    /// Terraform fails, as the syntax of the pattern is wrong.
    WrongPattern,
    /// Not known: there are too many files, or whether Terraform fails depends on the order of its search.
    Undecided,
}

/// The files below a folder that match a pattern. The folder is a part of the pattern, as in Terraform.
pub(super) fn fileset(files: &dyn Files, folder: &str, pattern: &str) -> Found {
    let whole = match joined("", folder).as_str() {
        "" => joined("", pattern.trim_start_matches('/')),
        folder => joined("", &format!("{folder}/{pattern}")),
    };
    if whole.len() > PATTERN || whole.contains("\\/") {
        return Found::Undecided;
    }
    let root = if whole.starts_with('/') { "/" } else { "" };
    let parts: Vec<&str> = whole.split('/').filter(|part| !part.is_empty()).collect();
    let is_fixed = |part: &&&str| !part.contains(['*', '?', '[', '{', '\\']);
    // Leading names without wildcards are folders that need no search.
    let fixed = parts.iter().take_while(is_fixed).count().min(parts.len().saturating_sub(1));
    let (before, searched) = parts.split_at_checked(fixed).unwrap_or_default();
    let Some(components) = searched.iter().map(|part| Component::read(part)).collect::<Option<Vec<_>>>()
    else {
        return Found::Undecided;
    };
    let first = format!("{root}{}", before.join("/"));
    let mut search = Search { files, components, seen: 0, found: BTreeSet::new() };
    match search.run(&first) {
        None => {
            search.found.iter().for_each(|path| files.listed(path));
            let found = search.found.iter().map(|path| relative_path(folder, path));
            Found::Files(found.collect())
        }
        Some(stopped) => stopped,
    }
}

/// The path from a folder to a file.
fn relative_path(folder: &str, path: &str) -> String {
    let folder = joined("", folder);
    let parts = |path: &str| -> Vec<String> {
        path.split('/').filter(|part| !part.is_empty()).map(str::to_owned).collect()
    };
    let (folder, path) = (parts(&folder), parts(path));
    let common = folder.iter().zip(&path).take_while(|(a, b)| a == b).count();
    let up = std::iter::repeat_n("..", folder.len().saturating_sub(common));
    up.chain(path.iter().skip(common).map(String::as_str)).collect::<Vec<_>>().join("/")
}

/// A search for the files that match.
struct Search<'f> {
    files: &'f dyn Files,
    components: Vec<Component>,
    /// How many files and folders have been looked at.
    seen: usize,
    found: BTreeSet<String>,
}

impl Search<'_> {
    /// Searches below a folder; `Some` is the result for which the search stopped early.
    fn run(&mut self, first: &str) -> Option<Found> {
        let mut todo = vec![(first.to_owned(), 0, BTreeSet::from([0]))];
        while let Some((folder, depth, places)) = todo.pop() {
            let places = self.with_no_folders(&places);
            for entry in self.files.entries(&folder) {
                self.seen = self.seen.saturating_add(1);
                if self.seen > ENTRIES {
                    return Some(Found::Undecided);
                }
                let (name, is_folder) = match entry.strip_suffix('/') {
                    Some(name) => (name, true),
                    None => (entry.as_str(), false),
                };
                let path = match folder.as_str() {
                    "" => name.to_owned(),
                    "/" => format!("/{name}"),
                    folder => format!("{folder}/{name}"),
                };
                let mut next = BTreeSet::new();
                for place in &places {
                    let is_last = place.saturating_add(1) >= self.components.len();
                    let fit = match self.components.get(*place) {
                        Some(Component::Folders) if is_folder => {
                            next.insert(*place);
                            continue;
                        }
                        Some(Component::Folders) => {
                            if is_last {
                                Fit::Yes
                            } else {
                                Fit::No
                            }
                        }
                        Some(Component::Name(pattern)) => pattern.fits(name),
                        None => Fit::No,
                    };
                    match fit {
                        Fit::No => {}
                        Fit::Yes if is_last && !is_folder => drop(self.found.insert(path.clone())),
                        Fit::Yes if !is_last && is_folder => drop(next.insert(place.saturating_add(1))),
                        Fit::Yes => {}
                        // In the first folder nothing hides the error.
                        Fit::Wrong if depth == 0 => return Some(Found::WrongPattern),
                        Fit::Wrong | Fit::Undecided => return Some(Found::Undecided),
                    }
                }
                if next.is_empty() {
                    continue;
                }
                if depth >= DEPTH {
                    return Some(Found::Undecided);
                }
                todo.push((path, depth.saturating_add(1), next));
            }
        }
        None
    }

    /// The given places of the pattern, and those after each `**` there, which may match no folder at all.
    fn with_no_folders(&self, places: &BTreeSet<usize>) -> BTreeSet<usize> {
        let mut all = places.clone();
        for place in places {
            let folders =
                self.components.iter().skip(*place).take_while(|part| matches!(part, Component::Folders));
            all.extend((1..=folders.count()).map(|more| place.saturating_add(more)));
        }
        all
    }
}

/// One component of a pattern, between slashes.
enum Component {
    /// `**`
    Folders,
    Name(NamePattern),
}

impl Component {
    /// Parses one component of a pattern; `None` if its meaning is not supported here.
    fn read(text: &str) -> Option<Component> {
        Some(match text {
            "**" => Component::Folders,
            text => Component::Name(NamePattern::read(text)?),
        })
    }
}

/// Whether a name fits.
#[derive(Clone, Copy, Debug, PartialEq)]
enum Fit {
    Yes,
    No,
    /// The name leads to a place of the pattern where the syntax is wrong.
    Wrong,
    /// The name matches, and also leads to a place where the syntax is wrong.
    Undecided,
}

/// The pattern of a name as a nondeterministic automaton.
struct NamePattern {
    states: Vec<State>,
}

/// One state of the automaton of a name.
enum State {
    Char(char),
    Any,
    Class {
        ranges: Vec<(char, char)>,
        is_negated: bool,
    },
    /// `*`: any characters, and what follows.
    Star,
    /// `{`: one of the states at these places.
    Either(Vec<usize>),
    /// Continue with the state at this place.
    Jump(usize),
    /// The syntax is wrong here.
    Wrong,
    /// The pattern is at its end.
    End,
}

impl NamePattern {
    /// Parses the pattern of a name; `None` if an alternative has a bracket that it does not close.
    fn read(text: &str) -> Option<NamePattern> {
        let chars: Vec<char> = text.chars().collect();
        let mut states = Vec::new();
        let mut rest = chars.as_slice();
        while let Some((first, after)) = rest.split_first() {
            rest = match first {
                '{' => {
                    let Some(end) = unescaped(after, '}') else {
                        states.push(State::Wrong);
                        break;
                    };
                    let (inner, after) = after.split_at_checked(end)?;
                    let after = after.get(1..).unwrap_or_default();
                    let either = states.len();
                    states.push(State::Either(Vec::new()));
                    let (mut starts, mut ends) = (Vec::new(), Vec::new());
                    for choice in choices(inner) {
                        starts.push(states.len());
                        read_choice(choice, after.is_empty(), &mut states)?;
                        ends.push(states.len());
                        states.push(State::End);
                    }
                    let behind = states.len();
                    for end in ends {
                        *states.get_mut(end)? = State::Jump(behind);
                    }
                    *states.get_mut(either)? = State::Either(starts);
                    after
                }
                _ => read_one(*first, after, &mut states),
            };
        }
        states.push(State::End);
        Some(NamePattern { states })
    }

    /// Compares a name with the pattern.
    fn fits(&self, name: &str) -> Fit {
        let mut places = BTreeSet::from([(0_usize, false)]);
        let mut is_wrong = false;
        for c in name.chars() {
            let mut next = BTreeSet::new();
            let mut todo: Vec<(usize, bool)> = places.iter().copied().collect();
            let mut reached = places;
            // Each place is visited at most once for each character.
            while let Some((place, after_star)) = todo.pop() {
                let behind = place.saturating_add(1);
                let mut also = |place: usize, after_star: bool| {
                    if reached.insert((place, after_star)) {
                        todo.push((place, after_star));
                    }
                };
                match self.states.get(place) {
                    Some(State::Char(own)) if *own == c => drop(next.insert((behind, after_star))),
                    Some(State::Any) => drop(next.insert((behind, after_star))),
                    Some(State::Class { ranges, is_negated }) => {
                        let is_in = ranges.iter().any(|(low, high)| (low..=high).contains(&&c));
                        if is_in != *is_negated {
                            next.insert((behind, after_star));
                        }
                    }
                    Some(State::Star) => {
                        next.insert((place, true));
                        also(behind, true);
                    }
                    Some(State::Either(choices)) => {
                        choices.iter().for_each(|choice| also(*choice, after_star));
                    }
                    Some(State::Jump(to)) => also(*to, after_star),
                    // After `*`, Terraform treats wrong syntax as a mismatch.
                    Some(State::Wrong) => is_wrong |= !after_star,
                    Some(State::Char(_) | State::End) | None => {}
                }
            }
            places = next;
        }
        let fits = places.iter().any(|(place, _)| self.ends_at(*place));
        match (fits, is_wrong) {
            (true, true) => Fit::Undecided,
            (true, false) => Fit::Yes,
            (false, true) => Fit::Wrong,
            (false, false) => Fit::No,
        }
    }

    /// Whether a name may end at this place of the pattern: nothing follows in the pattern, or only one or two `*`. As
    /// in Terraform, alternatives in braces are not tried at the end of a name.
    fn ends_at(&self, place: usize) -> bool {
        let (mut place, mut stars) = (place, 0_u8);
        // Each jump leads forward.
        for _ in 0..=self.states.len() {
            match self.states.get(place) {
                Some(State::End) => return stars <= 2,
                Some(State::Jump(to)) => place = *to,
                Some(State::Star) => {
                    stars = stars.saturating_add(1);
                    place = place.saturating_add(1);
                }
                _ => return false,
            }
        }
        false
    }
}

/// Parses the part of a pattern that matches one character or any number; returns the rest of the pattern.
fn read_one<'p>(first: char, after: &'p [char], states: &mut Vec<State>) -> &'p [char] {
    match (first, after.split_first()) {
        ('*', _) => states.push(State::Star),
        ('?', _) => states.push(State::Any),
        ('\\', Some((escaped, rest))) => {
            states.push(State::Char(*escaped));
            return rest;
        }
        ('\\', None) => states.push(State::Wrong),
        ('[', _) => {
            let end = unescaped(after, ']');
            let class = end.and_then(|end| after.get(..end)).and_then(class);
            states.push(class.unwrap_or(State::Wrong));
            return end.and_then(|end| after.get(end.saturating_add(1)..)).unwrap_or_default();
        }
        (c, _) => states.push(State::Char(c)),
    }
    after
}

/// Parses one of several alternatives, up to its end, so that brackets in it have to be closed there.
fn read_choice(choice: &[char], is_last: bool, states: &mut Vec<State>) -> Option<()> {
    let mut rest = choice;
    while let Some((first, after)) = rest.split_first() {
        let is_open = match first {
            '{' => true,
            '[' => unescaped(after, ']').is_none(),
            '\\' => after.is_empty(),
            _ => false,
        };
        if is_open && !is_last {
            return None;
        }
        if is_open {
            states.push(State::Wrong);
            return Some(());
        }
        rest = read_one(*first, after, states);
    }
    Some(())
}

/// The alternatives between braces.
fn choices(inner: &[char]) -> Vec<&[char]> {
    let (mut found, mut rest) = (Vec::new(), inner);
    while let Some(end) = unescaped(rest, ',') {
        found.push(rest.get(..end).unwrap_or_default());
        rest = rest.get(end.saturating_add(1)..).unwrap_or_default();
    }
    found.push(rest);
    found
}

/// The place of the first character `wanted` that is not escaped by `\`.
fn unescaped(text: &[char], wanted: char) -> Option<usize> {
    let before = std::iter::once(&' ').chain(text);
    text.iter().zip(before).position(|(c, before)| *c == wanted && *before != '\\')
}

/// The class between `[` and `]`; `None` if its syntax is wrong.
fn class(inner: &[char]) -> Option<State> {
    let (is_negated, inner) = match inner.split_first()? {
        ('^', rest) => (true, rest),
        _ => (false, inner),
    };
    let mut ranges = Vec::new();
    let mut chars = inner.iter().copied().peekable();
    while let Some(first) = chars.next() {
        let bound = |first: char, chars: &mut dyn Iterator<Item = char>| match first {
            '-' => None,
            '\\' => chars.next(),
            c => Some(c),
        };
        let low = bound(first, &mut chars)?;
        let high = match chars.next_if_eq(&'-') {
            Some(_) => {
                let first = chars.next()?;
                bound(first, &mut chars)?
            }
            None => low,
        };
        ranges.push((low, high));
    }
    Some(State::Class { ranges, is_negated })
}
