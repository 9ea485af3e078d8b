//! Providers: whether two addresses name the same one, and the order of versions.

/// The registries whose providers are the same.
const REGISTRIES: [&str; 2] = ["registry.terraform.io/", "registry.opentofu.org/"];

/// The namespace of the providers that Terraform 0.12 names without one.
const OFFICIAL: &str = "hashicorp/";

/// Whether the provider that a fact names (`stated`) is the one with this address in a plan.
pub(crate) fn is_same_provider(stated: &str, address: &str) -> bool {
    let (stated, address) = (without_registry(stated), without_registry(address));
    stated == address || (!address.contains('/') && stated.strip_prefix(OFFICIAL) == Some(address))
}

/// The address without the host of the public registries.
fn without_registry(address: &str) -> &str {
    REGISTRIES.iter().find_map(|registry| address.strip_prefix(registry)).unwrap_or(address)
}

/// Whether a version is at least another, both of numbers between dots. A suffix behind the numbers is ignored: a
/// pre-release of 3.0.0 behaves as 3.0.0.
pub(crate) fn is_at_least(version: &str, least: &str) -> bool {
    let (mut version, mut least) = (numbers(version), numbers(least));
    loop {
        match (version.next(), least.next()) {
            (_, None) => return true,
            (own, Some(other)) => match own.unwrap_or(0).cmp(&other) {
                std::cmp::Ordering::Equal => {}
                order => return order.is_gt(),
            },
        }
    }
}

/// The numbers of a version.
fn numbers(version: &str) -> impl Iterator<Item = u64> {
    let plain = version.split(['-', '+']).next().unwrap_or_default();
    plain.split('.').map(|number| number.parse().unwrap_or(0))
}
