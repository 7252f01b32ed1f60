//! The systems that are shipped for, each with its names in every channel, in one table.

use super::elf::GlibcVersion;

/// One system that is shipped for.
#[derive(Debug)]
pub(crate) struct DistTarget {
    /// As rustc names it.
    pub(crate) triple: &'static str,
    /// As the packages of npm and the MCP bundles are named.
    pub(crate) platform: &'static str,
    /// As node names the system.
    pub(crate) system: &'static str,
    /// As node names the processor.
    pub(crate) processor: &'static str,
    /// As Python names the system, where the binary does not tell it: the oldest that rustc links for.
    wheel: &'static str,
    /// As Debian names the processor, where there is a package for it.
    pub(crate) debian: Option<&'static str>,
}

/// Every system, in the order of the tables in the documentation.
pub(crate) const TARGETS: &[DistTarget] = &[
    DistTarget {
        triple: "x86_64-unknown-linux-gnu",
        platform: "linux-x64",
        system: "linux",
        processor: "x64",
        wheel: "x86_64",
        debian: Some("amd64"),
    },
    DistTarget {
        triple: "aarch64-unknown-linux-gnu",
        platform: "linux-arm64",
        system: "linux",
        processor: "arm64",
        wheel: "aarch64",
        debian: Some("arm64"),
    },
    DistTarget {
        triple: "x86_64-unknown-linux-musl",
        platform: "linux-x64-musl",
        system: "linux",
        processor: "x64",
        wheel: "musllinux_1_2_x86_64",
        debian: None,
    },
    DistTarget {
        triple: "aarch64-unknown-linux-musl",
        platform: "linux-arm64-musl",
        system: "linux",
        processor: "arm64",
        wheel: "musllinux_1_2_aarch64",
        debian: None,
    },
    DistTarget {
        triple: "x86_64-apple-darwin",
        platform: "darwin-x64",
        system: "darwin",
        processor: "x64",
        wheel: "macosx_10_12_x86_64",
        debian: None,
    },
    DistTarget {
        triple: "aarch64-apple-darwin",
        platform: "darwin-arm64",
        system: "darwin",
        processor: "arm64",
        wheel: "macosx_11_0_arm64",
        debian: None,
    },
    DistTarget {
        triple: "x86_64-pc-windows-msvc",
        platform: "win32-x64",
        system: "win32",
        processor: "x64",
        wheel: "win_amd64",
        debian: None,
    },
    DistTarget {
        triple: "aarch64-pc-windows-msvc",
        platform: "win32-arm64",
        system: "win32",
        processor: "arm64",
        wheel: "win_arm64",
        debian: None,
    },
];

impl DistTarget {
    /// The one with this name.
    pub(crate) fn find(triple: &str) -> Result<&'static Self, String> {
        TARGETS.iter().find(|target| target.triple == triple).ok_or_else(|| {
            let names: Vec<_> = TARGETS.iter().map(|target| target.triple).collect();
            format!("`{triple}` is not shipped for; these are: {}", names.join(", "))
        })
    }

    /// Whether the C library of the machine is used.
    pub(crate) fn is_glibc(&self) -> bool {
        self.triple.ends_with("-linux-gnu")
    }

    /// Whether it is Windows.
    pub(crate) fn is_windows(&self) -> bool {
        self.system == "win32"
    }

    /// What node calls the C library, where a package is for one of them.
    pub(crate) fn libc(&self) -> Option<&'static str> {
        match (self.system, self.is_glibc()) {
            ("linux", true) => Some("glibc"),
            ("linux", false) => Some("musl"),
            _ => None,
        }
    }

    /// The name of the binary.
    pub(crate) fn program(&self) -> &'static str {
        if self.is_windows() { "runward.exe" } else { "runward" }
    }

    /// The ending of the archive.
    pub(crate) fn archive_ending(&self) -> &'static str {
        if self.is_windows() { "zip" } else { "tar.gz" }
    }

    /// The tag of the wheel. For glibc it is what the binary needs, never what it was meant to need.
    pub(crate) fn wheel_tag(&self, glibc: Option<GlibcVersion>) -> String {
        match glibc {
            Some(GlibcVersion(2, 17)) => format!("manylinux_2_17_{0}.manylinux2014_{0}", self.wheel),
            Some(GlibcVersion(first, second)) => format!("manylinux_{first}_{second}_{}", self.wheel),
            None => self.wheel.to_owned(),
        }
    }

    /// Whether a binary of this kind is for it: see [`super::elf::kind`].
    pub(crate) fn takes(&self, (system, processor): (&str, &str)) -> bool {
        self.triple.starts_with(processor) && self.triple.contains(system)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_target_that_is_not_shipped_is_named() {
        assert!(DistTarget::find("sparc64-sun-solaris").unwrap_err().contains("sparc64-sun-solaris"));
        assert_eq!(DistTarget::find("x86_64-pc-windows-msvc").unwrap().program(), "runward.exe");
    }

    #[test]
    fn every_target_takes_its_own_kind_alone() {
        for target in TARGETS {
            let system = if target.is_windows() { "windows" } else { target.system };
            let (own, other) =
                if target.processor == "x64" { ("x86_64", "aarch64") } else { ("aarch64", "x86_64") };
            assert!(target.takes((system, own)) && !target.takes((system, other)), "{target:?}");
        }
    }

    #[test]
    fn the_tag_of_a_wheel_is_that_of_the_binary() {
        let target = DistTarget::find("x86_64-unknown-linux-gnu").unwrap();
        assert_eq!(target.wheel_tag(Some(GlibcVersion(2, 34))), "manylinux_2_34_x86_64");
        let old = target.wheel_tag(Some(GlibcVersion(2, 17)));
        assert_eq!(old, "manylinux_2_17_x86_64.manylinux2014_x86_64");
    }
}
