//! Facts about the values of a resource: added to its plan, checked after its apply.

#[cfg(test)]
mod tests;

use plantime::rule::How;
use plantime::source::Source;
use plantime::{Path, Refinement, Result, Step, Type, Value, View, msgpack};
use plantime_schema::catalogue::{Catalogue, Class, Fact};

use super::options::Options;

/// The catalogues, and the provider whose facts count.
#[derive(Debug)]
pub(super) struct Knowledge {
    catalogues: Vec<Catalogue>,
    address: String,
    version: Option<String>,
    /// Whether facts of class B are added to plans too.
    sends_class_b: bool,
}

/// A fact that a plan did not say.
#[derive(Debug, PartialEq)]
pub(super) struct Added {
    /// Where it is, without content of the resource.
    pub(super) place: String,
    /// What holds of the value, without content of the resource.
    pub(super) says: String,
    pub(super) origin: String,
}

/// A fact that does not hold of what an apply returned.
#[derive(Debug, PartialEq)]
pub(super) struct Broken {
    /// Where it is, without content of the resource.
    pub(super) place: String,
    /// The path to there, as far as it shows no content.
    pub(super) path: Path,
    /// What should hold of the value, without content of the resource.
    pub(super) says: String,
    pub(super) origin: String,
    /// Whether the value is null.
    pub(super) is_of_null: bool,
    /// Whether the plan said it.
    pub(super) is_planned: bool,
}

/// What a fact says of a place, and how a message may say so.
struct Statement {
    refinement: Refinement,
    says: String,
}

impl Knowledge {
    /// The facts that the options ask for; `None` for none.
    ///
    /// # Errors
    ///
    /// A file that cannot be read, or is no file of facts; a file of facts where the provider's address is not known.
    pub(super) fn read(options: &Options) -> std::result::Result<Option<Knowledge>, String> {
        let mut catalogues = Vec::new();
        if options.catalogue {
            let least = if options.check_class_b || options.send_class_b { Class::B } else { Class::A };
            catalogues.push(Catalogue::builtin(least));
        }
        for file in &options.assume {
            let name = file.display().to_string();
            let text = std::fs::read_to_string(file).map_err(|error| format!("{name}: {error}"))?;
            let pack = Catalogue::read(Source::new(&name, &text));
            catalogues.push(pack.map_err(|problems| problem_list(&name, &problems))?);
        }
        match options.address() {
            Some(address) => {
                let (version, sends_class_b) = (options.version(), options.send_class_b);
                Ok(Some(Knowledge { catalogues, address, version, sends_class_b }))
            }
            None if options.assume.is_empty() => Ok(None),
            None => {
                Err("--assume needs the address of the provider, which its path does not tell: name it with \
                         --provider NAMESPACE/NAME"
                    .to_owned())
            }
        }
    }

    /// Whether no resource type of the provider has facts.
    pub(super) fn is_empty(&self) -> bool {
        !self.catalogues.iter().any(|catalogue| catalogue.has_provider(&self.address))
    }

    /// Whether facts of class B are added to plans too.
    pub(super) fn sends_class_b(&self) -> bool {
        self.sends_class_b
    }

    /// The facts about a resource type.
    pub(super) fn facts(&self, type_name: &str) -> Vec<Fact> {
        let of_catalogue = |catalogue: &Catalogue| catalogue.facts(&self.address, type_name);
        let facts = self.catalogues.iter().flat_map(of_catalogue);
        facts.filter(|fact| fact.holds_in(self.version.as_deref())).collect()
    }
}

/// The problems of a file in one text.
fn problem_list(name: &str, problems: &[plantime::source::Problem]) -> String {
    let list: Vec<String> = problems.iter().map(|problem| format!("{name}: {problem}")).collect();
    list.join("; ")
}

/// What a fact says in a resource with these attributes.
fn statements(fact: &Fact, resource: &Value) -> Vec<Statement> {
    let known =
        |name: &String| resource.get_attr(name).ok().and_then(|value| value.as_str().ok().map(str::to_owned));
    let mut found = Vec::new();
    let own = fact.refinement();
    if !own.is_trivial() {
        found.push(Statement { refinement: own.clone(), says: own.to_string() });
    }
    let equals = fact.equals().iter().filter_map(|name| {
        let refinement = Refinement::one_of([known(name)?.as_str()]).ok()?;
        Some(Statement { refinement, says: format!("equal to {name}") })
    });
    found.extend(equals);
    let contains = fact.contains().iter().filter_map(|name| {
        let refinement = Refinement::containing(&known(name)?).ok()?;
        Some(Statement { refinement, says: format!("contains {name}") })
    });
    found.extend(contains);
    found
}

/// The planned value with what facts of class A, or of both classes, add to its unknown parts, and what that is. Only what the host will read
/// counts: a part stays as it was if the wire would not carry the difference, or if the fact leaves one value only.
pub(super) fn narrow(planned: &Value, facts: &[Fact], sends_class_b: bool) -> Result<(Value, Vec<Added>)> {
    let mut parts: Vec<(Path, Value)> = Vec::new();
    let mut added = Vec::new();
    for fact in facts.iter().filter(|fact| sends_class_b || fact.class() == Class::A) {
        // A path that this version of the provider does not have is of another version.
        let Ok(places) = fact.path().matches(planned) else { continue };
        for place in places.into_iter().filter(|place| place.how == How::Exact) {
            let so_far = parts.iter().find(|(path, _)| *path == place.path);
            let mut part = so_far.map_or(place.value, |(_, part)| part.clone());
            for statement in statements(fact, planned) {
                let Some(narrower) = narrower(&part, &statement.refinement)? else { continue };
                part = narrower;
                parts.retain(|(path, _)| *path != place.path);
                parts.push((place.path.clone(), part.clone()));
                let (_, place) = shown(fact, &place.path, planned);
                added.push(Added { place, says: statement.says, origin: fact.origin().to_owned() });
            }
        }
    }
    if parts.is_empty() {
        return Ok((planned.clone(), added));
    }
    let narrowed = planned.transform(|path, value| {
        let new = parts.iter().find(|(place, _)| place == path).map(|(_, part)| part.clone());
        Ok(new.unwrap_or(value))
    })?;
    Ok((narrowed, added))
}

/// The unknown value with a refinement that the wire shows; `None` where there is no difference.
fn narrower(part: &Value, refinement: &Refinement) -> Result<Option<Value>> {
    if !matches!(part.view(), View::Unknown(_)) {
        return Ok(None);
    }
    let Ok(narrower) = part.assume(refinement) else { return Ok(None) };
    if !matches!(narrower.view(), View::Unknown(_)) {
        return Ok(None);
    }
    let ty = part.ty();
    Ok((msgpack::to_vec(part, &ty)? != msgpack::to_vec(&narrower, &ty)?).then_some(narrower))
}

/// A place of a fact as messages may show it: the path up to the first set or map whose elements are meant, and the text. The step
/// to a member of a set is the member, with all that is secret in it, and the keys of a map may be secret as well; so the text is then
/// the one of the fact.
fn shown(fact: &Fact, path: &Path, resource: &Value) -> (Path, String) {
    let mut so_far = Path::new();
    for step in path.steps() {
        let is_content = matches!(step, Step::Index(_))
            && fact.path().has_wildcard()
            && !resource.get(&so_far).is_ok_and(|whole| matches!(whole.ty(), Type::List(_) | Type::Tuple(_)));
        if is_content {
            return (so_far, fact.path().to_string());
        }
        so_far.push(step.clone());
    }
    let text = so_far.to_string();
    (so_far, text)
}

/// Whether the plan said what a fact says of a place. Where the place cannot be found in the plan, such as a member of a set, it is
/// taken for said if plans state such facts and the wire carries it.
fn is_planned(
    planned: Option<&Value>,
    place: &Path,
    value: &Value,
    refinement: &Refinement,
    is_sent: bool,
) -> bool {
    let is_carried =
        narrower(&Value::unknown(value.ty()), refinement).is_ok_and(|narrower| narrower.is_some());
    let part = planned.and_then(|planned| planned.get(place).ok());
    is_carried
        && part.map_or(is_sent, |part| {
            matches!(part.view(), View::Unknown(_))
                && narrower(&part, refinement).is_ok_and(|found| found.is_none())
        })
}

/// The facts, of whichever class, that do not hold of a state.
pub(super) fn broken(
    state: &Value,
    planned: Option<&Value>,
    facts: &[Fact],
    sends_class_b: bool,
) -> Vec<Broken> {
    let mut found = Vec::new();
    if state.is_null() {
        return found;
    }
    for fact in facts {
        let Ok(places) = fact.path().matches(state) else { continue };
        for place in places.into_iter().filter(|place| place.how == How::Exact) {
            for statement in statements(fact, state) {
                let assumed = place.value.assume(&statement.refinement);
                if assumed.is_err_and(|error| error.is_contradiction()) {
                    let (is_of_null, is_sent) =
                        (place.value.is_null(), sends_class_b || fact.class() == Class::A);
                    let is_planned =
                        is_planned(planned, &place.path, &place.value, &statement.refinement, is_sent);
                    let ((path, place), origin) = (shown(fact, &place.path, state), fact.origin().to_owned());
                    found.push(Broken { place, path, says: statement.says, origin, is_of_null, is_planned });
                }
            }
        }
    }
    found
}
