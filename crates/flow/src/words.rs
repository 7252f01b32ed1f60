//! What stands after the file on the command line: ours, the file's variables, and what is passed on. May not ask anybody.
