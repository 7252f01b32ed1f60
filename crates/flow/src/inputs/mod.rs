//! Typed inputs: what a file wants to be told, and whether a value will do. May not ask anybody.
