//! Fixture programs and stand-ins for tests.
