//! The server as a client meets it.
