//! A markdown file taken apart: front matter, body, and where each stands. May not read a file.
