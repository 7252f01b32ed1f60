//! Which command a file is for. May not look whether it exists.
