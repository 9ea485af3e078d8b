mod canonical;
mod hostile;
mod hulls;
mod model;
mod patterns;
mod printing;

use super::Language;

/// The language of a pattern, as `matches` searches for it.
fn pattern(text: &str) -> super::Result {
    Language::from_hir(&parse(text))
}

/// Reads a pattern with the settings of RE2.
fn parse(text: &str) -> regex_syntax::hir::Hir {
    // Go's classes such as `\w` are about ASCII, and `.` is any character.
    let text = text.replace(r"\d", "[0-9]").replace(r"\w", "[0-9A-Za-z_]").replace(r"\s", "[\\t\\n\\f\\r ]");
    let text = text.replace(r"\b", r"(?-u:\b)").replace(r"\B", r"(?-u:\B)");
    let parser = regex_syntax::ParserBuilder::new().utf8(false).build().parse(&text);
    parser.unwrap_or_else(|error| panic!("{text}: {error}"))
}

/// A generator of pseudorandom numbers: the same ones in each run.
struct Random(u64);

impl Random {
    fn below(&mut self, end: u64) -> u64 {
        self.0 = self.0.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        (self.0 >> 33) % end
    }

    /// A random expression over the letters of the model.
    fn expression(&mut self, depth: u32) -> String {
        let leaf = depth == 0;
        match self.below(if leaf { 6 } else { 14 }) {
            0 => "a".to_owned(),
            1 => "b".to_owned(),
            2 => "é".to_owned(),
            3 => "\u{301}".to_owned(),
            4 => ["[ab]", "[^a]", "[aé]", ".", "[b\u{301}]"][usize::try_from(self.below(5)).unwrap()]
                .to_owned(),
            5 => String::new(),
            6..=9 => format!("{}{}", self.expression(depth - 1), self.expression(depth - 1)),
            10 | 11 => format!("(?:{}|{})", self.expression(depth - 1), self.expression(depth - 1)),
            12 => format!("(?:{})*", self.expression(depth - 1)),
            _ => format!("(?:{}){{1,2}}", self.expression(depth - 1)),
        }
    }

    /// A random language.
    fn language(&mut self) -> Language {
        let depth = u32::try_from(self.below(4)).unwrap();
        let text = self.expression(depth);
        pattern(&format!("^(?:{text})$")).unwrap()
    }
}

/// All strings of up to some letters.
fn strings(letters: &[char], most: usize) -> Vec<String> {
    let mut all = vec![String::new()];
    let mut last = all.clone();
    for _ in 0..most {
        last = last.iter().flat_map(|text| letters.iter().map(move |c| format!("{text}{c}"))).collect();
        all.extend(last.iter().cloned());
    }
    all
}
