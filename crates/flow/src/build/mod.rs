//! The builder: front matter, body and arguments become a command. May not look at the host.
