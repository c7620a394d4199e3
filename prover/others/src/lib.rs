//! Nothing but what it depends on: the archives that the build scripts of those crates make.
