//! The official client of another language, which nobody here wrote.
