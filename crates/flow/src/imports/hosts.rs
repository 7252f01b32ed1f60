//! Which hosts may be asked. May not ask any, nor say which addresses are addresses: that is [`crate::remote::Address`].

use crate::remote::bracketed;

/// Hosts that may be asked, and hosts that may not.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Hosts {
    /// If there are any, no other host is asked. `*.example.com` is every host below `example.com`.
    pub allow: Vec<String>,
    /// Never asked, nor is any host below one of them.
    pub block: Vec<String>,
}

impl Hosts {
    /// Why this host may not be asked, as the end of a sentence.
    pub fn objection(&self, host: &str) -> Option<String> {
        let host = bracketed(host).unwrap_or(host);
        if self.block.iter().any(|entry| is_or_below(host, entry)) {
            return Some(format!("is on a blocked host, `{host}`"));
        }
        if !self.allow.is_empty() && !self.allow.iter().any(|entry| allows(entry, host)) {
            return Some(format!("is on a host that is not allowed, `{host}`"));
        }
        None
    }
}

fn is_or_below(host: &str, entry: &str) -> bool {
    let entry = normal(entry.trim_start_matches("*."));
    host == entry || host.strip_suffix(&entry).is_some_and(|front| front.ends_with('.'))
}

fn allows(entry: &str, host: &str) -> bool {
    match entry.strip_prefix("*.") {
        Some(above) => is_or_below(host, above) && host != normal(above),
        None => host == normal(entry),
    }
}

fn normal(entry: &str) -> String {
    entry.trim_end_matches('.').to_ascii_lowercase()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::remote::Address;

    fn hosts(allow: &[&str], block: &[&str]) -> Hosts {
        let list = |names: &[&str]| names.iter().map(|name| (*name).to_owned()).collect();
        Hosts { allow: list(allow), block: list(block) }
    }

    fn is_free(address: &str, hosts: &Hosts) -> bool {
        hosts.objection(Address::parse(address).unwrap().0.host()).is_none()
    }

    #[test]
    fn a_block_list_reaches_below_its_hosts() {
        let hosts = hosts(&[], &["Evil.org", "::1"]);
        for address in ["https://evil.org/a", "https://a.EVIL.org./", "http://[::1]:80/"] {
            assert!(!is_free(address, &hosts), "{address}");
        }
        assert!(is_free("https://notevil.org/", &hosts));
    }

    #[test]
    fn an_allow_list_names_all_hosts_there_are() {
        let hosts = hosts(&["good.org", "*.docs.org"], &["x.docs.org"]);
        assert!(is_free("https://good.org", &hosts));
        assert!(is_free("https://a.docs.org", &hosts));
        for address in ["https://a.good.org", "https://docs.org", "https://x.docs.org", "https://else.org"] {
            assert!(!is_free(address, &hosts), "{address}");
        }
    }
}
