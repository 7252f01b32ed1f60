//! Whose word counts: built in, user, project, front matter, command line; each value with where it came from.
