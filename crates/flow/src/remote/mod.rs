//! Files that lie elsewhere: where their text is, and whether it is trusted. May not fetch it.
