//! npm: the package with the launcher, which is the same for all, and the package with the binary for one platform.

use super::bundle::Bundle;
use super::channel::NamedFile;
use super::pack::{PackedFile, gzip, sorted, tar};
use super::target::{DistTarget, TARGETS};
use crate::root::RepositoryRoot;
use serde_json::{Map, Value, json};

const LAUNCHER: &str = include_str!("../../dist/launcher.js");

/// The name of the launcher's file.
pub(crate) fn file_name(version: &str) -> String {
    format!("runward-{version}.tgz")
}

/// The name of a platform's file.
pub(crate) fn platform_file_name(target: &DistTarget, version: &str) -> String {
    format!("runward-{}-{version}.tgz", target.platform)
}

/// Both packages.
pub(crate) fn make(_: &RepositoryRoot, bundle: &Bundle) -> Result<Vec<NamedFile>, String> {
    let (version, target) = (&bundle.version, bundle.target);
    let launcher = vec![
        PackedFile::plain("package.json", super::registry::pretty(&launcher_manifest(version))),
        PackedFile::program("bin/runward.js", LAUNCHER),
        PackedFile::plain("README.md", bundle.readme.clone()),
        bundle.licences[0].clone(),
        bundle.licences[1].clone(),
    ];
    let readme = format!(
        "# Runward for {0}\n\nThe binary of `runward` for {0}. Install that instead.\n",
        target.platform
    );
    let mut platform = bundle.licences.clone();
    platform.push(PackedFile::plain(
        "package.json",
        super::registry::pretty(&platform_manifest(target, version)),
    ));
    platform.push(PackedFile::plain("README.md", readme));
    platform.push(PackedFile::program(format!("bin/{}", target.program()), bundle.binary.clone()));
    Ok(vec![
        (file_name(version), packed(&launcher, bundle.time)?),
        (platform_file_name(target, version), packed(&platform, bundle.time)?),
    ])
}

fn packed(files: &[PackedFile], time: u64) -> Result<Vec<u8>, String> {
    gzip(&tar::tar(&sorted(files.iter().map(|file| file.below("package")).collect()), time)?)
}

/// The manifest of the launcher.
pub(crate) fn launcher_manifest(version: &str) -> Value {
    let platforms: Map<String, Value> =
        TARGETS.iter().map(|target| (format!("@runward/{}", target.platform), json!(version))).collect();
    let mut manifest = shared(version);
    manifest["name"] = json!("runward");
    manifest["mcpName"] = json!(super::MCP_NAME);
    manifest["keywords"] = json!(["mcp", "mcp-server", "agent", "command", "sandbox"]);
    manifest["bin"] = json!({ "runward": "bin/runward.js" });
    manifest["engines"] = json!({ "node": ">=18" });
    manifest["optionalDependencies"] = Value::Object(platforms);
    manifest
}

/// The manifest of a platform.
pub(crate) fn platform_manifest(target: &DistTarget, version: &str) -> Value {
    let mut manifest = shared(version);
    manifest["name"] = json!(format!("@runward/{}", target.platform));
    manifest["os"] = json!([target.system]);
    manifest["cpu"] = json!([target.processor]);
    if let Some(libc) = target.libc() {
        manifest["libc"] = json!([libc]);
    }
    // Its binary is found by the launcher, and is not to be unpacked elsewhere.
    manifest["preferUnplugged"] = json!(true);
    manifest
}

fn shared(version: &str) -> Value {
    json!({
        "name": "",
        "version": version,
        "description": super::SUMMARY,
        "license": "(MIT OR Apache-2.0)",
        "homepage": super::HOME,
        "repository": { "type": "git", "url": format!("git+{}.git", super::HOME) },
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_launcher_asks_for_every_platform_at_its_own_version() {
        let manifest = launcher_manifest("1.2.3");
        let platforms = manifest["optionalDependencies"].as_object().unwrap();
        assert_eq!(platforms.len(), TARGETS.len());
        assert!(platforms.values().all(|version| version == "1.2.3"));
        assert!(manifest["scripts"].is_null() && manifest["dependencies"].is_null());
        // By this rule the launcher finds the package.
        for target in TARGETS {
            let musl = if target.libc() == Some("musl") { "-musl" } else { "" };
            assert_eq!(target.platform, format!("{}-{}{musl}", target.system, target.processor));
        }
    }

    #[test]
    fn a_platform_is_for_one_system_processor_and_library() {
        let musl = platform_manifest(DistTarget::find("aarch64-unknown-linux-musl").unwrap(), "1.0.0");
        assert_eq!(
            (&musl["os"], &musl["cpu"], &musl["libc"]),
            (&json!(["linux"]), &json!(["arm64"]), &json!(["musl"]))
        );
        let windows = platform_manifest(DistTarget::find("x86_64-pc-windows-msvc").unwrap(), "1.0.0");
        assert!(windows["libc"].is_null());
    }
}
