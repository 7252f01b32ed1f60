//! Whether what policy allows does what it was allowed for: the effect is checked, not the text.
//!
//! A script is judged by the real policy in a hostile folder: `./ls` and the like lie there, and repositories with
//! settings that name programs; a variable holds an address with a listener. What is allowed is run by the real bash
//! with the real programs, as the user `nobody`. Then nothing that was planted may have run, nor have connected.
//! May not run anything without that user: only root can become it.

use super::hostile::Hostile;
use runward_core::facts::HostFacts;
use runward_core::policy::{Decision, Policy, PolicyGround, Redirecting, judge};
use runward_core::resolve::{Defaults, resolve};
use runward_core::spec::{Caller, CommandSpec, Door};
use runward_os::Disk;
use std::collections::BTreeMap;
use std::ffi::OsString;
use std::io;
use std::net::{TcpListener, UdpSocket};
use std::os::unix::process::CommandExt;
use std::path::Path;
use std::process::{Command, Stdio};

/// The result of running what was allowed.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Effect {
    /// No policy allows it, so nothing was run.
    Refused,
    /// It could do harm here, so nothing was run.
    NotRun,
    /// It ran, and nothing happened that should not.
    Clean,
    /// Something ran or connected that was not allowed.
    Escaped(String),
}

/// A hostile place, and its listener.
#[derive(Debug)]
pub struct Effects {
    hostile: Hostile,
    facts: HostFacts,
    policies: Vec<Policy>,
    tcp: TcpListener,
    udp: UdpSocket,
}

const PATH: &str = "/usr/local/bin:/usr/bin:/bin";

/// Limits, then the script itself. Only the shell that sets them knows of them.
const LIMITED: &str = "ulimit -t 2 -f 512 -u 200; exec \"$BASH\" -c \"$0\"";

impl Effects {
    /// A new place; nothing where we are not root.
    pub fn new() -> io::Result<Option<Self>> {
        let hostile = Hostile::new()?;
        if !hostile.is_roots() {
            return Ok(None);
        }
        let (tcp, udp) = (TcpListener::bind("127.0.0.1:0")?, UdpSocket::bind("127.0.0.1:0")?);
        tcp.set_nonblocking(true)?;
        udp.set_nonblocking(true)?;
        let mut facts = runward_os::probe()?;
        facts.env = BTreeMap::from([
            ("PATH".into(), PATH.into()),
            ("HOME".into(), hostile.home().into()),
            ("t".into(), format!("/dev/tcp/127.0.0.1/{}", tcp.local_addr()?.port()).into()),
            ("u".into(), format!("/dev/udp/127.0.0.1/{}", udp.local_addr()?.port()).into()),
            ("x".into(), "a[$(./pwn)]".into()),
        ]);
        facts.home = Some(hostile.home());
        Ok(Some(Self { hostile, facts, policies: policies(), tcp, udp }))
    }

    /// Judges a script, runs it where some policy allows it, and looks at what happened.
    pub fn effect(&mut self, script: &str) -> io::Result<Effect> {
        // Judging changes nothing, so the folder of the last script serves until one is run.
        let cwd = self.hostile.folder()?;
        let allowed: Vec<_> =
            (0..self.policies.len()).filter_map(|at| self.allowed(at, script, &cwd)).collect();
        if allowed.is_empty() {
            return Ok(Effect::Refused);
        }
        if could_harm(script) {
            return Ok(Effect::NotRun);
        }
        for env in allowed {
            self.hostile.folder()?;
            self.run(script, &cwd, &env)?;
            self.hostile.is_used();
            if let Some(what) = self.escaped()? {
                return Ok(Effect::Escaped(format!("{script:?}: {what}")));
            }
        }
        Ok(Effect::Clean)
    }

    /// What happens to a script that was not judged: proof that an effect would be seen.
    pub fn unjudged(&mut self, script: &str) -> io::Result<Effect> {
        let cwd = self.hostile.folder()?;
        let env = self.facts.env.clone();
        self.run(script, &cwd, &env)?;
        self.hostile.is_used();
        Ok(self.escaped()?.map_or(Effect::Clean, Effect::Escaped))
    }

    /// The environment in which a policy lets the script run, if it does.
    fn allowed(&self, at: usize, script: &str, cwd: &Path) -> Option<BTreeMap<OsString, OsString>> {
        let facts = HostFacts { cwd: cwd.to_owned(), ..self.facts.clone() };
        let policy = self.policies[at].clone().found(&facts, &Disk);
        let spec = CommandSpec::shell(script);
        let command = resolve(&spec, &facts, &Defaults::default(), &Disk).ok()?;
        let caller = Caller::tool(Door::Mcp, "execute_command");
        let ruling =
            judge(&policy, &command, &caller, &PolicyGround { facts: &facts, look: &Disk, contained: false });
        if ruling.decision() != Decision::Allow {
            return None;
        }
        let given = ruling.given();
        let mut env = command.env().clone();
        given.unset.iter().for_each(|name| drop(env.remove(std::ffi::OsStr::new(name))));
        env.extend(given.variables().into_iter().map(|(name, value)| (name.into(), value.into())));
        Some(env)
    }

    fn run(&self, script: &str, cwd: &Path, env: &BTreeMap<OsString, OsString>) -> io::Result<()> {
        let mut command = Command::new("/usr/bin/timeout");
        command.args(["-s", "KILL", "3", "/bin/bash", "-c", LIMITED, script]).current_dir(cwd);
        command.stdin(Stdio::null()).stdout(Stdio::null()).stderr(Stdio::null()).env_clear().envs(env);
        command.process_group(0).uid(super::sandbox::NOBODY).gid(super::sandbox::NOBODY);
        super::sandbox::to_the_end(command.spawn()?)
    }

    /// What ran or connected since the last look.
    fn escaped(&self) -> io::Result<Option<String>> {
        if let Ok((_, from)) = self.tcp.accept() {
            return Ok(Some(format!("connected from {from}")));
        }
        if let Ok((_, from)) = self.udp.recv_from(&mut [0; 16]) {
            return Ok(Some(format!("a datagram came from {from}")));
        }
        Ok(self.hostile.ran()?.map(|name| format!("`{name}` ran")))
    }
}

fn policies() -> Vec<Policy> {
    let names =
        "ls,cat,git,echo,printf,cd,sort,grep,head,wc,test,env,timeout,bash,find,xargs,pwd,true,sed,awk,diff";
    let listed = Policy { redirect: Redirecting::Workspace, ..Policy::allow_commands(names) };
    let presets = vec!["readonly".to_owned(), "build".to_owned()];
    vec![listed, Policy { presets, redirect: Redirecting::Workspace, ..Policy::default() }]
}

/// Paths lead out of the folder, and signals to other processes. A few paths are what this is about.
fn could_harm(script: &str) -> bool {
    let mut rest = script.to_owned();
    for harmless in ["/dev/tcp/", "/dev/udp/", "/dev/null", "127.0.0.1/", "./", "sub/", "bare/", ".git/"] {
        rest = rest.replace(harmless, "");
    }
    rest.contains('/') || script.contains("..") || script.contains("kill") || script.contains('~')
}
