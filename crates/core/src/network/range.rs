//! A range of addresses: those that share their first bits. May not mix the two families: an address of IPv4 is in no
//! range of IPv6, however it is written.

use std::fmt;
use std::net::IpAddr;

/// The addresses whose first bits are those of a base.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub(super) struct AddressRange {
    base: IpAddr,
    prefix: u8,
}

impl AddressRange {
    /// A range whose base is known to have no bits behind the prefix.
    pub(super) const fn of(base: IpAddr, prefix: u8) -> Self {
        Self { base, prefix }
    }

    /// One address.
    pub(super) fn one(address: IpAddr) -> Self {
        Self { base: address, prefix: width(address) }
    }

    /// The range that begins with this address, if it can, or the one that it lies in.
    ///
    /// The prefix has at most as many bits as the address.
    pub(super) fn starting(base: IpAddr, prefix: u8) -> Result<Self, AddressRange> {
        let range = Self { base: kept(base, prefix), prefix };
        if range.base == base { Ok(range) } else { Err(range) }
    }

    /// Its only address, if it has one only.
    pub(super) fn only(&self) -> Option<IpAddr> {
        (self.prefix == width(self.base)).then_some(self.base)
    }

    /// Its first address, and how many bits all of them share.
    pub(super) fn parts(&self) -> (IpAddr, u8) {
        (self.base, self.prefix)
    }

    /// Whether the address is in it.
    pub(super) fn contains(&self, address: IpAddr) -> bool {
        address.is_ipv4() == self.base.is_ipv4() && kept(address, self.prefix) == self.base
    }

    /// Whether every address of the other is in it.
    pub(super) fn covers(&self, other: &AddressRange) -> bool {
        self.prefix <= other.prefix && self.contains(other.base)
    }

    /// Whether they share an address.
    pub(super) fn overlaps(&self, other: &AddressRange) -> bool {
        self.covers(other) || other.covers(self)
    }
}

const fn width(address: IpAddr) -> u8 {
    if address.is_ipv4() { 32 } else { 128 }
}

/// The address with nothing but its first bits.
fn kept(address: IpAddr, prefix: u8) -> IpAddr {
    match address {
        IpAddr::V4(v4) => {
            let rest = 32u32.saturating_sub(prefix.into());
            let mask = u32::MAX.checked_shl(rest).unwrap_or(0);
            IpAddr::V4((v4.to_bits() & mask).into())
        }
        IpAddr::V6(v6) => {
            let rest = 128u32.saturating_sub(prefix.into());
            let mask = u128::MAX.checked_shl(rest).unwrap_or(0);
            IpAddr::V6((v6.to_bits() & mask).into())
        }
    }
}

impl fmt::Display for AddressRange {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match (self.base, self.prefix) {
            (IpAddr::V4(base), 32) => write!(f, "{base}"),
            (IpAddr::V6(base), 128) => write!(f, "[{base}]"),
            (IpAddr::V4(base), prefix) => write!(f, "{base}/{prefix}"),
            (IpAddr::V6(base), prefix) => write!(f, "[{base}/{prefix}]"),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    fn range(base: &str, prefix: u8) -> AddressRange {
        AddressRange::starting(base.parse().unwrap(), prefix).unwrap()
    }

    #[test]
    fn families_are_never_mixed() {
        assert!(range("0.0.0.0", 0).contains("255.1.2.3".parse().unwrap()));
        assert!(!range("0.0.0.0", 0).contains("::ffff:1.2.3.4".parse().unwrap()));
        assert!(!range("::", 0).contains("1.2.3.4".parse().unwrap()));
        assert!(!range("::", 0).overlaps(&range("0.0.0.0", 0)));
    }

    #[test]
    fn a_base_with_bits_behind_its_prefix_begins_no_range() {
        let lies_in = AddressRange::starting("10.0.0.5".parse().unwrap(), 24).unwrap_err();
        assert_eq!(lies_in.to_string(), "10.0.0.0/24");
        assert_eq!(range("2001:db8::", 32).to_string(), "[2001:db8::/32]");
        assert_eq!(AddressRange::one("::2".parse().unwrap()).to_string(), "[::2]");
    }

    proptest! {
        #[test]
        fn a_range_has_the_addresses_that_share_its_bits(a: u32, b: u32, prefix in 0u8..=32) {
            let range = match AddressRange::starting(IpAddr::V4(a.into()), prefix) { Ok(it) | Err(it) => it };
            let same = prefix == 0 || (a ^ b) >> (32 - u32::from(prefix)) == 0;
            prop_assert_eq!(range.contains(IpAddr::V4(b.into())), same);
            prop_assert!(range.covers(&AddressRange::one(IpAddr::V4(a.into()))));
        }
    }
}
