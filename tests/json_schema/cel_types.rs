//! The expressions that are written for Kubernetes have types: read here by a small grammar of CEL and its table of
//! overloads, so that no expression is written that a server refuses. A number is a `double`, and no operator mixes it
//! with an `int`.

use std::collections::BTreeMap;

use plantime::rule::Rule;
use plantime::rule::json_schema::{Dialect, export};
use plantime::{Type, TypeConstraint, Value, json};
use serde_json::Value as Json;

use crate::kinds::KINDS;

#[derive(Clone, Debug, PartialEq)]
enum T {
    Bool,
    Int,
    Double,
    Text,
    Bytes,
    List(Box<T>),
    Map(Box<T>),
    Object(BTreeMap<String, Option<T>>),
}

/// The type that a structural schema declares; none where it declares none.
fn declared(ty: &Type) -> Option<T> {
    Some(match ty {
        Type::Bool => T::Bool,
        Type::Number => T::Double,
        Type::String => T::Text,
        Type::List(ty) => T::List(Box::new(declared(ty.element())?)),
        Type::Set(ty) => T::List(Box::new(declared(ty.element())?)),
        Type::Map(ty) => T::Map(Box::new(declared(ty.element())?)),
        Type::Object(ty) => T::Object(ty.iter().map(|(name, ty)| (name.to_owned(), declared(ty))).collect()),
        Type::Tuple(_) | Type::Dynamic | Type::Capsule(_) => return None,
    })
}

#[derive(Clone, Debug, PartialEq)]
enum Token {
    Word(String),
    Int(i64),
    Double,
    Text,
    Sign(&'static str),
}

const SIGNS: [&str; 21] = [
    "==", "!=", "<=", ">=", "&&", "||", "<", ">", "!", "?", ":", "+", "-", "*", "(", ")", "[", "]", ",", ".",
    "%",
];

fn tokens(text: &str) -> Result<Vec<Token>, String> {
    let mut all = Vec::new();
    let mut rest = text.trim_start();
    while let Some(first) = rest.chars().next() {
        let end = if first.is_ascii_alphabetic() || first == '_' {
            let end = rest.find(|c: char| !c.is_ascii_alphanumeric() && c != '_').unwrap_or(rest.len());
            all.push(Token::Word(rest[..end].to_owned()));
            end
        } else if first.is_ascii_digit() {
            let end = rest.find(|c: char| !c.is_ascii_digit() && c != '.' && c != 'e').unwrap_or(rest.len());
            let digits = &rest[..end];
            all.push(match digits.contains(['.', 'e']) {
                true if digits.parse::<f64>().is_ok_and(f64::is_finite) => Token::Double,
                true => return Err(format!("{digits} is no double")),
                false => Token::Int(digits.parse().map_err(|_| format!("invalid int literal {digits}"))?),
            });
            end
        } else if first == '"' {
            let mut escaped = false;
            let end = rest[1..].find(|c| {
                let is_end = c == '"' && !escaped;
                escaped = c == '\\' && !escaped;
                is_end
            });
            all.push(Token::Text);
            end.ok_or("an open string")? + 2
        } else {
            let sign =
                SIGNS.iter().find(|sign| rest.starts_with(**sign)).ok_or_else(|| format!("at {rest}"))?;
            all.push(Token::Sign(sign));
            sign.len()
        };
        rest = rest[end..].trim_start();
    }
    Ok(all)
}

struct Reader<'t> {
    tokens: &'t [Token],
    names: Vec<(String, T)>,
}

impl Reader<'_> {
    fn sign(&mut self, sign: &str) -> bool {
        let found = matches!(self.tokens.first(), Some(Token::Sign(found)) if *found == sign);
        if found {
            self.tokens = &self.tokens[1..];
        }
        found
    }

    fn want(&mut self, sign: &str) -> Result<(), String> {
        if self.sign(sign) {
            Ok(())
        } else {
            Err(format!("{sign} is missing before {:?}", self.tokens.first()))
        }
    }

    fn word(&mut self) -> Result<String, String> {
        match self.tokens.split_first() {
            Some((Token::Word(word), rest)) => {
                self.tokens = rest;
                Ok(word.clone())
            }
            _ => Err(format!("a name is missing before {:?}", self.tokens.first())),
        }
    }

    fn expression(&mut self) -> Result<T, String> {
        let condition = self.binary(0)?;
        if !self.sign("?") {
            return Ok(condition);
        }
        let then = self.binary(0)?;
        self.want(":")?;
        let otherwise = self.expression()?;
        overload("?:", condition == T::Bool && then == otherwise, then, &otherwise)
    }

    /// Binary operators, from the one that binds least.
    fn binary(&mut self, level: usize) -> Result<T, String> {
        const LEVELS: [&[&str]; 5] =
            [&["||"], &["&&"], &["==", "!=", "<=", ">=", "<", ">", "in"], &["+", "-"], &["*", "%"]];
        let Some(signs) = LEVELS.get(level) else { return self.unary() };
        let mut left = self.binary(level + 1)?;
        loop {
            let is_in = signs.contains(&"in") && self.tokens.first() == Some(&Token::Word("in".to_owned()));
            let sign = match signs.iter().find(|sign| self.sign(sign)) {
                Some(sign) => sign,
                None if is_in => {
                    self.tokens = &self.tokens[1..];
                    "in"
                }
                None => return Ok(left),
            };
            let right = self.binary(level + 1)?;
            let (fits, result) = match sign {
                "||" | "&&" => (left == T::Bool && right == T::Bool, T::Bool),
                "==" | "!=" => (left == right, T::Bool),
                "in" => match &right {
                    T::List(element) => (left == **element, T::Bool),
                    T::Map(_) => (left == T::Text, T::Bool),
                    _ => (false, T::Bool),
                },
                "<" | ">" | "<=" | ">=" => {
                    (left == right && matches!(left, T::Int | T::Double | T::Text | T::Bool), T::Bool)
                }
                "%" => (left == T::Int && right == T::Int, T::Int),
                _ => (left == right && matches!(left, T::Int | T::Double), left.clone()),
            };
            left = overload(sign, fits, result, &right).map_err(|error| format!("{error} after {left:?}"))?;
        }
    }

    fn unary(&mut self) -> Result<T, String> {
        if self.sign("!") {
            let inside = self.unary()?;
            return overload("!", inside == T::Bool, T::Bool, &inside);
        }
        if self.sign("-") {
            let inside = self.unary()?;
            let fits = matches!(inside, T::Int | T::Double);
            return overload("-", fits, inside.clone(), &inside);
        }
        let mut here = self.primary()?;
        while self.sign(".") {
            let name = self.word()?;
            here = if self.sign("(") { self.method(&name, &here)? } else { field(&here, &name)? };
        }
        Ok(here)
    }

    fn primary(&mut self) -> Result<T, String> {
        if self.sign("(") {
            let inside = self.expression()?;
            self.want(")")?;
            return Ok(inside);
        }
        if self.sign("[") {
            let element = self.expression()?;
            while self.sign(",") {
                let next = self.expression()?;
                overload("a list", next == element, T::Bool, &next)?;
            }
            self.want("]")?;
            return Ok(T::List(Box::new(element)));
        }
        let (first, rest) = self.tokens.split_first().ok_or("an operand is missing")?;
        self.tokens = rest;
        match first {
            Token::Int(_) => Ok(T::Int),
            Token::Double => Ok(T::Double),
            Token::Text => Ok(T::Text),
            Token::Word(word) if word == "true" || word == "false" => Ok(T::Bool),
            Token::Word(word) if self.sign("(") => {
                let inside = self.expression()?;
                self.want(")")?;
                let (fits, result) = match word.as_str() {
                    "has" => (true, T::Bool),
                    "size" => (matches!(inside, T::Text | T::Bytes | T::List(_) | T::Map(_)), T::Int),
                    "bytes" => (inside == T::Text, T::Bytes),
                    _ => (false, T::Bool),
                };
                overload(word, fits, result, &inside)
            }
            Token::Word(word) => {
                let named = self.names.iter().rev().find(|(name, _)| name == word);
                named.map(|(_, ty)| ty.clone()).ok_or_else(|| format!("undeclared reference to {word}"))
            }
            token @ Token::Sign(_) => Err(format!("unexpected {token:?}")),
        }
    }

    /// A method or macro, after its bracket.
    fn method(&mut self, name: &str, of: &T) -> Result<T, String> {
        let result = match (name, of) {
            ("size", T::Text | T::List(_) | T::Map(_)) => T::Int,
            ("startsWith" | "endsWith" | "contains" | "matches", T::Text) => {
                let argument = self.expression()?;
                overload(name, argument == T::Text, T::Bool, &argument)?
            }
            ("all" | "exists" | "exists_one" | "filter", T::List(_) | T::Map(_)) => {
                let variable = self.word()?;
                self.want(",")?;
                let element = match of {
                    T::List(element) => (**element).clone(),
                    _ => T::Text,
                };
                self.names.push((variable, element));
                let inside = self.expression();
                self.names.pop();
                let result = if name == "filter" { of.clone() } else { T::Bool };
                let inside = inside?;
                overload(name, inside == T::Bool, result, &inside)?
            }
            _ => return Err(format!("no method {name} of {of:?}")),
        };
        self.want(")")?;
        Ok(result)
    }
}

fn overload(what: &str, fits: bool, result: T, with: &T) -> Result<T, String> {
    if fits { Ok(result) } else { Err(format!("no overload of {what} with {with:?}")) }
}

fn field(of: &T, name: &str) -> Result<T, String> {
    match of {
        T::Object(fields) => match fields.get(name) {
            Some(Some(ty)) => Ok(ty.clone()),
            _ => Err(format!("undefined field {name}")),
        },
        _ => Err(format!("{of:?} has no fields")),
    }
}

fn checked(text: &str, of: &T) -> Result<(), String> {
    let tokens = tokens(text)?;
    let names = ["self", "oldSelf"].map(|name| (name.to_owned(), of.clone())).to_vec();
    let mut reader = Reader { tokens: &tokens, names };
    let found = reader.expression()?;
    match (reader.tokens, found) {
        ([], T::Bool) => Ok(()),
        ([], other) => Err(format!("an expression of {other:?}")),
        (rest, _) => Err(format!("unexpected {:?}", rest.first())),
    }
}

/// Every expression of a schema, with the type of the value that it is about.
fn expressions(schema: &Json, ty: &Type, in_list: bool, out: &mut Vec<(String, Type, bool)>) {
    for rule in schema.get("x-kubernetes-validations").and_then(Json::as_array).into_iter().flatten() {
        out.push((rule["rule"].as_str().unwrap().to_owned(), ty.clone(), in_list));
    }
    let mut part = |part: Option<&Json>, ty: &Type, in_list: bool| {
        if let Some(part) = part {
            expressions(part, ty, in_list, out);
        }
    };
    match ty {
        Type::List(ty) => part(schema.get("items"), ty.element(), true),
        Type::Set(ty) => part(schema.get("items"), ty.element(), true),
        Type::Map(ty) => part(schema.get("additionalProperties"), ty.element(), in_list),
        Type::Object(ty) => {
            for (name, ty) in ty.iter() {
                part(schema["properties"].get(name), ty, in_list);
            }
        }
        _ => {}
    }
}

#[track_caller]
fn all_have_types(ty: &str, rule: &Rule) -> usize {
    let constraint: TypeConstraint = ty.parse().unwrap();
    let Ok(schema) = export(&constraint, rule, Dialect::Kubernetes) else { return 0 };
    let schema = Json::try_from(&schema).unwrap();
    let mut found = Vec::new();
    expressions(&schema, constraint.as_type(), false, &mut found);
    for (text, ty, in_list) in &found {
        let declared =
            declared(ty).unwrap_or_else(|| panic!("{text} is about {ty}, of which nothing is declared"));
        if let Err(error) = checked(text, &declared) {
            panic!("{rule} on {ty}: {text}: {error}");
        }
        // An element of a list has no one element before it.
        assert!(!(*in_list && text.contains("oldSelf")), "{rule} on {ty}: {text}");
    }
    found.len()
}

fn form(text: &str) -> Value {
    json::from_slice(text.as_bytes()).unwrap()
}

#[test]
fn the_checker_refuses_what_a_server_refuses() {
    for (text, error) in [
        ("(self in [3]) || true", "no overload of in with List(Int) after Double"),
        ("self in [1, 2.5]", "no overload of a list with Double"),
        ("self == 100000000000000000000", "invalid int literal 100000000000000000000"),
        ("!self", "no overload of ! with Double"),
        ("size(self) >= 1", "no overload of size with Double"),
        ("other == self", "undeclared reference to other"),
    ] {
        assert_eq!(checked(text, &T::Double), Err(error.to_owned()), "{text}");
    }
    assert_eq!(checked("self.all(x, self.exists_one(y, x == y))", &T::List(Box::new(T::Text))), Ok(()));
}

#[test]
fn every_expression_has_a_type() {
    let mut count = 0;
    let numbers = ["one_of", "none_of"].map(|name| form(&format!(r#"{{"{name}":[1,2.5,-3,"a"]}}"#)));
    let more: [(&str, Value); 6] = [
        ("number", form(r#"{"equals":100000000000000000000}"#)),
        ("number", form(r#"{"equals":-1}"#)),
        ("list(number)", form(r#"{"contains":3}"#)),
        ("object({a=number,b=any})", form(r#"{"required_together":["a","b"]}"#)),
        ("object({a=number,b=tuple([])})", form(r#"{"also_requires":["a","b"]}"#)),
        ("object({a=number,b=number,c=number})", form(r#"{"at":["a",{"at_least_sum_of":["<.b","<.c"]}]}"#)),
    ];
    let kinds = KINDS.iter().map(|(ty, rule, _)| (*ty, form(rule)));
    for (ty, rule) in kinds.chain(numbers.map(|rule| ("number", rule))).chain(more) {
        let rule = Rule::from_form(&rule).unwrap();
        let guard = || Rule::any([Rule::any([]).unwrap(), rule.clone()]).unwrap();
        for rule in [
            Ok(rule.clone()),
            Rule::not(rule.clone()),
            Rule::any([rule.clone(), rule.clone()]),
            Rule::implies(rule.clone(), guard()),
            Rule::when(rule.clone(), guard()),
        ] {
            let Ok(rule) = rule else { continue };
            count += all_have_types(ty, &rule);
            // The same as parts of containers.
            for (around, path) in [
                (format!("object({{x=optional({ty})}})"), "x"),
                (format!("list({ty})"), "[*]"),
                (format!("map(object({{x=optional({ty})}}))"), "[*].x"),
            ] {
                let at = Rule::at(path.parse().unwrap(), rule.clone()).unwrap();
                count += all_have_types(&around, &at);
                count += all_have_types(&around, &Rule::any([at, Rule::IsNull]).unwrap());
            }
        }
    }
    println!("{count} expressions have types");
    assert!(count > 500, "only {count}");
}
