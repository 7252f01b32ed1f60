//! macOS: a process group and a walk of the tree.
