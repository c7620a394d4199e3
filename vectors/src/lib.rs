//! Official known-answer files, verbatim, with their provenance and parsers.
