//! What a text wants put into it: files, patterns, addresses, what providers say, what commands print. May not fetch any of it.
