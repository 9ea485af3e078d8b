//! Finding the schema of a resource by the provider address that a plan gives.

use super::{ProviderSchema, ProviderSchemas, Schema};

impl ProviderSchemas {
    /// The schema of a managed resource type.
    pub fn resource(&self, provider: &str, ty: &str) -> Option<&Schema> {
        self.find(provider, |schemas| schemas.resource_schemas.get(ty))
    }

    /// The schema of a data source type.
    pub fn data_source(&self, provider: &str, ty: &str) -> Option<&Schema> {
        self.find(provider, |schemas| schemas.data_source_schemas.get(ty))
    }

    /// The schema of an ephemeral resource type.
    pub fn ephemeral_resource(&self, provider: &str, ty: &str) -> Option<&Schema> {
        self.find(provider, |schemas| schemas.ephemeral_resource_schemas.get(ty))
    }

    /// The provider of this very address; else one of the same name at another registry (`registry.opentofu.org`
    /// for `registry.terraform.io`); else, for a bare name as Terraform 0.12 writes it (`aws`), one whose address
    /// ends so.
    fn find<'s>(
        &'s self,
        provider: &str,
        schema: impl Fn(&'s ProviderSchema) -> Option<&'s Schema>,
    ) -> Option<&'s Schema> {
        if let Some(found) = self.providers.get(provider).and_then(&schema) {
            return Some(found);
        }
        let wanted = match provider.split_once('/') {
            Some((_, name)) => name,
            None => provider,
        };
        let alike = |address: &&'s String| {
            let rest = address.strip_suffix(wanted);
            rest.is_some_and(|rest| rest.is_empty() || rest.ends_with('/'))
                || tail(provider) == address.as_str()
        };
        self.providers.iter().filter(|(address, _)| alike(address)).find_map(|(_, found)| schema(found))
    }
}

/// The last part of an address.
fn tail(address: &str) -> &str {
    address.rsplit_once('/').map_or(address, |(_, name)| name)
}
