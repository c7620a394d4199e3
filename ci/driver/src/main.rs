//! The host side of the harness.

fn main() {}
