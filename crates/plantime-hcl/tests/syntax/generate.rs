//! Texts over the whole grammar of HCL, most of them valid: every form, with line breaks, comments and blanks between any two
//! tokens.

use crate::record::Numbers;

/// Writes the text of one file.
pub(crate) struct Writer {
    numbers: Numbers,
    text: String,
    /// How seldom something odd is between two tokens: 1 of this many.
    oddness: usize,
    names: usize,
}

const NAMES: [&str; 10] = ["a", "b", "local.a", "var.x", "each", "for_x", "if_not", "größe", "x-y", "in_"];
const NUMBERS: [&str; 12] = [
    "0",
    "1",
    "42",
    "1.5",
    "1e3",
    "2E-4",
    "1.25e+10",
    "00",
    "1e400",
    "0.1",
    "123456789012345678901234567890",
    "9",
];
const OPERATORS: [&str; 13] = ["+", "-", "*", "/", "%", "==", "!=", "<", "<=", ">", ">=", "&&", "||"];

impl Writer {
    pub(crate) fn file(seed: u64) -> String {
        let numbers = Numbers::new(seed);
        let mut writer = Writer { numbers, text: String::new(), oddness: 1, names: 0 };
        writer.oddness = [8, 20, 60, 1_000_000][writer.numbers.below(4)];
        if writer.numbers.one_in(40) {
            writer.text.push('\u{feff}');
        }
        let count = 1 + writer.numbers.below(2);
        for _ in 0..count {
            writer.block(0);
        }
        if writer.numbers.one_in(12) {
            writer.text = writer.text.replace('\n', "\r\n");
        }
        if writer.numbers.one_in(12) {
            while writer.text.ends_with(['\n', '\r']) {
                writer.text.pop();
            }
        }
        writer.text
    }

    fn push(&mut self, token: &str) {
        self.text.push_str(token);
    }

    /// What is between two tokens: mostly a blank or nothing.
    fn gap(&mut self, usual: &str) {
        if !self.numbers.one_in(self.oddness) {
            return self.push(usual);
        }
        let odd = self.numbers.pick(&[
            "\n",
            "\n\n",
            " /* c */ ",
            "/**/",
            " # c\n",
            " // c\n",
            "\t",
            "  ",
            "",
            "\n  ",
            "/* a\n b */",
            " /* \" { ${ */ ",
        ]);
        self.push(odd);
    }

    fn name(&mut self) -> String {
        self.names += 1;
        let stem = self.numbers.pick(&["n", "arg", "größe", "x-", "_", "for", "if", "in", "null", "e1"]);
        format!("{stem}{}", self.names)
    }

    fn block(&mut self, depth: usize) {
        let name = self.name();
        self.push(&name);
        for _ in 0..self.numbers.below(3) {
            self.gap(" ");
            let label = self.numbers.pick(&[
                "\"l\"",
                "l",
                "\"a b\"",
                "\"\"",
                "\"x${y\"",
                "\"$${y}\"",
                "\"\\u00e9\\n\"",
                "l-1",
            ]);
            let label = if label.contains("${y\"") && !self.numbers.one_in(8) { "\"k\"" } else { label };
            self.push(label);
        }
        self.gap(" ");
        self.push("{");
        match self.numbers.below(4) {
            0 => self.gap(" "),
            1 => {
                self.gap(" ");
                self.argument(depth);
                self.gap(" ");
            }
            _ => {
                self.push("\n");
                for _ in 0..1 + self.numbers.below(3) {
                    match self.numbers.below(6) {
                        0 if depth < 2 => self.block(depth + 1),
                        1 => self.push("  # a comment\n"),
                        _ => {
                            self.push("  ");
                            self.argument(depth);
                            self.end_of_line();
                        }
                    }
                }
            }
        }
        self.push("}");
        self.end_of_line();
    }

    fn end_of_line(&mut self) {
        let end = match self.numbers.below(30) {
            0 => " # c\n",
            1 => " // c\n",
            2 => " /* c */\n",
            3 => "\n\n",
            4 if self.oddness < 40 && self.numbers.one_in(4) => ", ",
            _ => "\n",
        };
        self.push(end);
    }

    fn argument(&mut self, depth: usize) {
        let name = self.name();
        self.push(&name);
        self.gap(" ");
        self.push("=");
        self.gap(" ");
        self.expression(depth + 1);
    }

    pub(crate) fn expression(&mut self, depth: usize) {
        match self.numbers.below(if depth > 3 { 6 } else { 10 }) {
            0..=5 => self.operand(depth),
            6 | 7 => {
                self.operand(depth + 1);
                for _ in 0..1 + self.numbers.below(3) {
                    self.gap(" ");
                    let operator = self.numbers.pick(&OPERATORS);
                    self.push(operator);
                    self.gap(" ");
                    self.operand(depth + 1);
                }
            }
            8 => {
                self.operand(depth + 1);
                self.gap(" ");
                self.push("?");
                self.gap(" ");
                self.expression(depth + 1);
                self.gap(" ");
                self.push(":");
                self.gap(" ");
                self.expression(depth + 1);
            }
            _ => {
                let sign = self.numbers.pick(&["-", "!", "- ", "!!", "--"]);
                self.push(sign);
                self.gap("");
                self.operand(depth + 1);
            }
        }
    }

    fn operand(&mut self, depth: usize) {
        self.term(depth);
        if !self.numbers.one_in(3) {
            return;
        }
        for _ in 0..1 + self.numbers.below(2) {
            self.gap("");
            match self.numbers.below(8) {
                0..=2 => {
                    self.push(".");
                    self.gap("");
                    let name = self.numbers.pick(&["a", "b-c", "for", "id", "größe"]);
                    self.push(name);
                }
                3 => {
                    self.push("[");
                    self.gap("");
                    self.expression(depth + 2);
                    self.gap("");
                    self.push("]");
                }
                4 => {
                    let splat = self
                        .numbers
                        .pick(&["[*]", ".*", "[*].a", ".*.b.0", "[ * ]", "[*][0]", ".*.a[*]", ".*[0]"]);
                    self.push(splat);
                }
                5 => self.push(".0"),
                6 => self.push("[\"k\"]"),
                _ => self.push("[0]"),
            }
        }
    }

    fn term(&mut self, depth: usize) {
        match self.numbers.below(if depth > 3 { 5 } else { 16 }) {
            0 | 1 => {
                let name = self.numbers.pick(&NAMES);
                self.push(name);
            }
            2 => {
                let number = self.numbers.pick(&NUMBERS);
                self.push(number);
            }
            3 => {
                let word = self.numbers.pick(&["true", "false", "null", "a"]);
                self.push(word);
            }
            4 | 5 => self.quoted(depth),
            6 | 7 => {
                self.push("(");
                self.gap("");
                self.expression(depth + 1);
                self.gap("");
                self.push(")");
            }
            8 | 9 => self.list(depth),
            10 | 11 => self.object(depth),
            12 => self.call(depth),
            13 => self.for_list(depth),
            14 => self.for_object(depth),
            _ => self.heredoc(depth),
        }
    }

    fn list(&mut self, depth: usize) {
        self.push("[");
        let count = self.numbers.below(4);
        for i in 0..count {
            self.gap("");
            self.expression(depth + 1);
            self.gap("");
            if i + 1 < count || self.numbers.one_in(4) {
                self.push(",");
            }
            self.gap(if i + 1 < count { " " } else { "" });
        }
        self.push("]");
    }

    fn object(&mut self, depth: usize) {
        self.push("{");
        let count = self.numbers.below(4);
        let separator = self.numbers.pick(&[", ", "\n  ", ",\n  ", "\n\n", " , "]);
        for i in 0..count {
            self.gap(if separator.contains('\n') { "\n  " } else { " " });
            match self.numbers.below(9) {
                0 => self.push("\"k\""),
                1 => {
                    self.push("(");
                    self.expression(depth + 2);
                    self.push(")");
                }
                2 => self.push("\"${a}-x\""),
                3 => self.push("5"),
                4 => {
                    let word = self.numbers.pick(&["null", "true", "for_x", "a.b", "in", "if"]);
                    self.push(word);
                }
                _ => {
                    let name = self.name();
                    self.push(&name);
                }
            }
            self.gap(" ");
            let sign = self.numbers.pick(&["=", "=", "=", ":"]);
            self.push(sign);
            self.gap(" ");
            self.expression(depth + 1);
            if i + 1 < count {
                self.push(separator);
            }
        }
        self.gap(if separator.contains('\n') { "\n" } else { " " });
        self.push("}");
    }

    fn call(&mut self, depth: usize) {
        let name = self.numbers.pick(&["f", "max", "provider::x::y", "core::upper", "for", "a-b", "größe"]);
        self.push(name);
        if self.numbers.one_in(20) {
            self.push(" ");
        }
        self.push("(");
        let count = self.numbers.below(4);
        for i in 0..count {
            self.gap("");
            self.expression(depth + 1);
            self.gap("");
            if i + 1 < count {
                self.push(",");
            } else {
                let end = self.numbers.pick(&["", "", "", "...", ",", " ..."]);
                self.push(end);
            }
        }
        self.gap("");
        self.push(")");
    }

    fn for_head(&mut self, depth: usize) {
        self.gap("");
        self.push("for");
        self.push(" ");
        self.gap("");
        let names = self.numbers.pick(&["v", "k, v", "k,v", "k ,\n v", "for, in"]);
        self.push(names);
        self.push(" ");
        self.gap("");
        self.push("in");
        self.push(" ");
        self.gap("");
        self.expression(depth + 1);
        self.gap(" ");
        self.push(":");
        self.gap(" ");
    }

    fn for_condition(&mut self, depth: usize) {
        if self.numbers.one_in(3) {
            self.push(" ");
            self.gap("");
            self.push("if");
            self.push(" ");
            self.gap("");
            self.expression(depth + 1);
        }
        self.gap("");
    }

    fn for_list(&mut self, depth: usize) {
        self.push("[");
        self.for_head(depth);
        self.expression(depth + 1);
        self.for_condition(depth);
        self.push("]");
    }

    fn for_object(&mut self, depth: usize) {
        self.push("{");
        self.for_head(depth);
        self.expression(depth + 1);
        self.gap(" ");
        self.push("=>");
        self.gap(" ");
        self.expression(depth + 1);
        if self.numbers.one_in(4) {
            self.push("...");
        }
        self.for_condition(depth);
        self.push("}");
    }

    fn quoted(&mut self, depth: usize) {
        self.push("\"");
        for _ in 0..self.numbers.below(4) {
            self.template_part(depth, true);
        }
        self.push("\"");
    }

    fn template_part(&mut self, depth: usize, is_quoted: bool) {
        let [open, close] = [
            self.numbers.pick(&["{", "{", "{~", "{ ", "{~ "]),
            self.numbers.pick(&["}", "}", "~}", " }", " ~}"]),
        ];
        match self.numbers.below(if depth > 3 { 4 } else { 9 }) {
            0..=3 => {
                let text = self.numbers.pick(&[
                    "text", " ", "$", "%", "$${x}", "%%{if}", "$$", "é", "#", "//", "/*", "{", "}", "'",
                    "a $ b", "100%", "$$${",
                ]);
                // A sign before a brace would be a sequence.
                let text = if text.ends_with("${") && !text.starts_with("$$") { "x" } else { text };
                self.push(text);
                if text.ends_with(['$', '%']) {
                    self.push(" ");
                }
            }
            4 if is_quoted => {
                let escape =
                    self.numbers.pick(&["\\n", "\\t", "\\\"", "\\\\", "\\u00e9", "\\U0001f600", "\\r"]);
                self.push(escape);
            }
            4 => self.push("\\n \"quotes\" "),
            5 => {
                self.push("%");
                self.push(open);
                self.push("if ");
                self.gap("");
                self.expression(depth + 2);
                self.push(close);
                self.template_part(depth + 2, is_quoted);
                if self.numbers.one_in(2) {
                    self.push("%{else}");
                    self.template_part(depth + 2, is_quoted);
                }
                self.push("%{ endif ~}");
            }
            6 => {
                self.push("%");
                self.push(open);
                self.push("for x in ");
                self.gap("");
                self.expression(depth + 2);
                self.push(close);
                self.template_part(depth + 2, is_quoted);
                self.push("%{endfor}");
            }
            _ => {
                self.push("$");
                self.push(open);
                self.gap("");
                self.expression(depth + 2);
                self.gap("");
                self.push(close);
            }
        }
    }

    fn heredoc(&mut self, depth: usize) {
        let open = self.numbers.pick(&["<<EOT", "<<-EOT", "<<E-1", "<<größe", "<<-_x"]);
        let word = open.trim_start_matches(['<', '-']);
        self.push(open);
        self.push("\n");
        for _ in 0..self.numbers.below(4) {
            let indentation = self.numbers.pick(&["", "  ", "    ", "\t"]);
            self.push(indentation);
            for _ in 0..self.numbers.below(3) {
                self.template_part(depth + 1, false);
            }
            self.push("\n");
        }
        let indentation = self.numbers.pick(&["", "  ", "\t", "      "]);
        self.push(indentation);
        self.push(word);
        // Most often the line ends there, as the language requires.
        if !self.numbers.one_in(10) {
            self.push("\n");
        }
    }
}

/// The text with a token-like part dropped, doubled, or exchanged with another one.
pub(crate) fn mutated(text: &str, seed: u64) -> String {
    let mut numbers = Numbers::new(seed);
    let mut parts: Vec<String> = Vec::new();
    let kind = |c: char| match c {
        c if c.is_alphanumeric() || c == '_' => 0,
        ' ' | '\t' => 1,
        _ => 2,
    };
    for c in text.chars() {
        match parts.last_mut() {
            Some(last)
                if last.chars().last().is_some_and(|before| kind(before) == kind(c) && kind(c) < 2) =>
            {
                last.push(c)
            }
            _ => parts.push(c.to_string()),
        }
    }
    for _ in 0..1 + numbers.below(2) {
        if parts.is_empty() {
            break;
        }
        let at = numbers.below(parts.len());
        let other = numbers.below(parts.len());
        match numbers.below(4) {
            0 => drop(parts.remove(at)),
            1 => parts.insert(at, parts[at].clone()),
            2 => parts.swap(at, other),
            _ => {
                let inserted = numbers.pick(&[
                    "=", "}", "{", "\"", ",", ")", "(", "]", "[", "'", "\n", "${", "?", ":", "&", ";", "==",
                    "x", "<<E\n",
                ]);
                parts.insert(at, inserted.to_owned());
            }
        }
    }
    parts.concat()
}
