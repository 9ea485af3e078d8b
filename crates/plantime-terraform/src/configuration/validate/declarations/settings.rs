//! Checks the settings of a module: the blocks `terraform` and `provider`.

use super::{File, NAME, is_identifier};
use crate::configuration::module::constant;
use crate::configuration::validate::constants::{check_constant, constant_problems, text_of_constant};
use crate::configuration::validate::required_providers::{check_required_providers, local_name_problem};
use crate::configuration::validate::version::{excludes_every_version, is_version_constraint, prerelease};
use plantime::Type;
use plantime_hcl::Block;
use plantime_hcl::Diagnostic;

impl File<'_, '_> {
    /// The backend and the version that a `terraform` block asks for.
    pub(super) fn settings(&mut self, block: &Block) {
        for backend in block.body.blocks_of(&block.source, "backend", 1) {
            let at = block.source.range_text(backend.head());
            if let Some(before) = self.declare("backend", "", at) {
                let detail = format!(
                    "A module may have only one backend configuration. The backend was previously configured at {before}."
                );
                self.report(&block.source, backend.head(), "Duplicate backend configuration", detail);
            }
        }
        for cloud in block.body.blocks_of(&block.source, "cloud", 0) {
            let at = block.source.range_text(cloud.head());
            if let Some(before) = self.declare("cloud", "", at) {
                let detail = format!(
                    "A module may have only one 'cloud' block configuring HCP Terraform or Terraform Enterprise. The 'cloud' \
                     block was previously configured at {before}."
                );
                let summary = "Duplicate HCP Terraform configurations";
                self.report(&block.source, cloud.head(), summary, detail);
            }
        }
        let cloud = block.body.blocks_of(&block.source, "cloud", 0).into_iter().next();
        let backend = block.body.blocks_of(&block.source, "backend", 1).into_iter().next();
        if let (Some(cloud), Some(backend)) = (cloud, backend) {
            // The words are those of Terraform.
            let detail = format!(
                "A module may declare either one 'cloud' block OR one 'backend' block configuring a state backend. The 'cloud' \
                 block is configured at {}; a backend is configured at {}. Remove the backend block to configure HCP Terraform or \
                 Terraform Enteprise.",
                block.source.range_text(cloud.head()),
                block.source.range_text(backend.head())
            );
            let summary = "Both a backend and cloud configuration are present";
            self.report(&block.source, backend.head(), summary, detail);
        }
        if let Some(argument) = block.body.argument("language")
            && argument.expression.as_reference().is_none()
            && !block.source.name().ends_with(".json")
        {
            let detail = "The language argument expects a bare language edition keyword. Terraform 1.11.4 supports only language \
                          edition TF2021, which is the default.";
            let span = argument.expression.span();
            self.report(&block.source, span, "Invalid language edition", detail.to_owned());
        }
        if let Some(argument) = block.body.argument("experiments") {
            let detail = "Experimental features are intended only for gathering early feedback on new language designs, and so \
                          are available only in alpha releases of Terraform.";
            let summary = "Module uses experimental features";
            self.report(&block.source, argument.span.clone(), summary, detail.to_owned());
        }
        for meta in block.body.blocks_of(&block.source, "provider_meta", 1) {
            let Some(name) = meta.labels.first() else { continue };
            if let Some(detail) = local_name_problem(name) {
                self.report(&block.source, meta.head(), "Invalid provider local name", detail);
            }
            let at = block.source.range_text(meta.head());
            if let Some(before) = self.declare("provider_meta", name, at) {
                let detail = format!(
                    "A provider_meta block for provider {name:?} was already declared at {before}. Providers may only have \
                     one provider_meta block per module."
                );
                self.report(&block.source, meta.head(), "Duplicate provider_meta block", detail);
            }
        }
        let Some(argument) = block.body.argument("required_version") else { return };
        self.problems.extend(constant_problems(&argument.expression));
        let Some(text) = text_of_constant(&argument.expression) else {
            let value = constant(&argument.expression);
            if value.is_known() && !value.is_null() && constant_problems(&argument.expression).is_empty() {
                let detail = "A string value is required for required_version.";
                let span = argument.expression.span();
                self.report(&block.source, span, "Invalid version constraint", detail.to_owned());
            }
            return;
        };
        if !is_version_constraint(&text) {
            let detail = "This string does not use correct version constraint syntax.";
            let span = argument.expression.span();
            self.report(&block.source, span, "Invalid version constraint", detail.to_owned());
        } else if let Some(condition) = prerelease(&text) {
            let detail = format!(
                "Prerelease version constraints are not supported: {condition}. Remove the prerelease information from the \
                 constraint. Prerelease versions of terraform will match constraints using their version core only."
            );
            self.report(&block.source, argument.span.clone(), "Invalid required_version constraint", detail);
        } else if excludes_every_version(&text) {
            let detail = "This configuration does not support Terraform version 1.11.4. To proceed, either choose another \
                          supported Terraform version or update this version constraint. Version constraints are normally \
                          set for good reason, so updating the constraint may lead to other errors or unexpected behavior.";
            let summary = "Unsupported Terraform Core version";
            self.report(&block.source, argument.span.clone(), summary, detail.to_owned());
        }
    }

    /// Checks a `required_providers` block, of which a module may have one.
    pub(super) fn required_providers(&mut self, block: &Block) {
        let at = block.source.range_text(block.head());
        if let Some(before) = self.declare("required_providers", "", at) {
            let detail = format!(
                "A module may have only one required providers configuration. The required providers were \
                 previously configured at {before}."
            );
            let summary = "Duplicate required providers configuration";
            self.report(&block.source, block.head(), summary, detail);
        }
        check_required_providers(block, self.problems);
    }

    /// Checks a provider configuration: reserved arguments, its alias, a second one without alias.
    pub(super) fn provider(&mut self, block: &Block) {
        let Some(name) = block.labels.first() else { return };
        if let Some(detail) = local_name_problem(name) {
            self.report(&block.source, block.head(), "Invalid provider local name", detail);
        }
        self.single_escape(block, "provider", "provider");
        let is_reserved =
            |inner: &&Block| matches!(&*inner.kind, "lifecycle" | "locals") && inner.labels.is_empty();
        for reserved in block.body.blocks.iter().filter(is_reserved) {
            let detail = format!(
                "The block type name {:?} is reserved for use by Terraform in a future version.",
                reserved.kind
            );
            let summary = "Reserved block type name in provider block";
            self.report(&block.source, reserved.span.clone(), summary, detail);
        }
        for reserved in ["count", "depends_on", "for_each", "source"] {
            let Some(argument) = block.body.argument(reserved) else { continue };
            let detail = format!(
                "The provider argument name {reserved:?} is reserved for use by Terraform in a future version."
            );
            let summary = "Reserved argument name in provider block";
            self.report(&block.source, argument.span.clone(), summary, detail);
        }
        check_constant(&block.body, "alias", &Type::String, self.problems);
        let alias = block.body.argument("alias").and_then(|alias| text_of_constant(&alias.expression));
        if let Some(argument) = block
            .body
            .argument("alias")
            .filter(|argument| !constant(&argument.expression).is_null())
            .filter(|_| alias.as_deref().is_none_or(|alias| !is_identifier(alias)))
        {
            let detail = format!("An alias must be a valid name. {NAME}");
            let summary = "Invalid provider configuration alias";
            let (source, span) = (&block.source, argument.expression.span());
            self.problems.push(Diagnostic::new(source, span, summary, detail).as_global());
        }
        let key = format!("{name}.{}", alias.as_deref().unwrap_or_default());
        if let Some(alias) = alias.as_deref().filter(|_| self.overrides)
            && !self.declarations.places.contains_key(&("provider", key.clone()))
        {
            let detail = format!(
                "There is no {name} provider configuration with the alias {alias:?}. An override file can only override an aliased \
                 provider configuration that was already defined in a primary configuration file."
            );
            let summary = "Missing base provider configuration for override";
            self.report(&block.source, block.head(), summary, detail);
        }
        let at = block.source.range_text(block.head());
        let Some(before) = self.declare("provider", &key, at) else { return };
        let detail = match alias {
            None => format!(
                "A default (non-aliased) provider configuration for {name:?} was already given at {before}. If \
                 multiple configurations are required, set the \"alias\" argument for alternative configurations."
            ),
            Some(alias) => format!(
                "A provider configuration for {name:?} with alias {alias:?} was already given at {before}. Each \
                 configuration for the same provider must have a distinct alias."
            ),
        };
        self.report(&block.source, block.head(), "Duplicate provider configuration", detail);
    }
}
