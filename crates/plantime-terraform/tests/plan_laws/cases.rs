//! Planned resources of one type, and everything they may turn out to be.

use plantime_schema::ProviderSchemas;

use crate::asking::{self, Rulebook, name};
use crate::completions::completions;
use crate::kind::{Declared, Kind};
use crate::meaning::{Known, holds};
use crate::plans::{self, Resource};
use crate::rules::{Guarded, Step, combined, rules_on};
use crate::tree::Tree;
use crate::universe::Universe;

/// The type and the address of the resource in all cases.
pub(crate) const TYPE: &str = "x_y";
pub(crate) const ADDRESS: &str = "x_y.a";

/// How a plan is read.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum View {
    /// With the true types.
    Typed,
    /// With a schema that says `any` for each attribute.
    Any,
    /// Without a schema.
    Bare,
}

/// A universe, with its rules and its schemas.
pub(crate) struct Subject {
    pub(crate) universe: Universe,
    /// The type of the resource: the attribute `p` of the universe, and `m`, a string.
    pub(crate) kind: Kind,
    pub(crate) rules: Vec<Guarded>,
    pub(crate) book: Rulebook,
    typed: ProviderSchemas,
    any: ProviderSchemas,
    bare: ProviderSchemas,
}

/// What is planned.
pub(crate) struct Case {
    pub(crate) resource: Resource,
    pub(crate) plan: String,
}

impl Subject {
    pub(crate) fn new(universe: Universe) -> Subject {
        let fields = vec![("m", Kind::String), ("p", universe.kind.clone())];
        let rules = combined(rules_on(&vec![Step::Dot("p")], &universe.kind), &universe.kind);
        let texts: Vec<String> =
            rules.iter().enumerate().map(|(index, rule)| rule.hcl(&name(index), TYPE)).collect();
        let schemas = |declared| asking::schemas(&plans::schemas(&[(TYPE, &fields)], declared));
        Subject {
            book: Rulebook::new(&texts),
            typed: schemas(Declared::Types),
            any: schemas(Declared::Any),
            bare: ProviderSchemas::new(),
            kind: Kind::Object(fields),
            rules,
            universe,
        }
    }

    pub(crate) fn schemas(&self, view: View) -> &ProviderSchemas {
        match view {
            View::Typed => &self.typed,
            View::Any => &self.any,
            View::Bare => &self.bare,
        }
    }

    /// Every planned value of `p`, with some of `m` and of what was before.
    pub(crate) fn cases(&self) -> Vec<Case> {
        let mut all = Vec::new();
        let modes = [Tree::Text("a"), Tree::Unknown, Tree::Null];
        let befores: Vec<Option<&Tree>> =
            [None].into_iter().chain(self.universe.before.iter().map(Some)).collect();
        for (i, planned) in self.universe.planned.iter().enumerate() {
            for (j, before) in befores.iter().enumerate() {
                // Unknown modes with each, the others in turns.
                for mode in [&modes[1], &modes[if (i + j) % 2 == 0 { 0 } else { 2 }]] {
                    let before = before.map(|before| whole(Tree::Text("a"), before.clone()));
                    let after = whole(mode.clone(), planned.clone());
                    all.push(Case::planned(before, after));
                }
            }
        }
        all
    }

    /// Which rules hold of a resource that is known.
    pub(crate) fn holding(&self, before: Option<&Tree>, after: &Tree) -> Vec<bool> {
        let known = Known { kind: &self.kind, after, before };
        self.rules.iter().map(|rule| holds(rule, &known)).collect()
    }

    /// The text of a rule, for reports.
    pub(crate) fn rule(&self, index: usize) -> String {
        let text = self.rules[index].hcl(&name(index), TYPE);
        text.split_whitespace().collect::<Vec<_>>().join(" ")
    }
}

impl Case {
    pub(crate) fn new(resource: Resource) -> Case {
        Case { plan: plans::plan(std::slice::from_ref(&resource)), resource }
    }

    /// The resource of all cases, planned so.
    pub(crate) fn planned(before: Option<Tree>, after: Tree) -> Case {
        Case::new(Resource::planned(TYPE, "a", before, after))
    }

    /// The resource as it turns out.
    pub(crate) fn turned_out(&self, after: Tree) -> Case {
        Case::new(Resource { after: Some(after), ..self.resource.clone() })
    }

    /// What is planned, in short.
    pub(crate) fn brief(&self) -> String {
        let Resource { before, after, .. } = &self.resource;
        let before = before.as_ref().map_or_else(|| "new".to_owned(), ToString::to_string);
        format!("{before} -> {}", after.as_ref().map_or_else(|| "gone".to_owned(), ToString::to_string))
    }

    /// Everything that the planned value may turn out to be.
    pub(crate) fn completions(&self, kind: &Kind) -> Vec<Tree> {
        completions(self.resource.after.as_ref().unwrap(), kind)
    }
}

fn whole(m: Tree, p: Tree) -> Tree {
    Tree::Entries(vec![("m", m), ("p", p)])
}
