use super::Options;
use crate::diagnostic::Severity;

fn read(arguments: &str) -> Result<Options, String> {
    Options::read(arguments.split(' ').map(Into::into).collect())
}

#[test]
fn options_stand_before_the_provider_and_its_arguments_after_it() {
    let options = read(
        "--assume a --no-catalogue --assume b --check class-b --send class-b --on-broken error -- p --record x",
    );
    let options = options.expect("valid arguments");
    assert_eq!(options.assume.len(), 2);
    assert_eq!((options.catalogue, options.check_class_b, options.on_broken), (false, true, Severity::Error));
    assert!(options.send_class_b);
    assert_eq!((options.record, options.arguments.len()), (None, 2));
}

#[test]
fn mistakes_are_named() {
    for (arguments, expected) in [
        ("--", "usage: plantime-proxy"),
        ("provider", "unknown option \"provider\""),
        ("--assume", "--assume needs a value"),
        ("--check all -- p", "--check takes class-b, not \"all\""),
        ("--on-broken panic -- p", "--on-broken takes error or warning, not \"panic\""),
        ("--provider aws -- p", "--provider takes NAMESPACE/NAME, not \"aws\""),
    ] {
        let error = read(arguments).expect_err(arguments);
        assert!(error.starts_with(expected), "{error}");
    }
}

#[test]
fn the_address_is_named_or_told_by_the_folders_of_a_mirror() {
    let mirror = "-- /m/registry.terraform.io/hashicorp/aws/5.1.0/linux_amd64/terraform-provider-aws";
    let options = read(mirror).expect("valid arguments");
    assert_eq!(options.address().as_deref(), Some("registry.terraform.io/hashicorp/aws"));
    assert_eq!(options.version().as_deref(), Some("5.1.0"));
    let fork = read(&format!("--provider acme/aws {mirror}")).expect("valid arguments");
    assert_eq!(fork.address().as_deref(), Some("registry.terraform.io/acme/aws"));
    assert_eq!(read("-- /usr/bin/terraform-provider-aws").expect("valid arguments").address(), None);
}
