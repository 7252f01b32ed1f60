//! Where a file may lie that was named on the command line. May not look.
