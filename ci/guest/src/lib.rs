//! The kernels of Vambrace as subjects of its harness.
