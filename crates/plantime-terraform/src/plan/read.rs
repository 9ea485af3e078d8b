//! Reads plan JSON and state JSON: one pass over the text, one resource at a time.
//!
//! | file | reads |
//! |---|---|
//! | this one | the document: its version, variables, outputs, types, and the lists of resources |
//! | `tapes` | one resource change: each of its trees is held as a tape until the schema is known |
//! | `fuse` | the trees of a value (known, unknown, refinements, sensitive) into one value |
//! | `entries` | the properties of a JSON object, looked up in the order of their names |
//! | `state` | a state: what exists after an apply |
//! | `states` | the states inside a plan |
//! | `data_sources` | data sources that were read while planning, from the prior state |
//! | `references` | which expression of the configuration refers to what |
//! | `checks` | the results of the configuration's own conditions |
//! | `refinement` | reads the refinement of an unknown value from its object in the tree `after_refinements` |
//! | `actions` | invocations of actions |
//! | `gap` | what the plan leaves out of the configuration |
//! | `binary` | binary plans |

mod actions;
pub(super) mod binary;
pub(super) mod checks;
pub(super) mod data_sources;
mod declared;
mod entries;
mod fuse;
pub(super) mod gap;
pub(super) mod references;
mod refinement;
pub(super) mod state;
pub(super) mod states;
mod tapes;

use std::collections::{BTreeMap, HashSet};
use std::sync::Arc;

use crate::json::Tape;
use crate::plan::document::{REFINEMENTS_FORMAT_VERSION, REFINEMENTS_VERSION_KEY};
use crate::plan::{ActionInvocation, DeferredChange, Mode, Note, Plan, References, ResourceChange};
use plantime::unstable::error::Kind;
use plantime::unstable::json::{Reader, Token, implied};
use plantime::{Error, Mark, Path, Result, Step, Type, Value};
use plantime_schema::ProviderSchemas;
use plantime_schema::unstable::json::{array, object, read_flag, read_text};

use tapes::fuse_with_schema;
use tapes::{Tapes, boxed_text, path_of};

/// Reads the JSON text of a plan into values with the types of these schemas.
pub(super) fn read_plan(text: &[u8], schemas: &ProviderSchemas) -> Result<Plan> {
    let mut reader = Reader::new(text)?;
    if reader.peek()? != Token::Object {
        // Reports where the input stops being valid JSON.
        reader.skip_unique()?;
        reader.end()?;
        return Err(Error::new(Kind::Syntax, "not a plan: the JSON is no object"));
    }
    let mut root = Root {
        schemas,
        plan: Plan::default(),
        tapes: Tapes::default(),
        outputs: Vec::new(),
        types: BTreeMap::new(),
        planned: Vec::new(),
        version: None,
        has_changes: false,
        other: None,
    };
    let result =
        object(&mut reader, |key, reader| root.read_property(key, reader)).and_then(|()| reader.end());
    root.finish(result)
}

/// The properties of a plan's root object that have been read so far.
struct Root<'a, 's> {
    schemas: &'s ProviderSchemas,
    plan: Plan,
    tapes: Tapes<'a>,
    /// The output changes as JSON, which wait for their types: those come later in the text.
    outputs: Vec<(String, Tapes<'a>)>,
    types: BTreeMap<String, Type>,
    /// The addresses of the resources in `planned_values`.
    planned: Vec<String>,
    version: Option<String>,
    has_changes: bool,
    /// What other document the file is, if it has a property that no plan has.
    other: Option<&'static str>,
}

/// What a JSON file is that Terraform writes in place of a plan that runs elsewhere.
const BOOKMARK: &str = "this is the bookmark of a plan that is stored in HCP Terraform; write that plan as JSON with \
                        `terraform show -json FILE`";

/// What a JSON file is that OpenTofu writes in place of a plan that is to be encrypted.
const ENCRYPTED: &str = "it is encrypted by OpenTofu; write it as JSON with `tofu show -json FILE`";

/// What kind of document has this property at its root, as the end of an error message; `None` if a plan may have it.
fn other_document(key: &str) -> Option<&'static str> {
    Some(match key {
        "@level" | "@message" => {
            "this is the log of `terraform plan -json`; write the plan with `terraform plan -out=FILE` and \
             `terraform show -json FILE`"
        }
        "provider_schemas" => "these are provider schemas",
        "values" => "this is a state",
        "lineage" | "serial" => "this is a state as it is stored",
        "obligations" => "this is a file of obligations",
        "remote_plan_format" => BOOKMARK,
        "encrypted_data" => ENCRYPTED,
        _ => return None,
    })
}

impl<'a> Root<'a, '_> {
    /// Reads one property of the root object.
    fn read_property(&mut self, key: &str, reader: &mut Reader<'a>) -> Result<()> {
        self.other = self.other.or_else(|| other_document(key));
        match key {
            "format_version" => {
                self.version = read_text(reader)?;
                self.version.as_deref().map_or(Ok(()), |version| check_version("plans", version))?;
            }
            REFINEMENTS_VERSION_KEY => {
                read_text(reader)?.map_or(Ok(()), |version| check_refinements_version(&version))?;
            }
            "terraform_version" => self.plan.terraform_version = read_text(reader)?,
            "variables" => read_variables(reader, &mut self.plan.variables)?,
            "planned_values" => {
                self.has_changes = true;
                read_planned_values(reader, &mut self.types, &mut self.planned)?;
            }
            "resource_changes" => {
                self.has_changes = true;
                self.read_resources(reader, |plan| &mut plan.resource_changes)?;
            }
            "resource_drift" => self.read_resources(reader, |plan| &mut plan.resource_drift)?,
            "output_changes" => object(reader, |name, reader| {
                let mut tapes = Tapes::default();
                tapes.read(reader)?;
                self.outputs.push((name.to_owned(), tapes));
                Ok(())
            })?,
            "prior_state" => {
                self.plan.data_sources =
                    data_sources::read_data_sources(reader, self.schemas, &mut self.plan.notes)?;
            }
            "configuration" => self.plan.references = References::read(reader)?,
            "relevant_attributes" => array(reader, |reader| {
                self.plan.relevant_attributes.push(read_relevant_attribute(reader)?);
                Ok(())
            })?,
            "checks" => array(reader, |reader| {
                self.plan.checks.push(checks::read_check(reader)?);
                Ok(())
            })?,
            "deferred_changes" => array(reader, |reader| {
                let mut deferred = DeferredChange::default();
                object(reader, |key, reader| {
                    match key {
                        "reason" => deferred.reason = boxed_text(reader)?,
                        "resource_change" if reader.peek()? != Token::Null => {
                            let (tapes, notes) = (&mut self.tapes, &mut self.plan.notes);
                            let change = read_resource_change(reader, tapes, self.schemas, notes)?;
                            deferred.change = Some(Arc::new(change));
                        }
                        _ => reader.skip_unique()?,
                    }
                    Ok(())
                })?;
                self.plan.deferred_changes.push(deferred);
                Ok(())
            })?,
            "action_invocations" => array(reader, |reader| {
                let invocation = actions::read_invocation(reader, self.schemas, &mut self.plan.notes)?;
                self.plan.action_invocations.push(invocation);
                Ok(())
            })?,
            "deferred_action_invocations" => array(reader, |reader| {
                let (mut reason, mut invocation) = (None, None);
                object(reader, |key, reader| {
                    match key {
                        "reason" => reason = boxed_text(reader)?,
                        "action_invocation" => {
                            let notes = &mut self.plan.notes;
                            invocation = Some(actions::read_invocation(reader, self.schemas, notes)?);
                        }
                        _ => reader.skip_unique()?,
                    }
                    Ok(())
                })?;
                let deferred = Some(reason.unwrap_or_else(|| "unknown".into()));
                let invocation = invocation.unwrap_or_default();
                self.plan.action_invocations.push(ActionInvocation { deferred, ..invocation });
                Ok(())
            })?,
            "timestamp" => self.plan.timestamp = read_text(reader)?,
            "errored" => self.plan.errored = Some(read_flag(reader)?),
            "complete" => self.plan.complete = Some(read_flag(reader)?),
            "applyable" => self.plan.applyable = Some(read_flag(reader)?),
            _ => reader.skip_unique()?,
        }
        Ok(())
    }

    /// Reads an array of resource changes into the list of the plan that `into` selects.
    fn read_resources(
        &mut self,
        reader: &mut Reader<'a>,
        into: fn(&mut Plan) -> &mut Vec<Arc<ResourceChange>>,
    ) -> Result<()> {
        let (tapes, schemas) = (&mut self.tapes, self.schemas);
        let plan = &mut self.plan;
        array(reader, |reader| {
            let change = read_resource_change(reader, tapes, schemas, &mut plan.notes)?;
            into(plan).push(Arc::new(change));
            Ok(())
        })?;
        into(plan).shrink_to_fit();
        Ok(())
    }

    /// The finished plan, or the error `read`. A file that is another kind of document is reported as that, even if
    /// another error in it came first.
    fn finish(self, read: Result<()>) -> Result<Plan> {
        let Root { mut plan, version, has_changes, outputs, types, other, planned, .. } = self;
        if let Some(other) = other.filter(|_| !has_changes) {
            return Err(Error::new(Kind::Syntax, format!("not a plan: {other}")));
        }
        read?;
        let Some(version) = version else {
            return Err(Error::new(Kind::Syntax, "not a plan: there is no format_version"));
        };
        if !has_changes {
            let message = "not a plan: there is neither planned_values nor resource_changes";
            return Err(Error::new(Kind::Syntax, message));
        }
        plan.format_version = version;
        for (name, tapes) in outputs {
            let under = |error: Error| error.under(Step::attr(&name)).under(Step::attr("output_changes"));
            let change = tapes.output_change(types.get(&name), &name, &mut plan.notes).map_err(under)?;
            plan.output_changes.insert(name, change);
        }
        plan.output_types = types;
        plan.unlisted_resources = without_change(planned, &plan);
        for (name, value) in &mut plan.variables {
            if plan.references.is_sensitive_variable(name) {
                let bare = std::mem::replace(value, Value::dynamic());
                *value = bare.mark(Mark::SENSITIVE);
            }
        }
        Ok(plan)
    }
}

/// Fails for a format version whose major number is not 0 or 1. `documents` names the kind of document for the
/// message.
pub(super) fn check_version(documents: &str, version: &str) -> Result<()> {
    let numbers: Vec<Option<u64>> = version.split('.').map(|number| number.parse().ok()).collect();
    match numbers[..] {
        [Some(0 | 1)] | [Some(0 | 1), Some(_)] => Ok(()),
        _ => Err(Error::new(
            Kind::Argument,
            format!("{documents} of format {version:?} are not supported, expected 0.1, 0.2 or 1.x"),
        )),
    }
}

/// Fails for another major version of the form of refinements: its facts may mean something else.
fn check_refinements_version(version: &str) -> Result<()> {
    let major = |version: &str| version.split('.').next().map(str::to_owned);
    if major(version) == major(REFINEMENTS_FORMAT_VERSION) {
        return Ok(());
    }
    let message =
        format!("refinements of format {version:?} are not supported, expected {REFINEMENTS_FORMAT_VERSION}");
    Err(Error::new(Kind::Argument, message))
}

/// Reads the values of root variables into a map by name.
fn read_variables(reader: &mut Reader<'_>, into: &mut BTreeMap<String, Value>) -> Result<()> {
    object(reader, |name, reader| {
        let mut value = Value::null(Type::Dynamic);
        object(reader, |key, reader| {
            match key {
                // Which variables are sensitive is said later.
                "value" => value = implied(reader).map_err(|error| error.above_content(0))?,
                _ => reader.skip_unique()?,
            }
            Ok(())
        })?;
        into.insert(name.to_owned(), value);
        Ok(())
    })
}

/// Those of the addresses that no change and no deferred change of the plan has.
fn without_change(mut planned: Vec<String>, plan: &Plan) -> Vec<String> {
    let deferred = plan.deferred_changes.iter().filter_map(|deferred| deferred.change.as_ref());
    let changes = plan.resource_changes.iter().chain(deferred);
    let changed: HashSet<&str> = changes.map(|change| change.address.as_str()).collect();
    planned.retain(|address| !changed.contains(address.as_str()));
    planned.shrink_to_fit();
    planned
}

/// Reads the addresses of the resources of a module and the modules in it.
fn read_planned_module(reader: &mut Reader<'_>, planned: &mut Vec<String>) -> Result<()> {
    object(reader, |key, reader| match key {
        "resources" => array(reader, |reader| {
            object(reader, |key, reader| match key {
                "address" => {
                    planned.extend(read_text(reader)?);
                    Ok(())
                }
                _ => reader.skip_unique(),
            })
        }),
        "child_modules" => array(reader, |reader| read_planned_module(reader, planned)),
        _ => reader.skip_unique(),
    })
}

/// Reads the addresses of the planned resources, and the declared types of root outputs, which only newer plan formats have.
fn read_planned_values(
    reader: &mut Reader<'_>,
    types: &mut BTreeMap<String, Type>,
    planned: &mut Vec<String>,
) -> Result<()> {
    object(reader, |key, reader| match key {
        "outputs" => object(reader, |name, reader| {
            object(reader, |key, reader| {
                match key {
                    "type" => {
                        types.insert(name.to_owned(), plantime_schema::unstable::json::ty(reader)?);
                    }
                    _ => reader.skip_unique()?,
                }
                Ok(())
            })
        }),
        "root_module" => read_planned_module(reader, planned),
        _ => reader.skip_unique(),
    })
}

/// Reads an entry of `relevant_attributes`: the address of a resource, and the path of an attribute that contributed
/// to the plan.
fn read_relevant_attribute(reader: &mut Reader<'_>) -> Result<(String, Path)> {
    let (mut resource, mut path) = (String::new(), Path::new());
    object(reader, |key, reader| {
        match key {
            "resource" => resource = read_text(reader)?.unwrap_or_default(),
            "attribute" => path = Tape::new().read(reader).map(|item| path_of(item, &Type::Dynamic))??,
            _ => reader.skip_unique()?,
        }
        Ok(())
    })?;
    Ok((resource, path))
}

/// Reads one resource change. `tapes` lends its memory; values that do not fit their schema are reported in `notes`.
fn read_resource_change<'a>(
    reader: &mut Reader<'a>,
    tapes: &mut Tapes<'a>,
    schemas: &ProviderSchemas,
    notes: &mut Vec<Note>,
) -> Result<ResourceChange> {
    tapes.clear();
    let (mut address, mut previous_address, mut module_address) = (None, None, None);
    let (mut mode, mut type_name, mut name) = (Mode::Managed, Arc::default(), Arc::default());
    let (mut index, mut provider_name, mut deposed, mut action_reason) = (None, Arc::default(), None, None);
    let (mut has_change, mut has_unknown_index) = (false, false);
    object(reader, |key, reader| {
        match key {
            "address" => address = read_text(reader)?,
            "previous_address" => previous_address = boxed_text(reader)?,
            "module_address" => module_address = boxed_text(reader)?.filter(|module| !module.is_empty()),
            "mode" => mode = Mode::from_text(&read_text(reader)?.unwrap_or_default()),
            "type" => type_name = tapes.type_names.read(reader)?,
            "name" => name = tapes.names.read(reader)?,
            "index" => index = Some(implied(reader)?).filter(|index| !index.is_null()),
            "index_unknown" => has_unknown_index = read_flag(reader)?,
            "provider_name" => provider_name = tapes.provider_names.read(reader)?,
            "deposed" => deposed = boxed_text(reader)?,
            "action_reason" => action_reason = boxed_text(reader)?,
            "change" => {
                has_change = true;
                tapes.read(reader)?;
            }
            _ => reader.skip_unique()?,
        }
        Ok(())
    })?;
    if !has_change {
        return Err(reader.error("the change is missing in a resource change that ends"));
    }
    // No rule could match it, so it would silently pass every check.
    if type_name.is_empty() {
        return Err(reader.error("the type is missing in a resource change that ends"));
    }
    let address = address.unwrap_or_else(|| {
        let module = module_address.as_deref().map(|module| format!("{module}.")).unwrap_or_default();
        let index = index.as_ref().map(|index: &Value| format!("[{index}]")).unwrap_or_default();
        format!("{module}{}{type_name}.{name}{index}", mode.prefix())
    });
    let schema = match mode {
        Mode::Managed => schemas.read_resource(&provider_name, &type_name)?,
        Mode::Data => schemas.read_data_source(&provider_name, &type_name)?,
        Mode::Ephemeral => schemas.read_ephemeral_resource(&provider_name, &type_name)?,
        Mode::Other => None,
    };
    let change =
        tapes.resource_change(schema, &address, notes).map_err(|error| error.under(Step::attr("change")))?;
    Ok(ResourceChange {
        address,
        previous_address,
        module_address,
        mode,
        type_name,
        name,
        index,
        has_unknown_index,
        provider_name,
        deposed,
        action_reason,
        change,
    })
}
