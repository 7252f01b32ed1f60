//! The doctor's lines about the layers of a sandbox: available, or missing and how to get it. Found out by trying.

use super::{CheckState, DoctorCheck};
use runward::core::facts::System;
use runward::{HostFacts, Layer, Mode, SandboxSettings, host};

/// One line for each layer. The settings are those in force, where the configuration can be read.
pub(super) fn checks(facts: &HostFacts, settings: Option<&SandboxSettings>) -> Vec<DoctorCheck> {
    let found = facts.abilities.layers.as_deref().unwrap_or_else(|| host::sandbox_layers());
    Layer::ALL.into_iter().map(|layer| check(layer, found.contains(&layer), facts.system, settings)).collect()
}

fn check(layer: Layer, there: bool, system: System, settings: Option<&SandboxSettings>) -> DoctorCheck {
    if there {
        return DoctorCheck::ok(layer.name(), keeps(layer));
    }
    let wanted = settings.is_some_and(|set| set.mode != Mode::Off && set.layers.contains(&layer));
    let (state, sentence) = if wanted {
        (CheckState::Broken, "the configuration wants it, so nothing runs")
    } else {
        (CheckState::Missing, "a command that wants it in its sandbox does not run")
    };
    let (why, fix) = match system {
        System::Linux => ("not available", Some(cure(layer).to_owned())),
        _ => ("there is no sandbox on this system yet", None),
    };
    DoctorCheck { name: layer.name(), state, found: format!("{why}; {sentence}"), fix }
}

fn keeps(layer: Layer) -> &'static str {
    match layer {
        Layer::Namespaces => "a sandbox can have its own mount and network namespaces",
        Layer::Landlock => "a sandbox can limit which files are opened",
        Layer::Seccomp => "a sandbox can filter system calls",
    }
}

fn cure(layer: Layer) -> &'static str {
    match layer {
        Layer::Namespaces => {
            "Let users make namespaces (`sysctl user.max_user_namespaces`, `kernel.unprivileged_userns_clone`, `kernel.apparmor_restrict_unprivileged_userns`; in a container, its own seccomp profile), with Linux 5.12 or newer."
        }
        Layer::Landlock => {
            "Boot Linux 6.2 or newer with `landlock` in its list of security modules (`lsm=`)."
        }
        Layer::Seccomp => "Use a kernel with `CONFIG_SECCOMP_FILTER`, on x86_64 or aarch64.",
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn line(there: bool, system: System, settings: Option<&SandboxSettings>) -> String {
        check(Layer::Landlock, there, system, settings).line()
    }

    #[test]
    fn a_missing_layer_comes_with_the_cure_of_its_system() {
        insta::assert_snapshot!(
            [
                line(true, System::Linux, None),
                line(false, System::Linux, None),
                line(false, System::MacOs, None),
                line(false, System::Windows, None),
            ]
            .join("\n")
        );
    }

    #[test]
    fn what_the_configuration_wants_and_the_host_lacks_is_broken() {
        let on = SandboxSettings { mode: Mode::ReadOnly, ..SandboxSettings::default() };
        assert!(line(false, System::Linux, Some(&on)).starts_with("broken   landlock"));
        let fewer = SandboxSettings { layers: vec![Layer::Seccomp], ..on };
        assert!(line(false, System::Linux, Some(&fewer)).starts_with("missing  landlock"));
        assert!(line(false, System::Linux, Some(&SandboxSettings::default())).starts_with("missing"));
    }
}
