//! Methods of strings. Positions are bytes.

use super::error::Failure;
use super::interpreter::Interpreter;
use super::letters::{is_cased, lower, title, upper};
use super::value::{Arguments, Builtin, ElementKind, Native, Value, text_of};
use plantime::rule::Pattern;

pub(super) const METHODS: [(&str, Native); 33] = [
    ("capitalize", changed_case),
    ("codepoint_ords", sequence),
    ("codepoints", sequence),
    ("count", count),
    ("elem_ords", sequence),
    ("elems", sequence),
    ("endswith", has_affix),
    ("find", search),
    ("format", format),
    ("index", search),
    ("isalnum", is_kind),
    ("isalpha", is_kind),
    ("isdigit", is_kind),
    ("islower", is_kind),
    ("isspace", is_kind),
    ("istitle", is_kind),
    ("isupper", is_kind),
    ("join", join),
    ("lower", changed_case),
    ("lstrip", strip),
    ("partition", partition),
    ("replace", replace),
    ("rfind", search),
    ("rindex", search),
    ("rpartition", partition),
    ("rsplit", split),
    ("rstrip", strip),
    ("split", split),
    ("splitlines", splitlines),
    ("startswith", has_affix),
    ("strip", strip),
    ("title", changed_case),
    ("upper", changed_case),
];

/// Returns the position of the first occurrence of a part.
pub(super) fn find(text: &[u8], part: &[u8]) -> Option<usize> {
    match (std::str::from_utf8(text), std::str::from_utf8(part)) {
        (Ok(text), Ok(part)) => text.find(part),
        _ => text.windows(part.len().max(1)).position(|window| window == part),
    }
}

/// The string whose method is called.
fn receiver(f: &Builtin) -> String {
    match f.receiver() {
        Value::Text(text) => text_of(text).into_owned(),
        _ => String::new(),
    }
}

/// Returns an argument as text; the error names the parameter.
fn text_argument(f: &Builtin, parameter: &str, value: Option<Value>) -> Result<String, Failure> {
    let text = f.string(parameter, &value.unwrap_or(Value::None))?;
    Ok(text_of(&text).into_owned())
}

/// Returns the part of the receiver between optional bounds, and where it starts.
fn within(f: &Builtin, start: Option<Value>, end: Option<Value>) -> Result<(String, usize), Failure> {
    let Value::Text(text) = f.receiver() else { return Ok((String::new(), 0)) };
    let length = i64::try_from(text.len()).unwrap_or(i64::MAX / 4);
    let bound = |value: Option<Value>, parameter: &str, default: i64| match value {
        None | Some(Value::None) => Ok(default),
        Some(value) => {
            let at = f.int(parameter, &value)?;
            Ok::<_, Failure>(if at < 0 { at.saturating_add(length) } else { at }.clamp(0, length))
        }
    };
    let start = usize::try_from(bound(start, "2", 0)?).unwrap_or(0);
    let end = usize::try_from(bound(end, "3", length)?).unwrap_or(0);
    let part = text.get(start..end.max(start)).unwrap_or_default();
    Ok((text_of(part).into_owned(), start))
}

/// `upper()`, `lower()`, `title()` and `capitalize()`: the string with other cases.
fn changed_case(this: &mut Interpreter<'_>, f: &Builtin, arguments: Arguments) -> Result<Value, Failure> {
    f.none(&arguments)?;
    let text = receiver(f);
    let mut after_cased = false;
    let change = |char: char| {
        let changed = match &*f.name {
            "upper" => upper(char),
            "lower" => lower(char),
            _ if after_cased => lower(char),
            _ => title(char),
        };
        after_cased = &*f.name == "capitalize" || is_cased(changed);
        changed
    };
    let changed: String = text.chars().map(change).collect();
    this.heap.text(changed)
}

/// `elems()`, `elem_ords()`, `codepoints()` and `codepoint_ords()`: a sequence over the string.
fn sequence(_: &mut Interpreter<'_>, f: &Builtin, arguments: Arguments) -> Result<Value, Failure> {
    f.none(&arguments)?;
    let kind = match &*f.name {
        "elems" => ElementKind::Bytes,
        "elem_ords" => ElementKind::ByteNumbers,
        "codepoints" => ElementKind::Characters,
        _ => ElementKind::CharacterNumbers,
    };
    match f.receiver() {
        Value::Text(text) => Ok(Value::Elements(kind, text.clone())),
        _ => Ok(Value::None),
    }
}

/// `count(part[, start[, end]])`: how many times a part occurs.
fn count(this: &mut Interpreter<'_>, f: &Builtin, arguments: Arguments) -> Result<Value, Failure> {
    let [part, start, end] = arguments.positions(&f.name, 1)?;
    let part = text_argument(f, "1", part)?;
    let (text, _) = within(f, start, end)?;
    this.heap.work(text.len() / 16)?;
    Ok(Value::int(text.matches(part.as_str()).count()))
}

/// `find`, `rfind`, `index` and `rindex`: the position of a part.
fn search(this: &mut Interpreter<'_>, f: &Builtin, arguments: Arguments) -> Result<Value, Failure> {
    let [part, start, end] = arguments.positions(&f.name, 1)?;
    let part = text_argument(f, "1", part)?;
    let (text, offset) = within(f, start, end)?;
    this.heap.work(text.len() / 16)?;
    let found = if f.name.starts_with('r') { text.rfind(&part) } else { text.find(&part) };
    match found {
        Some(at) => Ok(Value::int(at.saturating_add(offset))),
        None if f.name.ends_with("find") => Ok(Value::int(-1)),
        None => Err(format!("{}: substring not found", f.name).into()),
    }
}

/// `startswith(affix[, start[, end]])` and `endswith(...)`.
fn has_affix(_: &mut Interpreter<'_>, f: &Builtin, arguments: Arguments) -> Result<Value, Failure> {
    let [affix, start, end] = arguments.positions(&f.name, 1)?;
    let affix = affix.unwrap_or(Value::None);
    let affixes = match affix.known()? {
        Value::Tuple(items) => items.to_vec(),
        Value::Text(_) => vec![affix.clone()],
        other => {
            return Err(
                format!("{}: got {}, want string or tuple of string", f.name, other.type_name()).into()
            );
        }
    };
    let (text, _) = within(f, start, end)?;
    for (index, affix) in affixes.iter().enumerate() {
        let Value::Text(affix) = affix.known()? else {
            let kind = affix.type_name();
            return Err(format!("{}: want string, got {kind}, for element {index}", f.name).into());
        };
        let bytes = text.as_bytes();
        if if &*f.name == "startswith" { bytes.starts_with(affix) } else { bytes.ends_with(affix) } {
            return Ok(Value::Bool(true));
        }
    }
    Ok(Value::Bool(false))
}

/// `format(*values, **values)`: the string with its fields replaced.
fn format(this: &mut Interpreter<'_>, f: &Builtin, arguments: Arguments) -> Result<Value, Failure> {
    super::format::format(this, &receiver(f), &arguments)
}

/// `isalpha()`, `isdigit()` and the like: whether all characters are of a kind.
fn is_kind(this: &mut Interpreter<'_>, f: &Builtin, arguments: Arguments) -> Result<Value, Failure> {
    f.none(&arguments)?;
    let text = receiver(f);
    this.heap.work(text.len() / 16)?;
    let matches = |pattern: &str| Pattern::new(pattern).is_ok_and(|pattern| pattern.is_match(&text));
    Ok(Value::Bool(match &*f.name {
        "isalnum" => matches(r"^[\p{L}\p{Nd}]+\z"),
        "isalpha" => matches(r"^\p{L}+\z"),
        "isdigit" => matches(r"^\p{Nd}+\z"),
        "isspace" => !text.is_empty() && text.chars().all(char::is_whitespace),
        "islower" => text.chars().any(is_cased) && text.chars().all(|char| lower(char) == char),
        "isupper" => text.chars().any(is_cased) && text.chars().all(|char| upper(char) == char),
        _ => is_title(&text),
    }))
}

/// Whether letters in upper case stand at the start of words alone. Beyond ASCII none may.
fn is_title(text: &str) -> bool {
    let (mut has_cased, mut after_cased) = (false, false);
    for char in text.chars() {
        let is_start =
            char.is_ascii_uppercase() || title(char) == char && lower(char) != char && upper(char) != char;
        if !is_start && char.is_uppercase() || is_start && after_cased || char.is_lowercase() && !after_cased
        {
            return false;
        }
        after_cased = is_start || char.is_lowercase();
        has_cased |= after_cased;
    }
    has_cased
}

/// `join(strings)`: the strings with this one between them.
fn join(this: &mut Interpreter<'_>, f: &Builtin, arguments: Arguments) -> Result<Value, Failure> {
    let value = f.one(&arguments)?;
    let items = this.iterate(&value)?.ok_or_else(|| f.wrong("1", &value, "iterable"))?;
    let Value::Text(separator) = f.receiver() else { return Ok(Value::None) };
    let mut joined = Vec::new();
    for (index, item) in items.iter().enumerate() {
        let Value::Text(text) = item.known()? else {
            return Err(format!("join: in list, want string, got {}", item.type_name()).into());
        };
        if index > 0 {
            joined.extend(&**separator);
        }
        joined.extend(&**text);
        if joined.len() > 1 << 22 {
            return Err(Failure::Limit("the text of a value is too long".to_owned()));
        }
    }
    this.heap.text(joined)
}

/// `strip([chars])`, `lstrip` and `rstrip`: the string without some characters at its ends.
fn strip(this: &mut Interpreter<'_>, f: &Builtin, arguments: Arguments) -> Result<Value, Failure> {
    let [chars] = arguments.positions(&f.name, 0)?;
    let chars = chars.map(|chars| text_argument(f, "1", Some(chars))).transpose()?;
    let text = receiver(f);
    this.heap.work(text.len() / 16)?;
    let drop = |char: char| chars.as_ref().map_or_else(|| char.is_whitespace(), |chars| chars.contains(char));
    let stripped = match &*f.name {
        "lstrip" => text.trim_start_matches(drop),
        "rstrip" => text.trim_end_matches(drop),
        _ => text.trim_matches(drop),
    };
    this.heap.text(stripped)
}

/// `partition(separator)` and `rpartition`: the parts before, at and after a separator.
fn partition(this: &mut Interpreter<'_>, f: &Builtin, arguments: Arguments) -> Result<Value, Failure> {
    let [separator] = arguments.positions(&f.name, 1)?;
    let separator = text_argument(f, "1", separator)?;
    if separator.is_empty() {
        return Err(format!("{}: empty separator", f.name).into());
    }
    let text = receiver(f);
    let from_end = &*f.name == "rpartition";
    let parts = if from_end { text.rsplit_once(&separator) } else { text.split_once(&separator) };
    let parts = match parts {
        Some((before, after)) => [before, &separator, after],
        None if from_end => ["", "", &text],
        None => [&text, "", ""],
    };
    let parts = parts.iter().map(|part| this.heap.text(*part)).collect::<Result<_, _>>()?;
    this.heap.tuple(parts)
}

/// `replace(old, new[, count])`: the string with a part replaced.
fn replace(this: &mut Interpreter<'_>, f: &Builtin, arguments: Arguments) -> Result<Value, Failure> {
    let [old, new, count] = arguments.positions(&f.name, 2)?;
    let (old, new) = (text_argument(f, "1", old)?, text_argument(f, "2", new)?);
    let count = count.map_or(Ok(-1), |count| f.int("3", &count))?;
    let text = receiver(f);
    let limit = usize::try_from(count).unwrap_or(usize::MAX);
    let matches = text.matches(old.as_str()).take(limit).count();
    if matches.saturating_mul(new.len()).saturating_add(text.len()) > 1 << 22 {
        return Err(Failure::Limit("the text of a value is too long".to_owned()));
    }
    this.heap.text(text.replacen(&old, &new, limit))
}

/// `split([separator[, most]])` and `rsplit`: the parts between separators.
fn split(this: &mut Interpreter<'_>, f: &Builtin, arguments: Arguments) -> Result<Value, Failure> {
    let [separator, most] = arguments.positions(&f.name, 0)?;
    let most = most.map_or(Ok(-1), |most| f.int("2", &most))?;
    let limit = usize::try_from(most).map_or(usize::MAX, |most| most.saturating_add(1));
    let text = receiver(f);
    let from_end = &*f.name == "rsplit";
    let separator = match separator {
        None | Some(Value::None) => None,
        other => Some(text_argument(f, "1", other)?),
    };
    let parts: Vec<String> = match separator {
        Some(separator) if separator.is_empty() => return Err(format!("{}: empty separator", f.name).into()),
        Some(separator) if from_end => {
            let mut parts: Vec<String> = text.rsplitn(limit, &separator).map(str::to_owned).collect();
            parts.reverse();
            parts
        }
        Some(separator) => text.splitn(limit, &separator).map(str::to_owned).collect(),
        None => words(&text, limit, from_end),
    };
    let parts = parts.iter().map(|part| this.heap.text(part.as_str())).collect::<Result<_, _>>()?;
    this.heap.list(parts)
}

/// Returns the words of a text; the last one, or the first one from the end, is all that is left at the limit.
fn words(text: &str, limit: usize, from_end: bool) -> Vec<String> {
    let (mut words, mut rest) = (Vec::new(), text.trim());
    while !rest.is_empty() {
        let is_last = words.len().saturating_add(1) >= limit;
        let cut = match from_end {
            _ if is_last => None,
            true => rest.rsplit_once(char::is_whitespace).map(|(before, after)| (after, before.trim_end())),
            false => rest.split_once(char::is_whitespace).map(|(before, after)| (before, after.trim_start())),
        };
        let (word, others) = cut.unwrap_or((rest, ""));
        words.push(word.to_owned());
        rest = others;
    }
    if from_end {
        words.reverse();
    }
    words
}

/// `splitlines([keepends])`: the lines.
fn splitlines(this: &mut Interpreter<'_>, f: &Builtin, arguments: Arguments) -> Result<Value, Failure> {
    let [keep_ends] = arguments.positions(&f.name, 0)?;
    let keep_ends = keep_ends.unwrap_or(Value::None).truth()?;
    let text = receiver(f);
    let lines = text.split_inclusive('\n').map(|line| match keep_ends {
        true => line,
        false => line.strip_suffix('\n').unwrap_or(line),
    });
    let lines = lines.map(|line| this.heap.text(line)).collect::<Result<_, _>>()?;
    this.heap.list(lines)
}
