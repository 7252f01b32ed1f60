//! What is told while a file runs, one JSON object per line. May not write it anywhere.
