//! Bounds of a server for its clients (requests, connections, memory), lowered from `mcp.*`.
//!
//! May not know a protocol: the server enforces these bounds.

use super::Settings;
use std::time::Duration;

/// The bounds of a server's own pipes and connections.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ServerBounds {
    /// Requests of one client that are worked on at the same time.
    pub requests: usize,
    /// Bytes of one request.
    pub request_bytes: usize,
    /// Bytes of answers that may wait for a client to read them.
    pub answers_bytes: usize,
    /// Connections at the same time.
    pub connections: usize,
    /// How long the head of a request may take, and a connection may be idle.
    pub header_time: Duration,
    /// How long the body of a request may take.
    pub body_time: Duration,
}

impl Default for ServerBounds {
    /// What is built in.
    fn default() -> Self {
        Settings::built_in().server_bounds()
    }
}

impl Settings {
    /// The bounds of a server.
    pub fn server_bounds(&self) -> ServerBounds {
        let number = |name| self.number(name).unwrap_or_default();
        let size = |name| usize::try_from(number(name)).unwrap_or(usize::MAX);
        ServerBounds {
            requests: size("mcp.requests"),
            request_bytes: size("mcp.request_bytes"),
            answers_bytes: size("mcp.answers_bytes"),
            connections: size("mcp.connections"),
            header_time: Duration::from_millis(number("mcp.header_timeout_ms")),
            body_time: Duration::from_millis(number("mcp.body_timeout_ms")),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_built_in_has_room_for_work_and_an_end() {
        let bounds = ServerBounds::default();
        assert!(bounds.requests >= 100, "a hundred commands at once are promised");
        assert_eq!((bounds.request_bytes, bounds.answers_bytes), (16 << 20, 8 << 20));
        assert_eq!(bounds.connections, 256);
        assert!(bounds.header_time > Duration::ZERO && bounds.body_time > Duration::ZERO);
    }
}
