//! The MCP registry: `server.json`, with the packages that it can be had as.

use super::channel::NamedFile;
use super::folder::PackageFolder;
use super::{mcpb, npm, version, wheel};
use crate::root::RepositoryRoot;
use serde_json::{Value, json};

const SCHEMA: &str = "https://static.modelcontextprotocol.io/schemas/2025-12-11/server.schema.json";

/// Indented, with a line's end.
pub(crate) fn pretty(value: &Value) -> Vec<u8> {
    format!("{value:#}\n").into_bytes()
}

/// One document about the packages that lie in the folder.
pub(crate) fn make(_: &RepositoryRoot, folder: &PackageFolder) -> Result<Vec<NamedFile>, String> {
    let version = &folder.version;
    let mut packages = Vec::new();
    if let Some(sum) = folder.sum(&npm::file_name(version))? {
        let mut entry = started("npm", "runward", version);
        entry["fileSha256"] = json!(sum);
        packages.push(entry);
    }
    let is_wheel = |name: &String| super::target::TARGETS.iter().any(|target| wheel::is_for(name, target));
    if folder.names()?.iter().any(is_wheel) {
        packages.push(started("pypi", "runward", &version::python(version)?));
    }
    packages.push(started("cargo", "runward", version));
    for (_, file, sum) in folder.each(|target| mcpb::file_name(target, version))? {
        packages.push(json!({
            "registryType": "mcpb",
            "identifier": download(version, &file),
            "version": version,
            "fileSha256": sum,
            "transport": { "type": "stdio" },
        }));
    }
    let document = json!({
        "$schema": SCHEMA,
        "name": super::MCP_NAME,
        "title": "Runward",
        "description": super::SUMMARY,
        "version": version,
        "websiteUrl": super::HOME,
        "repository": { "url": super::HOME, "source": "github" },
        "packages": packages,
    });
    Ok(vec![("server.json".to_owned(), pretty(&document))])
}

/// Where a file of a release lies.
pub(crate) fn download(version: &str, file: &str) -> String {
    format!("{}/releases/download/v{version}/{file}", super::HOME)
}

/// A package whose program serves only when it is told so.
fn started(kind: &str, identifier: &str, version: &str) -> Value {
    json!({
        "registryType": kind,
        "identifier": identifier,
        "version": version,
        "transport": { "type": "stdio" },
        "packageArguments": [{ "type": "positional", "value": "mcp" }],
    })
}

#[cfg(test)]
mod tests {
    #[test]
    fn the_registry_takes_what_we_say_of_ourselves() {
        assert!(crate::dist::SUMMARY.len() <= 100);
        assert!(super::download("1.0.0", "a.mcpb").contains("mcp"));
    }
}
