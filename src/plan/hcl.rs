//! Reading HCL in time.
//!
//! The parser tries an expression of two operators or more again when what follows the last operator is wrong. Where
//! that is a bracket with such an expression in it, and so on, each level doubles the time: 300 bytes would take
//! hours. No file that means something comes near [`MOST`] such levels.

use hcl_edit::structure::Body;

/// How many brackets that stand after two operators may be open at once.
const MOST: usize = 12;

/// The text as HCL; or what is wrong, and at which byte.
pub(super) fn body(text: &str) -> Result<Body, (usize, String)> {
    if let Some(place) = too_deep(text) {
        return Err((place, "operators and brackets are nested too deep".to_owned()));
    }
    text.parse::<Body>().map_err(|error| (error.location().offset(), error.message().to_owned()))
}

/// What is open.
enum UndeterminedTest<'t> {
    /// A bracket, or a template inside text, after so many operators. In the body of a block, a line is an attribute.
    Bracket { before: usize, is_body: bool },
    /// A text in quotes.
    Text,
    /// A text up to a line with this word.
    Heredoc(&'t str),
}

/// A reader of brackets and operators, and of nothing else.
struct Scan<'t> {
    text: &'t str,
    place: usize,
    open: Vec<UndeterminedTest<'t>>,
    /// How many operators have been read of the expression at hand.
    operators: usize,
    /// Whether what was read last is a name or a text, after which `{` begins a block.
    after_name: bool,
    costly: usize,
    /// The braces around the bodies of blocks so far: where each stands, and whether it opens one.
    braces: Vec<(usize, bool)>,
}

/// The bracket that is one too many.
fn too_deep(text: &str) -> Option<usize> {
    let mut scan = Scan::new(text);
    while let Some(place) = scan.next() {
        if scan.costly > MOST {
            return Some(place);
        }
    }
    None
}

/// The braces around the bodies of blocks, in order: where each stands, and whether it opens one.
pub(super) fn block_braces(text: &str) -> Vec<(usize, bool)> {
    let mut scan = Scan::new(text);
    while scan.next().is_some() {}
    scan.braces
}

impl<'t> Scan<'t> {
    fn new(text: &'t str) -> Scan<'t> {
        let (open, braces) = (Vec::new(), Vec::new());
        Scan { text, place: 0, open, operators: 0, after_name: false, costly: 0, braces }
    }

    /// Reads on; the place of what was read.
    fn next(&mut self) -> Option<usize> {
        let (c, place) = (self.rest().chars().next()?, self.place);
        match self.open.last() {
            Some(UndeterminedTest::Text) => self.in_text(c),
            Some(UndeterminedTest::Heredoc(_)) => self.in_heredoc(c),
            _ => self.in_expression(c),
        }
        Some(place)
    }

    fn rest(&self) -> &'t str {
        self.text.get(self.place..).unwrap_or_default()
    }

    fn skip(&mut self, bytes: usize) {
        self.place = self.place.saturating_add(bytes);
    }

    fn bracket(&mut self, is_body: bool) {
        self.costly = self.costly.saturating_add(usize::from(self.operators >= 2));
        if is_body {
            self.braces.push((self.place, true));
        }
        self.open.push(UndeterminedTest::Bracket { before: self.operators, is_body });
        self.operators = 0;
    }

    fn close(&mut self) {
        if let Some(UndeterminedTest::Bracket { before, is_body }) = self.open.pop() {
            if is_body {
                self.braces.push((self.place, false));
            }
            self.operators = before;
            self.costly = self.costly.saturating_sub(usize::from(before >= 2));
        }
    }

    fn operator(&mut self, bytes: usize) {
        self.operators = self.operators.saturating_add(1);
        self.skip(bytes);
    }

    fn in_expression(&mut self, c: char) {
        let rest = self.rest();
        let after_name = std::mem::replace(&mut self.after_name, false);
        match c {
            '#' => self.skip_line(),
            '/' if rest.starts_with("//") => self.skip_line(),
            '/' if rest.starts_with("/*") => {
                self.skip(rest.find("*/").map_or(rest.len(), |end| end.saturating_add(2)));
            }
            '"' => {
                self.open.push(UndeterminedTest::Text);
                self.skip(1);
            }
            '{' => {
                self.bracket(after_name);
                self.skip(1);
            }
            '(' | '[' => {
                self.bracket(false);
                self.skip(1);
            }
            '}' | ')' | ']' => {
                self.close();
                self.skip(1);
            }
            '\n' => {
                if matches!(self.open.last(), None | Some(UndeterminedTest::Bracket { is_body: true, .. })) {
                    self.operators = 0;
                }
                self.skip(1);
            }
            '<' if rest.starts_with("<<") && self.heredoc(rest) => {}
            '=' | '!' | '<' | '>' if rest.get(1..2) == Some("=") => self.operator(2),
            '=' | ',' | ':' | '?' => {
                self.operators = 0;
                self.skip(1);
            }
            '!' | '<' | '>' | '+' | '-' | '*' | '/' | '%' | '&' | '|' => self.operator(1),
            c => {
                self.after_name = c.is_alphanumeric() || c == '_' || c == ' ' && after_name;
                self.skip(c.len_utf8());
            }
        }
    }

    fn skip_line(&mut self) {
        let rest = self.rest();
        self.skip(rest.find('\n').unwrap_or(rest.len()));
    }

    /// Begins a heredoc, if this is one.
    fn heredoc(&mut self, rest: &'t str) -> bool {
        let word = rest.trim_start_matches('<').trim_start_matches('-');
        let line = word.find('\n').unwrap_or(word.len());
        let word = word.get(..line).unwrap_or_default().trim();
        if word.is_empty() || !word.chars().all(|c| c.is_alphanumeric() || c == '_' || c == '-') {
            return false;
        }
        self.skip_line();
        self.open.push(UndeterminedTest::Heredoc(word));
        true
    }

    fn in_text(&mut self, c: char) {
        match c {
            '\\' => {
                let escaped = self.rest().chars().nth(1).map_or(0, char::len_utf8);
                self.skip(escaped.saturating_add(1));
            }
            '"' | '\n' => {
                self.open.pop();
                self.after_name = true;
                self.skip(usize::from(c == '"'));
            }
            c => self.template(c),
        }
    }

    fn in_heredoc(&mut self, c: char) {
        if c == '\n' {
            let line = self.rest().get(1..).unwrap_or_default().lines().next().unwrap_or_default();
            if matches!(self.open.last(), Some(UndeterminedTest::Heredoc(word)) if line.trim() == *word) {
                self.open.pop();
                self.skip(line.len().saturating_add(1));
                return;
            }
        }
        self.template(c);
    }

    /// A character of a text, or the beginning of a template.
    fn template(&mut self, c: char) {
        let rest = self.rest();
        if rest.starts_with("$${") || rest.starts_with("%%{") {
            self.skip(3);
        } else if rest.starts_with("${") || rest.starts_with("%{") {
            self.bracket(false);
            self.skip(2);
        } else {
            self.skip(c.len_utf8());
        }
    }
}

#[cfg(test)]
mod tests {
    use super::{MOST, body, too_deep};

    #[test]
    fn what_would_take_long_is_refused() {
        for (open, at) in [("a/a/{", 4), ("a - a <= (", 9), ("a/a/\"${", 5)] {
            let text = format!("x = {}", open.repeat(MOST));
            assert_eq!(too_deep(&text), None, "{text}");
            let text = format!("x = {}", open.repeat(60));
            assert_eq!(too_deep(&text), Some(4 + open.len() * MOST + at), "{text}");
            assert!(body(&text).unwrap_err().1.contains("nested too deep"));
        }
        assert!(too_deep(&format!("x = ({}", "a/\na/{".repeat(60))).is_some());
        let heredoc = format!("x = <<-EOT\n  a {}\nEOT\n", "${a+a+(".repeat(60));
        assert!(body(&heredoc).is_err() && too_deep(&heredoc).is_some());
    }

    #[test]
    fn what_files_hold_is_read() {
        let blocks = "b {\n  x = 1 + 2 - 3\n".repeat(60) + &"}\n".repeat(60);
        assert!(body(&blocks).is_ok());
        let lists = format!("x = {}1{}\n", "[1 - 1, ".repeat(60), "]".repeat(60));
        assert!(body(&lists).is_ok());
        let sums = "x = (1 + 2 + (3 + 4 + (5))) # (((\n".repeat(100);
        assert_eq!(too_deep(&sums), None);
        let text = "x = <<EOT\n- - ( - - ( - - ( $${ - - %%{\nEOT\ny = \"- - ( \\\" - - (\" /* - - ( */\n"
            .repeat(30);
        assert_eq!(too_deep(&text), None);
    }
}
