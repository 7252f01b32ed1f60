//! Which addresses are of the internet at large, and which are of this machine, this network, or of nobody.
//!
//! May not look anything up: the addresses of this host are an argument.

use super::range::AddressRange;
use std::net::{IpAddr, Ipv4Addr, Ipv6Addr};

const fn v4(a: u8, b: u8, c: u8, prefix: u8) -> AddressRange {
    AddressRange::of(IpAddr::V4(Ipv4Addr::new(a, b, c, 0)), prefix)
}

const fn v6(a: u16, b: u16, c: u16, prefix: u8) -> AddressRange {
    AddressRange::of(IpAddr::V6(Ipv6Addr::new(a, b, c, 0, 0, 0, 0, 0)), prefix)
}

/// Of this machine, of private networks, of links, of nobody, of groups. Of IPv6 also whatever carries an IPv4 address
/// inside: it may be led to a private one.
const NOT_PUBLIC: &[AddressRange] = &[
    v4(0, 0, 0, 8),
    v4(10, 0, 0, 8),
    v4(100, 64, 0, 10),
    v4(127, 0, 0, 8),
    v4(169, 254, 0, 16),
    v4(172, 16, 0, 12),
    v4(192, 0, 0, 24),
    v4(192, 88, 99, 24),
    v4(192, 168, 0, 16),
    v4(198, 18, 0, 15),
    v4(224, 0, 0, 4),
    v4(240, 0, 0, 4),
    // ::, ::1, and addresses of IPv4 in the last four bytes.
    v6(0, 0, 0, 96),
    AddressRange::of(IpAddr::V6(Ipv6Addr::new(0, 0, 0, 0, 0, 0xffff, 0, 0)), 96),
    AddressRange::of(IpAddr::V6(Ipv6Addr::new(0, 0, 0, 0, 0xffff, 0, 0, 0)), 96),
    v6(0x64, 0xff9b, 0, 96),
    v6(0x64, 0xff9b, 1, 48),
    v6(0x100, 0, 0, 64),
    v6(0x2001, 0, 0, 32),
    v6(0x2002, 0, 0, 16),
    v6(0xfc00, 0, 0, 7),
    v6(0xfe80, 0, 0, 10),
    v6(0xfec0, 0, 0, 10),
    v6(0xff00, 0, 0, 8),
];

/// Whether an address is of the internet at large, and none of this host's own.
///
/// ```
/// use runward_core::network::is_public_address;
/// assert!(is_public_address("140.82.121.4".parse().unwrap(), &[]));
/// assert!(!is_public_address("169.254.169.254".parse().unwrap(), &[]));
/// ```
pub fn is_public_address(address: IpAddr, own: &[IpAddr]) -> bool {
    !own.contains(&address) && !NOT_PUBLIC.iter().any(|range| range.contains(address))
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    fn is_public(text: &str) -> bool {
        is_public_address(text.parse().unwrap(), &[])
    }

    #[test]
    fn the_ends_of_every_range_are_inside_and_their_neighbours_are_not() {
        let inside = [
            "0.0.0.0",
            "0.255.255.255",
            "10.0.0.0",
            "10.255.255.255",
            "100.64.0.0",
            "100.127.255.255",
            "127.0.0.1",
            "127.255.255.255",
            "169.254.0.0",
            "169.254.169.254",
            "169.254.255.255",
            "172.16.0.0",
            "172.31.255.255",
            "192.0.0.0",
            "192.0.0.255",
            "192.168.0.0",
            "192.168.255.255",
            "198.18.0.0",
            "198.19.255.255",
            "224.0.0.1",
            "239.255.255.255",
            "240.0.0.0",
            "255.255.255.255",
        ];
        for text in inside {
            assert!(!is_public(text), "{text}");
        }
        let outside = [
            "1.0.0.0",
            "9.255.255.255",
            "11.0.0.0",
            "100.63.255.255",
            "100.128.0.0",
            "126.255.255.255",
            "128.0.0.0",
            "169.253.255.255",
            "169.255.0.0",
            "172.15.255.255",
            "172.32.0.0",
            "192.0.1.0",
            "192.167.255.255",
            "192.169.0.0",
            "198.17.255.255",
            "198.20.0.0",
            "223.255.255.255",
        ];
        for text in outside {
            assert!(is_public(text), "{text}");
        }
    }

    #[test]
    fn addresses_of_ipv6_that_lead_home_are_not_public() {
        let private = [
            "::",
            "::1",
            "::127.0.0.1",
            "::ffff:127.0.0.1",
            "::ffff:10.0.0.1",
            "::ffff:8.8.8.8",
            "::ffff:0:127.0.0.1",
            "64:ff9b::7f00:1",
            "64:ff9b::a9fe:a9fe",
            "64:ff9b:1::1",
            "2002:7f00:1::",
            "2001::1",
            "fc00::1",
            "fd00::1",
            "fdff:ffff::",
            "fe80::1",
            "febf::1",
            "fec0::1",
            "ff02::1",
            "100::1",
        ];
        for text in private {
            assert!(!is_public(text), "{text}");
        }
        for text in ["2606:4700::1111", "2a00:1450:4001::200e", "2001:4860:4860::8888", "2001:db8::1"] {
            assert!(is_public(text), "{text}");
        }
    }

    #[test]
    fn an_address_of_this_host_is_not_public() {
        let own: IpAddr = "203.0.113.7".parse().unwrap();
        assert!(is_public_address(own, &[]) && !is_public_address(own, &[own]));
    }

    proptest! {
        #[test]
        fn no_form_of_ipv6_makes_an_address_of_ipv4_public(bits: u32) {
            let v4 = Ipv4Addr::from_bits(bits);
            prop_assert!(!is_public_address(v4.to_ipv6_mapped().into(), &[]));
            prop_assert!(!is_public_address(v4.to_ipv6_compatible().into(), &[]));
        }
    }
}
