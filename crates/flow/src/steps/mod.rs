//! Steps that depend on each other: their order, and what may run at once. May not run them.
