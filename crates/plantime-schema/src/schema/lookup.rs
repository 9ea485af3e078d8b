//! Finds the schema of a resource by the provider address in a plan.

use plantime::Result;

use super::on_demand::schema_of;
use super::{ProviderSchema, ProviderSchemas, Schema};

impl ProviderSchemas {
    /// The schema of a managed resource type; `None` if there is none, or if it is read on demand and cannot be read.
    ///
    /// ```
    /// use plantime_schema::ProviderSchemas;
    ///
    /// let file = br#"{"provider_schemas": {"registry.terraform.io/hashicorp/random": {
    ///     "resource_schemas": {"random_id": {"block": {}}}}}}"#;
    /// let schemas = ProviderSchemas::from_json(file)?;
    /// assert!(schemas.resource("registry.terraform.io/hashicorp/random", "random_id").is_some());
    /// // The same provider at the registry of OpenTofu.
    /// assert!(schemas.resource("registry.opentofu.org/hashicorp/random", "random_id").is_some());
    /// assert!(schemas.resource("registry.terraform.io/hashicorp/random", "random_pet").is_none());
    /// # Ok::<(), plantime::Error>(())
    /// ```
    pub fn resource(&self, provider: &str, ty: &str) -> Option<&Schema> {
        self.read_resource(provider, ty).ok().flatten()
    }

    /// The schema of a data source type; `None` if there is none, or if it is read on demand and cannot be read.
    ///
    /// ```
    /// use plantime_schema::ProviderSchemas;
    ///
    /// let file = br#"{"provider_schemas": {"hashicorp/aws": {"data_source_schemas": {"aws_ami": {"block": {}}}}}}"#;
    /// let schemas = ProviderSchemas::from_json(file)?;
    /// assert!(schemas.data_source("hashicorp/aws", "aws_ami").is_some());
    /// assert!(schemas.resource("hashicorp/aws", "aws_ami").is_none());
    /// # Ok::<(), plantime::Error>(())
    /// ```
    pub fn data_source(&self, provider: &str, ty: &str) -> Option<&Schema> {
        self.read_data_source(provider, ty).ok().flatten()
    }

    /// The schema of an ephemeral resource type; `None` if there is none, or if it is read on demand and cannot be read.
    ///
    /// [Example](ProviderSchemas::data_source)
    pub fn ephemeral_resource(&self, provider: &str, ty: &str) -> Option<&Schema> {
        self.read_ephemeral_resource(provider, ty).ok().flatten()
    }

    /// The schema of an action type; `None` if there is none.
    #[doc(hidden)]
    pub fn action(&self, provider: &str, ty: &str) -> Option<&Schema> {
        self.find(provider, |found| Ok(found.action_schemas.get(ty))).ok().flatten()
    }

    /// The schemas of the provider that an address means: the first of [`candidates`](ProviderSchemas::candidates).
    #[doc(hidden)]
    pub fn provider(&self, provider: &str) -> Option<&ProviderSchema> {
        self.candidates(provider).next()
    }

    /// The schema of a managed resource type; `None` if there is none, an error if it is read on demand and cannot be
    /// read.
    #[doc(hidden)]
    pub fn read_resource(&self, provider: &str, ty: &str) -> Result<Option<&Schema>> {
        self.find(provider, |found| schema_of(&found.resource_schemas, &found.unread.resources, ty))
    }

    /// The schema of a data source type; `None` if there is none, an error if it is read on demand and cannot be
    /// read.
    #[doc(hidden)]
    pub fn read_data_source(&self, provider: &str, ty: &str) -> Result<Option<&Schema>> {
        self.find(provider, |found| schema_of(&found.data_source_schemas, &found.unread.data_sources, ty))
    }

    /// The schema of an ephemeral resource type; `None` if there is none, an error if it is read on demand and cannot
    /// be read.
    #[doc(hidden)]
    pub fn read_ephemeral_resource(&self, provider: &str, ty: &str) -> Result<Option<&Schema>> {
        self.find(provider, |found| {
            schema_of(&found.ephemeral_resource_schemas, &found.unread.ephemeral_resources, ty)
        })
    }

    /// The first schema that `schema` returns for one of the [`candidates`](ProviderSchemas::candidates).
    fn find<'s>(
        &'s self,
        provider: &str,
        schema: impl Fn(&'s ProviderSchema) -> Result<Option<&'s Schema>>,
    ) -> Result<Option<&'s Schema>> {
        self.candidates(provider).map(schema).find_map(Result::transpose).transpose()
    }

    /// The providers that an address may mean: the one with this address; then those with the same name in another registry
    /// (`registry.opentofu.org` for `registry.terraform.io`), or, for a bare name as Terraform 0.12 writes it (`aws`), those
    /// whose address ends with the name.
    fn candidates<'s>(&'s self, provider: &str) -> impl Iterator<Item = &'s ProviderSchema> {
        let (_, wanted) = provider.split_once('/').unwrap_or(("", provider));
        let has_same_name = move |address: &str| {
            let rest = address.strip_suffix(wanted);
            rest.is_some_and(|rest| rest.is_empty() || rest.ends_with('/'))
                || last_segment(provider) == address
        };
        let others = self.providers.iter().filter(move |(address, _)| has_same_name(address));
        self.providers.get(provider).into_iter().chain(others.map(|(_, found)| found))
    }
}

/// The part of a provider address after its last `/`.
fn last_segment(address: &str) -> &str {
    address.rsplit_once('/').map_or(address, |(_, name)| name)
}
