//! Checks of whole answers about known tools.
