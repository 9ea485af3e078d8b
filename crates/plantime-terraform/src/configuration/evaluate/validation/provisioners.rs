//! Provisioners and connections, against the arguments that those of Terraform have.

use std::sync::OnceLock;

use super::super::Engine;
use super::super::arguments::{Written, with_escaped_arguments, without_arguments};
use super::super::scope::ModuleScope;
use plantime::{Type, Value};
use plantime_hcl::{Argument, Block, Diagnostic};
use plantime_schema::Attribute;

/// The arguments of `connection` that are strings, of both kinds of connections.
const CONNECTION_STRINGS: [&str; 21] = [
    "agent_identity",
    "bastion_certificate",
    "bastion_host",
    "bastion_host_key",
    "bastion_password",
    "bastion_private_key",
    "bastion_user",
    "cacert",
    "certificate",
    "host_key",
    "password",
    "private_key",
    "proxy_host",
    "proxy_scheme",
    "proxy_user_name",
    "proxy_user_password",
    "script_path",
    "target_platform",
    "timeout",
    "type",
    "user",
];

/// The schemas of the provisioners of Terraform and of connections.
struct Schemas {
    local_exec: plantime_schema::Block,
    remote_exec: plantime_schema::Block,
    file: plantime_schema::Block,
    connection: plantime_schema::Block,
}

fn schemas() -> &'static Schemas {
    static SCHEMAS: OnceLock<Schemas> = OnceLock::new();
    SCHEMAS.get_or_init(|| {
        let strings = || Type::list(Type::String).unwrap_or(Type::Dynamic);
        let block = |attributes: &[(&str, Type, bool)]| {
            let block =
                attributes.iter().fold(plantime_schema::Block::builder(), |block, (name, ty, required)| {
                    let ty = ty.clone();
                    block.attribute(
                        name,
                        if *required { Attribute::required(ty) } else { Attribute::optional(ty) },
                    )
                });
            block.build().unwrap_or_default()
        };
        let mut connection = vec![
            ("agent", Type::Bool, false),
            ("bastion_port", Type::Number, false),
            ("host", Type::String, true),
            ("https", Type::Bool, false),
            ("insecure", Type::Bool, false),
            ("port", Type::Number, false),
            ("proxy_port", Type::Number, false),
            ("use_ntlm", Type::Bool, false),
        ];
        connection.extend(CONNECTION_STRINGS.map(|name| (name, Type::String, false)));
        Schemas {
            local_exec: block(&[
                ("command", Type::String, true),
                ("environment", Type::map(Type::String).unwrap_or(Type::Dynamic), false),
                ("interpreter", strings(), false),
                ("quiet", Type::Bool, false),
                ("working_dir", Type::String, false),
            ]),
            remote_exec: block(&[
                ("inline", strings(), false),
                ("script", Type::String, false),
                ("scripts", strings(), false),
            ]),
            file: block(&[
                ("content", Type::String, false),
                ("destination", Type::String, true),
                ("source", Type::String, false),
            ]),
            connection: block(&connection),
        }
    })
}

impl<'a> Engine<'a> {
    /// Checks the provisioners of a resource and the connections that they use.
    pub(super) fn check_provisioners(&self, block: &Block, own: &ModuleScope<'_, 'a>) {
        let own = &own.nested().of_what_is_not_stored();
        let connections = block.body.blocks_of(&block.source, "connection", 0);
        let shared = connections.first();
        let provisioners = block.body.blocks_of(&block.source, "provisioner", 1);
        // Without provisioners a connection is not used, and Terraform accepts whatever is in it.
        for provisioner in provisioners {
            let schema = match provisioner.labels.first().map(|label| &**label) {
                Some("local-exec") => Some(&schemas().local_exec),
                Some("remote-exec") => Some(&schemas().remote_exec),
                Some("file") => Some(&schemas().file),
                _ => None,
            };
            let body = with_escaped_arguments(&provisioner, is_of_the_language);
            let body = body.unwrap_or_else(|| without_arguments(&provisioner.body, is_of_the_language));
            let mut arguments =
                self.check_arguments(&Written { body: &body, ..Written::of(&provisioner) }, schema, own);
            // After a wrong reference Terraform goes on with arguments of which nothing is known, as if all were set.
            let is_wrong = |argument: &Argument| self.check_references(&argument.expression, own).is_err();
            if let Some(ty) = schema.and_then(|schema| schema.implied_type().ok())
                && body.arguments.iter().any(is_wrong)
            {
                arguments = Value::unknown(ty);
            }
            if let Some((summary, detail)) = provisioner_problem(&provisioner, &arguments) {
                let (source, span) = (&provisioner.source, provisioner.head());
                self.report(Diagnostic::new(source, span, summary, detail).as_global());
            }
            let connections = provisioner.body.blocks_of(&provisioner.source, "connection", 0);
            match (connections.first(), shared) {
                (Some(connection), shared) => {
                    let mut body = connection.body.clone();
                    // What the provisioner does not say is that of the resource.
                    let inherited = shared.map(|shared| shared.body.arguments.clone()).unwrap_or_default();
                    let is_new = |argument: &Argument| body.argument(&argument.name).is_none();
                    let inherited: Vec<Argument> = inherited.into_iter().filter(is_new).collect();
                    body.arguments.extend(inherited);
                    let written = Written { body: &body, ..Written::of(connection) };
                    drop(self.check_arguments(&written, Some(&schemas().connection), own));
                }
                (None, Some(shared)) => {
                    drop(self.check_arguments(&Written::of(shared), Some(&schemas().connection), own));
                }
                (None, None) => {}
            }
        }
    }

    /// Evaluates the arguments of a body, and checks them where there is a schema.
    fn check_arguments(
        &self,
        written: &Written<'_>,
        schema: Option<&plantime_schema::Block>,
        own: &ModuleScope<'_, 'a>,
    ) -> Value {
        match schema.and_then(|schema| Some((schema, schema.implied_type().ok()?))) {
            Some((schema, ty)) => self.object(written, schema, &ty, own),
            None => self.untyped_object(written, own),
        }
    }
}

/// What the provisioners of Terraform say of arguments that exclude each other, or of which one is needed: they name no place.
fn provisioner_problem(provisioner: &Block, arguments: &Value) -> Option<(&'static str, &'static str)> {
    let is_set =
        |name: &&str| arguments.get_attr(name).is_ok_and(|value| !value.unmark().0.is_certainly_null());
    let count = |names: &[&str]| names.iter().filter(|name| is_set(name)).count();
    match provisioner.labels.first().map(|label| &**label) {
        Some("file") => match count(&["source", "content"]) {
            0 => Some(("Must provide one of 'source' or 'content'", "")),
            1 => None,
            _ => Some(("Cannot set both 'source' and 'content'", "")),
        },
        Some("remote-exec") if count(&["inline", "script", "scripts"]) != 1 => Some((
            "Invalid remote-exec provisioner configuration",
            "Only one of \"inline\", \"script\", or \"scripts\" must be set",
        )),
        _ => None,
    }
}

/// Whether an argument or block of this name in a provisioner belongs to the language.
fn is_of_the_language(name: &str) -> bool {
    matches!(name, "when" | "on_failure" | "connection" | "lifecycle" | "locals" | "_")
}
