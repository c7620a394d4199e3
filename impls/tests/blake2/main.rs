//! BLAKE2b, BLAKE2s and their trees as their users call them.

mod digests;
mod expected;
mod function;
mod refusals;
mod running;
mod states;
#[path = "../support/mod.rs"]
mod support;
mod tags;
mod types;
