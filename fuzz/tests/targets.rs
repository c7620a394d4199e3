//! The list of targets follows the kernel table.

use std::collections::BTreeSet;

use vambrace::kernels;

#[test]
fn there_is_one_target_for_each_algorithm_and_tier() {
    let manifest: toml::Table = include_str!("../Cargo.toml").parse().unwrap();
    let mut targets: BTreeSet<String> =
        manifest["bin"].as_array().unwrap().iter().map(|bin| bin["name"].as_str().unwrap().to_owned()).collect();
    assert!(targets.remove("planted_defect"), "the target with a defect is gone");

    let kernels: BTreeSet<String> = kernels::ALL
        .iter()
        .copied()
        .flatten()
        .map(|kernel| format!("{}_{}", kernel.contract.algorithm.replace('-', "_"), kernel.tier))
        .collect();
    assert_eq!(targets, kernels, "targets of fuzz/Cargo.toml (left) and kernels (right)");
}
