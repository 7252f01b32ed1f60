//! Which addresses may be read, and where a redirect leads. May not read any.

use std::net::{IpAddr, Ipv6Addr};

/// Hosts that may be asked, and hosts that may not.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Hosts {
    /// If there are any, no other host is asked. `*.example.com` is every host below `example.com`.
    pub allow: Vec<String>,
    /// Never asked, nor is any host below one of them.
    pub block: Vec<String>,
}

/// An address in its parts.
struct Parts<'a> {
    secure: bool,
    /// Host and port, as written.
    authority: &'a str,
    host: String,
    /// From the first slash on.
    path: &'a str,
}

/// Why an address may not be read, as the end of a sentence.
pub fn objection(address: &str, hosts: &Hosts) -> Option<String> {
    let Some(parts) = parts(address) else { return Some("is not an address of the web".to_owned()) };
    if parts.authority.contains('@') {
        return Some("has a name or a password in it".to_owned());
    }
    if !parts.secure && !is_loopback(&parts.host) {
        return Some("is not encrypted: `http` is for this machine only".to_owned());
    }
    if hosts.block.iter().any(|entry| is_or_below(&parts.host, entry)) {
        return Some(format!("is on a blocked host, `{}`", parts.host));
    }
    if !hosts.allow.is_empty() && !hosts.allow.iter().any(|entry| allows(entry, &parts.host)) {
        return Some(format!("is on a host that is not allowed, `{}`", parts.host));
    }
    None
}

/// Whether the address is one of this machine.
pub fn is_local(address: &str) -> bool {
    parts(address).is_some_and(|parts| is_loopback(&parts.host))
}

/// Where a redirect from one address leads.
pub fn redirected(from: &str, to: &str) -> Option<String> {
    let parts = parts(from)?;
    let scheme = if parts.secure { "https:" } else { "http:" };
    if to.starts_with("//") {
        return Some(format!("{scheme}{to}"));
    }
    let has_scheme = to.split(['/', '?', '#']).next().is_some_and(|start| start.contains(':'));
    if has_scheme {
        return Some(to.to_owned());
    }
    let path = parts.path.split(['?', '#']).next().unwrap_or_default();
    let folder = path.rfind('/').map_or("/", |at| &path[..=at]);
    let target = match to.chars().next()? {
        '/' => to.to_owned(),
        '?' => format!("{path}{to}"),
        _ => format!("{folder}{to}"),
    };
    Some(format!("{scheme}//{}{target}", parts.authority))
}

fn parts(address: &str) -> Option<Parts<'_>> {
    let (scheme, rest) = address.split_once("://")?;
    let secure = match scheme.to_ascii_lowercase().as_str() {
        "https" => true,
        "http" => false,
        _ => return None,
    };
    let end = rest.find(['/', '?', '#']).unwrap_or(rest.len());
    let (authority, path) = rest.split_at(end);
    let after_user = authority.rsplit_once('@').map_or(authority, |(_, host)| host);
    let host = match after_user.strip_prefix('[') {
        Some(inner) => inner.split_once(']')?.0,
        None => after_user.split(':').next().unwrap_or_default(),
    };
    let host = host.trim_end_matches('.').to_ascii_lowercase();
    let odd = |sign: char| sign == '\\' || sign.is_whitespace() || sign.is_control();
    if host.is_empty() || address.contains(odd) {
        return None;
    }
    Some(Parts { secure, authority, host, path })
}

/// Whether a host, without brackets, is this machine.
pub(crate) fn is_loopback(host: &str) -> bool {
    match host.parse::<IpAddr>() {
        Ok(IpAddr::V4(address)) => address.is_loopback(),
        Ok(IpAddr::V6(address)) => address == Ipv6Addr::LOCALHOST,
        Err(_) => host == "localhost",
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

    fn hosts(allow: &[&str], block: &[&str]) -> Hosts {
        let list = |names: &[&str]| names.iter().map(|name| (*name).to_owned()).collect();
        Hosts { allow: list(allow), block: list(block) }
    }

    fn free(address: &str) -> bool {
        objection(address, &Hosts::default()).is_none()
    }

    #[test]
    fn an_address_is_encrypted_unless_it_is_of_this_machine() {
        for address in
            ["https://example.com", "http://localhost:1/a", "http://127.0.0.2", "http://[::1]:8080/x"]
        {
            assert!(free(address), "{address}");
        }
        for address in [
            "http://example.com",
            "http://127.0.0.1.example.com",
            "http://localhost.evil.org",
            "http://10.0.0.1",
        ] {
            assert!(!free(address), "{address}");
        }
    }

    #[test]
    fn an_address_with_a_name_or_an_odd_sign_is_refused() {
        for address in [
            "https://a@b.org",
            "http://localhost@evil.org/",
            "https://a\\b",
            "ftp://a.b",
            "https://",
            "file:///a",
        ] {
            assert!(!free(address), "{address}");
        }
    }

    #[test]
    fn a_block_list_reaches_below_its_hosts() {
        let hosts = hosts(&[], &["Evil.org"]);
        assert!(objection("https://evil.org/a", &hosts).is_some());
        assert!(objection("https://a.EVIL.org./", &hosts).is_some());
        assert!(objection("https://notevil.org/", &hosts).is_none());
    }

    #[test]
    fn an_allow_list_names_all_hosts_there_are() {
        let hosts = hosts(&["good.org", "*.docs.org"], &["x.docs.org"]);
        assert!(objection("https://good.org", &hosts).is_none());
        assert!(objection("https://a.docs.org", &hosts).is_none());
        for address in ["https://a.good.org", "https://docs.org", "https://x.docs.org", "https://else.org"] {
            assert!(objection(address, &hosts).is_some(), "{address}");
        }
    }

    #[test]
    fn a_redirect_is_read_from_where_it_came() {
        let from = "https://a.org:8/x/y?z";
        for (to, expected) in [
            ("https://b.org/c", "https://b.org/c"),
            ("//b.org/c", "https://b.org/c"),
            ("/c", "https://a.org:8/c"),
            ("c?d", "https://a.org:8/x/c?d"),
            ("?d", "https://a.org:8/x/y?d"),
            ("ftp://b", "ftp://b"),
            ("c?u=http://e", "https://a.org:8/x/c?u=http://e"),
        ] {
            assert_eq!(redirected(from, to).as_deref(), Some(expected));
        }
        assert_eq!(redirected("http://localhost", "c").as_deref(), Some("http://localhost/c"));
    }
}
