//! Scripts that ran or wrote something else than their words said, and what they must not be taken for.

use crate::ground;
use crate::host::MadeUpHost;
use runward_core::policy::{Decision, Policy, Redirecting, judge};
use runward_core::resolve::{Defaults, resolve};
use runward_core::spec::{Caller, CommandSpec, Door};

const REPOSITORY: &str = "[filter \"f\"]\n\tclean = x\n";

fn repository(host: MadeUpHost, folder: &str) -> MadeUpHost {
    let host = host.text(&format!("{folder}/HEAD"), "ref: refs/heads/main\n");
    let host = host.folder(&format!("{folder}/objects")).folder(&format!("{folder}/refs"));
    host.text(&format!("{folder}/config"), REPOSITORY)
}

fn host() -> MadeUpHost {
    let host = MadeUpHost::unix().env("PATH", "/usr/bin").env("HOME", "/home/ada");
    let names = ["git", "ls", "cat", "sort", "find", "sed", "awk", "tar", "env", "xargs", "touch", "true"];
    let host = names.iter().fold(host, |host, name| host.program(&format!("/usr/bin/{name}")));
    let host = repository(repository(host, "/home/u/app/.git"), "/home/u/app/n/.git");
    let host = repository(host.folder("/usr/share/doc"), "/home/u/app/a/evil/.git");
    host.link("/home/u/app/a/link", "/usr/share/doc")
        .link("/home/u/app/g", "/home/u/app/.git")
        .link("/home/u/app/cfg", "/home/u/app/.git/config")
        .link("/home/u/app/dangling", "/elsewhere/file")
        .folder("/home/u/app/s1/s2/s3")
        .folder("/dev")
}

fn allows_with(redirect: Redirecting, script: &str) -> bool {
    let host = host();
    let list = "git,ls,cat,sort,find,sed,awk,tar,env,xargs,echo,cd,printf,test,read,true";
    let workspace = Some("/home/u/app".into());
    let policy = Policy { redirect, workspace, ..Policy::allow_commands(list) }.found(host.facts(), &host);
    let command = resolve(&CommandSpec::shell(script), host.facts(), &Defaults::default(), &host).unwrap();
    let caller = Caller::tool(Door::Mcp, "execute_command");
    judge(&policy, &command, &caller, &ground(&host)).decision() == Decision::Allow
}

fn allows(script: &str) -> bool {
    allows_with(Redirecting::None, script)
}

#[test]
fn a_line_that_fails_defines_no_function_for_the_next() {
    for script in [
        ": $((1/0)); touch() { :; }\ntouch m",
        "readonly x=1; x=2; touch() { :; }\ntouch m",
        "n=5; echo ${n:0:-9}; touch() { :; }\ntouch m",
        "shopt -s failglob; echo nomatch*; touch() { :; }\ntouch m",
        ": $((1/0)); \\\ntouch() { :; }\ntouch m",
        "true; touch() { :; };\n\ntouch m",
        "echo a & touch() { :; }\ntouch m",
    ] {
        assert!(!allows(script), "{script}");
    }
    for script in ["f() { ls; }\nf", "f() { ls; }; f", "true\nf() { ls; }\n\nf", "true; f() { ls; }; f"] {
        assert!(allows(script), "{script}");
    }
}

#[test]
fn a_line_that_fails_makes_no_variable_a_number() {
    for script in ["n=$((1/0))\necho $((n))", ": $((1/0)); n=5\necho $((n))", "m=$((1/0)) n=5\necho $((n))"] {
        let reading = runward_core::policy::Scene::of_text(script);
        // What the environment holds under that name has to be looked at, or the text is not understood.
        assert!(
            reading.as_ref().map_or(true, |scene| scene.worked_out.contains(&"n".to_owned())),
            "{script}: {reading:?}"
        );
    }
    assert!(allows("i=0\nwhile [ $i -lt 2 ]; do\n  echo $i\n  i=$((i+1))\ndone"));
}

#[test]
fn a_here_document_ends_where_bash_ends_it() {
    for script in [
        "echo $(cat <<'EOF'\nEOF touch m )\nEOF\n)",
        "echo \"$(cat <<EOF\nEOF touch m )\nEOF\n)\"",
        "echo $(cat <<-'EOF'\n\t\tEOF touch m )\nEOF\n)",
        ": $(ls <<'END OF'\nEND OF; touch m )\nEND OF\n)",
    ] {
        assert!(!allows(script), "{script}");
    }
    assert!(allows("echo $(cat <<'EOF'\nplain (text)\nEOF\n)"));
}

#[test]
fn a_number_that_printf_stores_sets_a_variable() {
    for script in [
        "printf %n PATH; ls",
        "printf 'x%n' PATH; ls",
        "printf %-5n PATH; ls",
        "printf %ln PATH",
        "printf %hhn PATH",
        "printf '%s%%%n' a PATH",
        "printf %q%n a PATH",
        "printf $'\\x25n' PATH",
        "printf \"$x\" PATH",
        "printf $x",
        "builtin printf %n PATH",
        "command printf -- %n PATH",
        "printf -v x %n PATH",
        "printf %n GIT_CONFIG_COUNT; git status",
    ] {
        assert!(!allows(script), "{script}");
    }
    for script in [
        "printf '%s\\n' a",
        "printf '%d items%%\\n' 3",
        "printf \"a$x\"",
        "printf '%5.2f n' 1",
        "printf '%%n' a",
    ] {
        assert!(allows(script), "{script}");
    }
}

#[test]
fn a_subscript_does_not_hide_the_variable_that_is_set() {
    for script in [
        "b=x; : ${GIT_CONFIG_COUNT[${#b}]:=x}; git status",
        ": ${GIT_CONFIG_COUNT[${#GIT_CONFIG_COUNT}]:=x}; git status",
        ": ${PATH[${#b}]=x}; ls",
    ] {
        assert!(!allows(script), "{script}");
    }
}

#[test]
fn variables_that_carry_code_into_programs_are_not_set() {
    for name in ["GAWK_PERSIST_FILE", "PMA_VERBOSITY", "BAT_PAGER", "KUBECONFIG", "RESTIC_PASSWORD_COMMAND"] {
        assert!(!allows(&format!("{name}=x awk 'BEGIN{{f()}}'")), "{name}");
    }
}

#[test]
fn a_folder_of_devices_makes_the_rest_a_connection() {
    for script in [
        "cd /dev; echo s < $PWD/tcp/127.0.0.1/9 >&0",
        "cd /dev; cat < \"$PWD/tcp/127.0.0.1/9\"",
        "cd /dev; cat < \"$PWD\"/tcp/127.0.0.1/9",
        "cd /dev; cat < ${PWD}/tcp/127.0.0.1/9",
        "cd \"$x\"; cat < $PWD/f",
    ] {
        assert!(!allows(script), "{script}");
    }
    for script in
        ["cat < $PWD/f", "cat < $HOME/f", "cat < ~/f", "while read -r l; do echo \"$l\"; done < <(ls)"]
    {
        assert!(allows(script), "{script}");
    }
    let homeless = MadeUpHost::unix().env("PATH", "/usr/bin").program("/usr/bin/cat");
    let policy = Policy::allow_commands("cat").found(homeless.facts(), &homeless);
    let spec = CommandSpec::shell("cat < $HOME/dev/tcp/127.0.0.1/9");
    let command = resolve(&spec, homeless.facts(), &Defaults::default(), &homeless).unwrap();
    let caller = Caller::tool(Door::Mcp, "execute_command");
    assert_eq!(judge(&policy, &command, &caller, &ground(&homeless)).decision(), Decision::Deny);
}

/// The settings of git that a text is judged with.
fn overrides(script: &str) -> Vec<String> {
    let host = host();
    let policy = Policy::allow_commands("git,cd,ls,find,env,true").found(host.facts(), &host);
    let command = resolve(&CommandSpec::shell(script), host.facts(), &Defaults::default(), &host).unwrap();
    let caller = Caller::tool(Door::Mcp, "execute_command");
    let ruling = judge(&policy, &command, &caller, &ground(&host));
    let given = if ruling.decision() == Decision::Allow { ruling.given().config } else { Vec::new() };
    given.into_iter().map(|(name, _)| name).collect()
}

#[test]
fn git_is_disarmed_wherever_a_text_may_have_moved_to() {
    for script in [
        "(cd /); for i in 1 2; do cd n; done; git status",
        "(cd /); f() { cd evil; }; cd a; f; git status",
        "cd a/link; cd ../evil; git status",
        "cd -P a/evil; git status",
    ] {
        let given = overrides(script);
        let disarmed = given.iter().any(|name| name == "filter.f.clean");
        assert!(given.is_empty() || disarmed, "{script}: {given:?}");
    }
    for script in
        ["find n -name f -execdir git status \\;", "env -C n git status", "env --chdir=n git status"]
    {
        assert!(!allows(script), "{script}");
    }
    for script in ["git --version", "cd n && git status", "for i in 1 2; do (cd n && git status); done"] {
        assert!(allows(script), "{script}");
    }
}

#[test]
fn a_loop_does_not_climb_out_of_the_workspace() {
    let write = |script: &str| allows_with(Redirecting::Workspace, script);
    assert!(!write("cd s1/s2/s3; for i in 1 2 3 4; do cd ..; done; echo x > f"));
    assert!(!write("f() { cd ..; }; cd s1; f; f; f; echo x > f"));
    assert!(write("cd s1; echo x > f"));
    assert!(write("for i in 1 2; do (cd s1 && echo x > f); done"));
}

#[test]
fn a_link_is_another_name_for_what_git_obeys() {
    for script in [
        "echo x > g/config; git status",
        "echo x > g/zz",
        "echo x > cfg",
        "(cd .git; echo x > config); git status",
        "cd g && echo x > y",
        "echo x > dangling",
    ] {
        assert!(!allows_with(Redirecting::Workspace, script), "{script}");
    }
    for script in [
        "find e -maxdepth 0 -fprintf .git/config x; git status",
        "sort e -o cfg; git status",
        "sed -i s/a/b/ cfg; git status",
        "git apply --unsafe-paths p; git status",
        "git checkout -q b; cd emb; git status",
        "git checkout -q b; cd n; git status",
        "git clone u d && cd d/emb && git status",
        "git clone u d && cd d && cd emb && git status",
    ] {
        assert!(!allows(script), "{script}");
    }
    for script in [
        "find . -name x; git status",
        "sort f; git status",
        "git checkout b; git status",
        "cd n && git pull && git log",
        "git clone u d && cd d && git log",
    ] {
        assert!(allows(script), "{script}");
    }
}

#[test]
fn tar_asks_for_a_volume_by_starting_a_shell() {
    for script in
        ["tar -c -M -L 10 -f a big", "tar -cL10 -f a b", "tar cMfL a 10 b", "tar -c --tape-l=10 -f a b"]
    {
        assert!(!allows(script), "{script}");
    }
    for script in ["tar --list --file=x.tar", "tar tf x.tar", "tar -czf a.tgz src"] {
        assert!(allows(script), "{script}");
    }
}
