//! The list of parts (CycloneDX 1.6) of the binary for one target.

use super::bundle::Bundle;
use super::channel::NamedFile;
use super::sum::sha256;
use crate::root::RepositoryRoot;
use serde_json::{Value, json};

/// One document, named after the target that it is true for.
pub(crate) fn make(_: &RepositoryRoot, bundle: &Bundle) -> Result<Vec<NamedFile>, String> {
    let name = format!("runward-{}-{}.cdx.json", bundle.version, bundle.target.triple);
    Ok(vec![(name, super::registry::pretty(&document(bundle)))])
}

fn document(bundle: &Bundle) -> Value {
    let ours = reference("runward", &bundle.version);
    let mut edges = vec![json!({
        "ref": ours,
        "dependsOn": bundle.crates.iter().map(|it| reference(&it.name, &it.version)).collect::<Vec<_>>(),
    })];
    edges.extend(bundle.crates.iter().map(|it| {
        let uses = it.uses.iter().map(|(name, version)| reference(name, version)).collect::<Vec<_>>();
        json!({ "ref": reference(&it.name, &it.version), "dependsOn": uses })
    }));
    json!({
        "$schema": "http://cyclonedx.org/schema/bom-1.6.schema.json",
        "bomFormat": "CycloneDX",
        "specVersion": "1.6",
        "version": 1,
        "metadata": {
            "component": {
                "type": "application",
                "bom-ref": ours,
                "name": "runward",
                "version": bundle.version,
                "description": super::SUMMARY,
                "purl": ours,
                "licenses": [{ "expression": "MIT OR Apache-2.0" }],
                "hashes": [{ "alg": "SHA-256", "content": sha256(&bundle.binary) }],
            },
            "properties": [{ "name": "cargo:target", "value": bundle.target.triple }],
        },
        "components": bundle.crates.iter().map(component).collect::<Vec<_>>(),
        "dependencies": edges,
    })
}

fn component(found: &super::crates::ShippedCrate) -> Value {
    let reference = reference(&found.name, &found.version);
    let mut value = json!({
        "type": "library",
        "bom-ref": reference,
        "name": found.name,
        "version": found.version,
        "purl": reference,
        "licenses": [{ "expression": found.licence }],
    });
    if let Some(sum) = &found.sum {
        value["hashes"] = json!([{ "alg": "SHA-256", "content": sum }]);
    }
    value
}

fn reference(name: &str, version: &str) -> String {
    format!("pkg:cargo/{name}@{version}")
}
