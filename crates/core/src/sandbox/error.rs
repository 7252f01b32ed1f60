//! Why a sandbox or a limit cannot be kept on this host. Nothing runs then.

use super::Layer;
use crate::error::{Code, Coded};

/// What the draft would promise cannot be kept. Nothing runs.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum SandboxError {
    /// The host lacks a means that has nothing to do with the sandbox.
    #[error("this host cannot keep {what}")]
    Unkept {
        /// What.
        what: String,
    },
    /// Layers that were asked for are not there.
    #[error("this host lacks {}", layers(missing, "and"))]
    MissingLayers {
        /// Which.
        missing: Vec<Layer>,
    },
    /// The layers that were asked for cannot keep what was asked for.
    #[error("{what} is not kept without {}", layers(needs, "or"))]
    Weak {
        /// What.
        what: String,
        /// The layers of which one would keep it.
        needs: Vec<Layer>,
    },
    /// A list of hosts that cannot be kept.
    #[error("a list of hosts with more than {most} addresses and ports written as numbers cannot be kept")]
    ManyAddresses {
        /// How many can be.
        most: usize,
    },
    /// Something of a sandbox was asked for, and no sandbox.
    #[error("{what} is not kept while the sandbox is off")]
    Off {
        /// What.
        what: &'static str,
    },
    /// The root of all files would be a folder that may be written.
    #[error("the sandbox cannot be kept in a workspace that is the root of all files")]
    WholeRoot,
}

impl SandboxError {
    pub(crate) fn unkept(what: impl Into<String>) -> Self {
        Self::Unkept { what: what.into() }
    }
}

fn layers(all: &[Layer], join: &str) -> String {
    let names: Vec<_> = all.iter().map(|layer| format!("`{}`", layer.name())).collect();
    match names.as_slice() {
        [one] => format!("the sandbox layer {one}"),
        _ => format!("the sandbox layers {}", names.join(&format!(" {join} "))),
    }
}

impl Coded for SandboxError {
    fn code(&self) -> Code {
        Code::SandboxUnavailable
    }

    fn hint(&self) -> Option<String> {
        Some(
            match self {
                SandboxError::Unkept { .. } => {
                    "Leave it out, or see `runward doctor` for what this host can do."
                }
                SandboxError::MissingLayers { .. } => {
                    "List only the layers that are there to accept the weaker sandbox, or see `runward doctor`."
                }
                SandboxError::Weak { .. } => "Add the layer to the list of layers, or leave this out.",
                SandboxError::ManyAddresses { .. } => "List the addresses that are used, or a name that leads to them.",
                SandboxError::Off { .. } => "Choose the mode `read-only` or `workspace-write`, too.",
                SandboxError::WholeRoot => "Start Runward in the folder that may be written, or name a workspace.",
            }
            .to_owned(),
        )
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn missing_layers_are_named() {
        let error = SandboxError::MissingLayers { missing: vec![Layer::Landlock] };
        assert_eq!(error.to_string(), "this host lacks the sandbox layer `landlock`");
        let error = SandboxError::MissingLayers { missing: vec![Layer::Namespaces, Layer::Seccomp] };
        assert_eq!(error.to_string(), "this host lacks the sandbox layers `namespaces` and `seccomp`");
        assert_eq!(error.code().name(), "sandbox.unavailable");
    }
}
