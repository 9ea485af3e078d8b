//! The new states that Terraform's core proposed to a provider.

use plantime::View;
use plantime_schema::planning::proposed_new;

use super::recorded::{Recorded, recorded};

#[test]
fn recorded_proposals_are_proposed() {
    let (mut count, mut updates) = (0, 0);
    recorded(&mut |call: &Recorded<'_>| {
        let (Some(prior), Some(config)) = (call.value("prior_state"), call.value("config")) else { return };
        let Some(proposed) = call.value("proposed_new_state") else { return };
        assert_eq!(proposed_new(call.schema.block(), &prior, &config).as_ref(), Ok(&proposed));
        count += 1;
        updates += usize::from(!matches!(prior.view(), View::Null(_)));
    });
    println!("{count} proposals are the recorded ones, {updates} of them with a prior state");
}
