//! Writes a text of the native syntax in the canonical format: indentation, blanks between tokens, equals signs and comments in
//! columns.

use std::borrow::Cow;
use std::ops::Range;

use plantime::source::Source;
use unicode_segmentation::UnicodeSegmentation;

use super::lexer::{Kind, Lexer};
use super::{Freedom, parse_body};
use crate::body::{Body, Item};
use crate::expression::{Diagnostics, Problems};

/// A token with the number of blanks before it.
#[derive(Clone)]
struct Token<'t> {
    kind: Kind,
    text: Cow<'t, str>,
    blanks: usize,
    /// Where it is in the text before.
    start: usize,
}

impl Token<'_> {
    /// The number of columns that it takes, with the blanks before it.
    fn columns(&self) -> usize {
        self.blanks.saturating_add(self.text.graphemes(true).count())
    }

    /// Whether a line ends with it: a comment up to the line end takes that along.
    fn ends_line(&self) -> bool {
        match self.kind {
            Kind::Newline => true,
            Kind::Comment => self.text.ends_with('\n'),
            _ => false,
        }
    }
}

/// How many more brackets are open after a token than before it.
fn opened(kind: Kind) -> isize {
    match kind {
        Kind::OpenBrace
        | Kind::OpenBracket
        | Kind::OpenParenthesis
        | Kind::Interpolation
        | Kind::Directive => 1,
        Kind::CloseBrace | Kind::CloseBracket | Kind::CloseParenthesis | Kind::SequenceEnd => -1,
        _ => 0,
    }
}

fn opened_by(tokens: &[Token<'_>]) -> isize {
    tokens.iter().map(|token| opened(token.kind)).fold(0, isize::saturating_add)
}

/// The text in the canonical format, as `terraform fmt` writes it: labels in quotes, and `"${x}"` as `x`. Comments stay.
///
/// ```
/// use plantime::source::Source;
/// use plantime_hcl::format;
///
/// let text = "rule r {\nseverity=\"warning\" # for now\n  id  = \"${var.id}\"\n}\n";
/// let formatted = format(&Source::new("rules.hcl", text)).unwrap();
/// assert_eq!(formatted, "rule \"r\" {\n  severity = \"warning\" # for now\n  id       = var.id\n}\n");
/// assert_eq!(format(&Source::new("rules.hcl", formatted.as_str())).unwrap(), formatted);
/// ```
///
/// # Errors
///
/// Everything that is wrong with the text.
pub fn format(source: &Source) -> Result<String, Diagnostics> {
    format_freely(source, Freedom::default())
}

/// As [`format()`], for a text that is read with this freedom. Where that is more than Terraform's, expressions stay as they are.
pub fn format_freely(source: &Source, freedom: Freedom) -> Result<String, Diagnostics> {
    let mut problems = Problems::default();
    let body = parse_body(source, freedom, &mut problems);
    if let Some(problems) = Diagnostics::of(problems) {
        return Err(problems);
    }
    let mut tokens = tokens(source.text());
    let mut changes = Vec::new();
    let is_terraform = !freedom.blocks_on_one_line;
    collect_changes(&body, &mut Vec::new(), is_terraform, &tokens, &mut changes);
    for (range, replacement) in changes.into_iter().rev() {
        tokens.splice(range, replacement);
    }
    let mut lines = lines(tokens);
    indent(&mut lines);
    for line in &mut lines {
        set_blanks(&mut line.lead);
        if let Some(first) = line.assignment.first_mut() {
            first.blanks = 1;
        }
        set_blanks(&mut line.assignment);
    }
    align_assignments(&mut lines);
    align_comments(&mut lines);
    let mut text = String::with_capacity(source.text().len());
    for token in lines.iter().flat_map(|line| line.lead.iter().chain(&line.assignment).chain(&line.comment)) {
        text.extend(std::iter::repeat_n(' ', token.blanks));
        text.push_str(&token.text);
    }
    Ok(text)
}

fn tokens(text: &str) -> Vec<Token<'_>> {
    let (mut lexer, mut tokens, mut end) = (Lexer::of_code(text), Vec::new(), None);
    loop {
        let token = lexer.next();
        if token.kind == Kind::End {
            return tokens;
        }
        // What stands before the first token is a mark of the byte order, or blanks.
        let blanks = token.start.saturating_sub(end.unwrap_or(token.start));
        let text = text.get(token.span()).unwrap_or_default();
        tokens.push(Token { kind: token.kind, text: Cow::Borrowed(text), blanks, start: token.start });
        end = Some(token.end);
    }
}

/// A range of tokens, and what replaces them.
type Change<'t> = (Range<usize>, Vec<Token<'t>>);

/// Collects what is written otherwise: labels and, in Terraform's language, expressions that need no quotes. `kinds` are those of
/// the blocks around.
fn collect_changes<'t>(
    body: &Body,
    kinds: &mut Vec<Box<str>>,
    is_terraform: bool,
    tokens: &[Token<'t>],
    changes: &mut Vec<Change<'t>>,
) {
    let at = |start: usize| tokens.partition_point(|token| token.start < start);
    for item in body.items() {
        match item {
            Item::Argument(argument) if is_terraform => {
                let span = argument.expression.span();
                let range = at(span.start)..at(span.end);
                let written = tokens.get(range.clone()).unwrap_or_default();
                let is_type =
                    matches!(&**kinds, [kind] if &**kind == "variable") && &*argument.name == "type";
                let better = if is_type { type_expression(written) } else { without_quotes(written) };
                changes.extend(better.map(|better| (range, better)));
            }
            Item::Argument(_) => {}
            Item::Block(block) => {
                let (first, brace) = (at(block.span.end), {
                    let labels = block.label_spans.last().map_or(block.span.end, |label| label.end);
                    let from = at(labels);
                    let rest = tokens.get(from..).unwrap_or_default();
                    from.saturating_add(
                        rest.iter().position(|token| token.kind == Kind::OpenBrace).unwrap_or(0),
                    )
                });
                let end = block.label_spans.last().map_or(first, |label| at(label.end));
                if !block.labels.is_empty() && end <= brace {
                    let labels = block.labels.iter().flat_map(|label| quoted_label(label)).collect();
                    changes.push((first..end, labels));
                }
                kinds.push(block.kind.clone());
                collect_changes(&block.body, kinds, is_terraform, tokens, changes);
                kinds.pop();
            }
        }
    }
}

fn token(kind: Kind, text: impl Into<Cow<'static, str>>) -> Token<'static> {
    Token { kind, text: text.into(), blanks: 0, start: 0 }
}

/// The tokens of a block label as a quoted string.
fn quoted_label(label: &str) -> [Token<'static>; 3] {
    let mut text = String::new();
    for (at, c) in label.char_indices() {
        let rest = label.get(at..).unwrap_or_default();
        match c {
            '\n' => text.push_str("\\n"),
            '\r' => text.push_str("\\r"),
            '\t' => text.push_str("\\t"),
            '"' => text.push_str("\\\""),
            '\\' => text.push_str("\\\\"),
            '$' | '%' if rest.get(1..).is_some_and(|rest| rest.starts_with('{')) => text.extend([c, c]),
            c => text.push(c),
        }
    }
    [token(Kind::OpenQuote, "\""), token(Kind::Literal, text), token(Kind::CloseQuote, "\"")]
}

/// The tokens in a string that is one interpolation alone; `None` for all else.
fn without_quotes<'t>(tokens: &[Token<'t>]) -> Option<Vec<Token<'t>>> {
    let [open, start, inside @ .., end, close] = tokens else { return None };
    let kinds = [open, start, end, close].map(|token| token.kind);
    if kinds != [Kind::OpenQuote, Kind::Interpolation, Kind::SequenceEnd, Kind::CloseQuote]
        || inside.is_empty()
    {
        return None;
    }
    let mut quotes = 0_usize;
    for token in inside {
        match token.kind {
            Kind::OpenQuote => quotes = quotes.saturating_add(1),
            Kind::CloseQuote => quotes = quotes.saturating_sub(1),
            Kind::Interpolation | Kind::SequenceEnd | Kind::Literal if quotes == 0 => return None,
            _ => {}
        }
    }
    let is_newline = |token: &Token<'_>| token.kind == Kind::Newline;
    let first = inside.iter().position(|token| !is_newline(token))?;
    let last = inside.iter().rposition(|token| !is_newline(token))?;
    let trimmed = inside.get(first..=last)?.to_vec();
    let is_of = |token: Option<&Token<'_>>, kind: Kind| token.is_some_and(|token| token.kind == kind);
    let has_parentheses =
        is_of(trimmed.first(), Kind::OpenParenthesis) && is_of(trimmed.last(), Kind::CloseParenthesis);
    if trimmed.iter().any(is_newline) && !has_parentheses {
        let (open, close) = (token(Kind::OpenParenthesis, "("), token(Kind::CloseParenthesis, ")"));
        return Some(std::iter::once(open).chain(trimmed).chain([close]).collect());
    }
    Some(trimmed)
}

/// The tokens of a type that was written as in version 0.11, or without the type of its elements; `None` for all else.
fn type_expression<'t>(tokens: &[Token<'t>]) -> Option<Vec<Token<'t>>> {
    let of = |name: &str, element: &'static str| {
        let name = token(Kind::Name, name.to_owned());
        let element = [
            token(Kind::OpenParenthesis, "("),
            token(Kind::Name, element),
            token(Kind::CloseParenthesis, ")"),
        ];
        Some(std::iter::once(name).chain(element).collect())
    };
    match tokens {
        [name] if name.kind == Kind::Name && matches!(&*name.text, "list" | "map" | "set") => {
            of(&name.text, "any")
        }
        [open, name, _] if open.kind == Kind::OpenQuote => match &*name.text {
            "string" => Some(vec![token(Kind::Name, "string")]),
            "list" | "map" => of(&name.text, "string"),
            _ => None,
        },
        _ => None,
    }
}

/// The tokens of a line: those before an equals sign, from the equals sign on, and a comment at the end.
#[derive(Default)]
struct Line<'t> {
    lead: Vec<Token<'t>>,
    assignment: Vec<Token<'t>>,
    comment: Vec<Token<'t>>,
}

/// Splits tokens into lines. A heredoc and a comment of several lines are in one.
fn lines(tokens: Vec<Token<'_>>) -> Vec<Line<'_>> {
    let mut lines = vec![Line::default()];
    for token in tokens {
        let ends = token.ends_line();
        if let Some(line) = lines.last_mut() {
            line.lead.push(token);
        }
        if ends {
            lines.push(Line::default());
        }
    }
    for line in &mut lines {
        if line.lead.len() > 1 && line.lead.last().is_some_and(|token| token.kind == Kind::Comment) {
            line.comment.extend(line.lead.pop());
        }
        // An expression that goes on in the next line is no column.
        let equals = line.lead.iter().skip(1).position(|token| token.kind == Kind::Equal);
        if let Some(at) = equals.map(|at| at.saturating_add(1))
            && opened_by(line.lead.get(at..).unwrap_or_default()) == 0
        {
            line.assignment = line.lead.split_off(at);
        }
    }
    lines
}

/// Indents each line by two blanks for each earlier line that left brackets open.
fn indent(lines: &mut [Line<'_>]) {
    // How many brackets each such line left open.
    let mut open: Vec<isize> = Vec::new();
    for line in lines {
        let Some(first) = line.lead.first_mut() else { continue };
        if first.kind == Kind::Newline {
            first.blanks = 0;
            continue;
        }
        let heredoc = line.lead.iter().position(|token| token.kind == Kind::OpenHeredoc);
        let counted = heredoc.map_or(line.lead.len(), |at| at.saturating_add(1));
        let mut more = opened_by(line.lead.get(..counted).unwrap_or_default())
            .saturating_add(opened_by(&line.assignment));
        while more < 0
            && let Some(last) = open.last_mut()
        {
            let rest = last.saturating_add(more);
            if rest > 0 {
                *last = rest;
                more = 0;
            } else {
                open.pop();
                more = rest;
            }
        }
        if let Some(first) = line.lead.first_mut() {
            first.blanks = open.len().saturating_mul(2);
        }
        if more > 0 {
            open.push(more);
        }
    }
}

/// Sets the blanks between the tokens of one cell.
fn set_blanks(tokens: &mut [Token<'_>]) {
    for at in 1..tokens.len() {
        let kind = |at: Option<usize>| at.and_then(|at| tokens.get(at)).map(|token| token.kind);
        let before = kind(at.checked_sub(2));
        let is_in = at.checked_sub(1).and_then(|at| tokens.get(at)).is_some_and(|token| token.text == "in");
        let (Some(subject), Some(after)) = (kind(at.checked_sub(1)), kind(Some(at))) else { continue };
        if let Some(token) = tokens.get_mut(at) {
            token.blanks = usize::from(has_blank(before, subject, is_in, after));
        }
    }
}

/// Whether there is a blank between a token and the next one.
fn has_blank(before: Option<Kind>, subject: Kind, is_in: bool, after: Kind) -> bool {
    use Kind::{
        And, Bang, CloseBrace, CloseHeredoc, CloseQuote, Colon, Comma, Directive, Dot, DoubleColon, Ellipsis,
        Equal, EqualTo, Greater, GreaterOrEqual, Interpolation, Less, LessOrEqual, Literal, Minus, Name,
        Newline, NotEqualTo, Number, OpenBrace, OpenBracket, OpenHeredoc, OpenParenthesis, OpenQuote, Or,
        Percent, Plus, Question, SequenceEnd, Slash, Star,
    };
    match (subject, after) {
        (_, Newline) | (Name, OpenParenthesis | DoubleColon) | (DoubleColon, Name) => false,
        (Dot, _) | (_, Dot | Comma | Ellipsis) => false,
        (Comma, _) => true,
        (Literal | OpenQuote | OpenHeredoc, _) | (_, Literal | CloseQuote | CloseHeredoc) => false,
        // `for x in [1]`: not the index of something with this name.
        (Name, _) if is_in && before == Some(Name) => true,
        (Name | Number, OpenBracket) => false,
        (subject, OpenBracket) if opened(subject) < 0 => false,
        (Bang, _) => false,
        // It is a sign, unless an operand may be before it.
        (Minus, _) => !matches!(
            before,
            None | Some(
                OpenParenthesis
                    | OpenBrace
                    | OpenBracket
                    | Equal
                    | Colon
                    | Comma
                    | Question
                    | Plus
                    | Star
                    | Slash
                    | Percent
                    | Minus
                    | EqualTo
                    | NotEqualTo
                    | Greater
                    | GreaterOrEqual
                    | Less
                    | LessOrEqual
                    | And
                    | Or
                    | Bang
            )
        ),
        (OpenBrace, after) => after != CloseBrace,
        (_, CloseBrace) | (Interpolation | Directive, OpenBrace) | (CloseBrace, SequenceEnd) => true,
        (SequenceEnd, Interpolation | Directive) => false,
        (subject, after) => opened(subject) <= 0 && opened(after) >= 0,
    }
}

/// Puts the equals signs of lines that follow each other into one column.
fn align_assignments(lines: &mut [Line<'_>]) {
    let width = |line: &Line<'_>| line.lead.iter().map(Token::columns).fold(0, usize::saturating_add);
    for chain in lines.chunk_by_mut(|a, b| a.assignment.is_empty() == b.assignment.is_empty()) {
        let widest = chain.iter().map(width).max().unwrap_or_default();
        for line in chain {
            let blanks = widest.saturating_sub(width(line)).saturating_add(1);
            if let Some(equals) = line.assignment.first_mut() {
                equals.blanks = blanks;
            }
        }
    }
}

/// Puts the comments at the ends of lines that follow each other into one column.
fn align_comments(lines: &mut [Line<'_>]) {
    let width = |line: &Line<'_>| {
        line.lead.iter().chain(&line.assignment).map(Token::columns).fold(0, usize::saturating_add)
    };
    for chain in lines.chunk_by_mut(|a, b| a.comment.is_empty() == b.comment.is_empty()) {
        let widest = chain.iter().map(width).max().unwrap_or_default();
        for line in chain {
            let blanks = widest.saturating_sub(width(line)).saturating_add(1);
            if let Some(comment) = line.comment.first_mut() {
                comment.blanks = blanks;
            }
        }
    }
}
