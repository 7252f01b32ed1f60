//! Public suffixes: names below which anybody may have a name, so that all names below one belong to no one in particular.
//!
//! May not be taken for a complete list: it says what nobody can have meant, and a suffix that is missing here lets an
//! owner write a wide entry. It never lets a command reach what no entry names.

use super::HostName;

/// What is registered below two-letter countries besides names themselves: `co.uk`, `com.au`, `or.jp`.
const SECOND: &[&str] = &[
    "ac", "co", "com", "edu", "go", "gob", "gouv", "gov", "govt", "gv", "ltd", "mil", "ne", "net", "nhs",
    "nom", "or", "org", "plc", "sch",
];

/// Where anybody gets a name, and content of their own below it, for nothing.
const HOSTED: &[&str] = &[
    "amazonaws.com",
    "appspot.com",
    "azureedge.net",
    "azurewebsites.net",
    "b-cdn.net",
    "backblazeb2.com",
    "blob.core.windows.net",
    "blogspot.com",
    "cloudapp.net",
    "cloudflare.net",
    "cloudfront.net",
    "cloudfunctions.net",
    "ddns.net",
    "deno.dev",
    "digitaloceanspaces.com",
    "duckdns.org",
    "dyndns.org",
    "fastly.net",
    "firebaseapp.com",
    "fly.dev",
    "github.io",
    "gitlab.io",
    "glitch.me",
    "herokuapp.com",
    "hf.space",
    "hopto.org",
    "loca.lt",
    "lhr.life",
    "myshopify.com",
    "netlify.app",
    "ngrok-free.app",
    "ngrok-free.dev",
    "ngrok.app",
    "ngrok.dev",
    "ngrok.io",
    "nip.io",
    "no-ip.org",
    "now.sh",
    "on.aws",
    "ondigitalocean.app",
    "onrender.com",
    "pages.dev",
    "r2.dev",
    "readthedocs.io",
    "repl.co",
    "replit.app",
    "replit.dev",
    "run.app",
    "s3.amazonaws.com",
    "serveo.net",
    "sslip.io",
    "storage.googleapis.com",
    "supabase.co",
    "surge.sh",
    "trycloudflare.com",
    "up.railway.app",
    "vercel.app",
    "web.app",
    "windows.net",
    "wordpress.com",
    "workers.dev",
    "xip.io",
    "zapto.org",
];

/// Whether anybody may have a name below this one.
pub(super) fn is_public_suffix(name: &HostName) -> bool {
    let name = name.as_str();
    suffix_labels(name) >= name.split('.').count() || HOSTED.contains(&name)
}

/// How many labels at the end of a name are of a registry and not of whoever registered it. At least one.
pub(super) fn suffix_labels(name: &str) -> usize {
    let mut labels = name.rsplit('.');
    match (labels.next(), labels.next()) {
        (Some(country), Some(second)) if country.len() == 2 && SECOND.contains(&second) => 2,
        _ => 1,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn is_suffix(text: &str) -> bool {
        is_public_suffix(&HostName::parse(text).unwrap())
    }

    #[test]
    fn suffixes_of_registries_and_of_platforms_are_known() {
        for text in ["com", "dev", "xn--p1ai", "co.uk", "com.au", "or.jp", "github.io", "pages.dev"] {
            assert!(is_suffix(text), "{text}");
        }
        for text in
            ["example.com", "example.co.uk", "github.com", "githubusercontent.com", "t.co", "ac.example"]
        {
            assert!(!is_suffix(text), "{text}");
        }
    }

    #[test]
    fn every_hosted_suffix_is_a_name_in_its_own_spelling() {
        for text in HOSTED {
            assert_eq!(HostName::parse(text).unwrap().as_str(), *text);
        }
    }
}
