//! The bundle that a desktop client installs with one click: a zip with the binary and a manifest.

use super::bundle::Bundle;
use super::channel::NamedFile;
use super::pack::{PackedFile, sorted, zip};
use super::target::DistTarget;
use crate::root::RepositoryRoot;
use serde_json::{Value, json};

/// Its name.
pub(crate) fn file_name(target: &DistTarget, version: &str) -> String {
    format!("runward-{version}-{}.mcpb", target.platform)
}

/// One bundle.
pub(crate) fn make(_: &RepositoryRoot, bundle: &Bundle) -> Result<Vec<NamedFile>, String> {
    let mut files = bundle.papers();
    let manifest = super::registry::pretty(&manifest(bundle.target, &bundle.version));
    files.push(PackedFile::plain("manifest.json", manifest));
    files.push(PackedFile::program(format!("server/{}", bundle.target.program()), bundle.binary.clone()));
    Ok(vec![(file_name(bundle.target, &bundle.version), zip::zip(&sorted(files))?)])
}

/// What the client asks the user, and how it starts the server.
pub(crate) fn manifest(target: &DistTarget, version: &str) -> Value {
    let program = format!("server/{}", target.program());
    json!({
        "manifest_version": "0.3",
        "name": "runward",
        "display_name": "Runward",
        "version": version,
        "description": super::SUMMARY,
        "author": { "name": "The Runward maintainers", "url": super::HOME },
        "repository": { "type": "git", "url": format!("{}.git", super::HOME) },
        "homepage": super::HOME,
        "documentation": format!("{}/blob/main/docs/mcp.md", super::HOME),
        "support": format!("{}/issues", super::HOME),
        "license": "MIT OR Apache-2.0",
        "keywords": ["command", "shell", "sandbox", "policy"],
        "server": {
            "type": "binary",
            "entry_point": program,
            "mcp_config": {
                "command": format!("${{__dirname}}/{program}"),
                "args": ["mcp", "--workspace", "${user_config.folder}", "--preset", "${user_config.presets}"],
                "env": {},
            },
        },
        "tools_generated": true,
        "compatibility": { "platforms": [target.system] },
        "user_config": {
            "folder": {
                "type": "directory",
                "title": "Folder",
                "description": "The folder that workspace-bound tools may not leave",
                "required": true,
                "default": "${HOME}",
            },
            "presets": {
                "type": "string",
                "title": "Presets",
                "description": "What may run without asking: readonly looks at files and history; readonly,build builds and tests projects too, which runs their code",
                "required": true,
                "default": "readonly",
            },
        },
    })
}
