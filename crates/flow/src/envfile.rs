//! Variables in `.env` files. May not read a file or the environment.
