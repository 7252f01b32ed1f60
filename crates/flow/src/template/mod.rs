//! Liquid templates: which names they read, and what they become. May not look anything up by itself.
