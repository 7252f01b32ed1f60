//! A markdown agent is run: what it wants is fetched, what it runs travels the road. The only part that looks at the world.

pub mod gather;
pub mod road;
