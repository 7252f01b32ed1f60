//! Shells with a text, in all spellings.

use super::{check, each, opaque, starts_nothing};

#[test]
fn a_text_is_found_in_all_spellings() {
    for shell in ["sh", "bash", "dash", "ash", "ksh", "zsh", "rbash", "/bin/sh", "/usr/bin/bash", "mksh"] {
        for spelled in each(
            "
        -c 'ls x'   -ec 'ls x'   -ce 'ls x'   -lc 'ls x'   -c -e 'ls x'   -e -c 'ls x'   -xeuc 'ls x'
        -c -- 'ls x'   -o pipefail -c 'ls x'   -eo pipefail -c 'ls x'   -euo pipefail -c 'ls x'
        -ceuo pipefail 'ls x'   -c -o errexit 'ls x'   +x -c 'ls x'   +e +o xtrace -c 'ls x'   -ic 'ls x'
        -c 'ls x' a b   -c 'ls x' -s -i   -c 'ls x' ~n   -c - 'ls x'
    ",
        ) {
            check(&[(&format!("{shell} {spelled}"), &format!("{shell}: ls x"))]);
        }
    }
    check(&[
        ("bash --norc -c ls", "bash: ls"),
        ("bash --noprofile --norc -ec ls", "bash: ls"),
        ("bash --login -c ls", "bash: ls"),
        ("bash --posix -c ls", "bash: ls"),
        ("fish -c ls", "fish: ls"),
        ("fish -cls", "fish: ls"),
        ("fish --command=ls", "fish: ls"),
        ("fish --command ls", "fish: ls"),
        ("fish -C id -c ls", "fish: id & fish: ls"),
        ("fish -lc ls", "fish: ls"),
        ("csh -c ls", "csh: ls"),
        ("tcsh -fc ls", "tcsh: ls"),
    ]);
}

#[test]
fn a_shell_without_a_text_starts_nothing_by_its_words() {
    starts_nothing(
        "
        sh   bash   bash x.sh   bash -e x.sh -c ls   bash -s   bash -i   bash -- x.sh   sh ./x
        bash --version   bash --help   fish x.fish   csh x.csh   zsh   bash ./~1   bash -   fish   tcsh
    ",
    );
}

#[test]
fn what_changes_the_meaning_of_a_text_is_opaque() {
    opaque(
        "
        bash -c   bash -c ~1   bash ~1 ls   bash -~1 ls   bash ~n   bash +~1 ls   bash -c ~n ls
        bash --rcfile f -c ls   bash --init-file f -ic ls   bash -rcfile f ls   bash -norc -c ls
        bash -O extglob -c ls   bash +O extglob -c ls   bash -kc ls   bash -o keyword -c ls   bash -o -c ls
        bash -opipefail -c ls   bash -o ~1 -c ls   bash -sc ls   bash -c -s ls   bash +c ls   bash -Hc ls
        bash -Zc ls   bash --debugger -c ls   bash --dump-strings -c ls   bash --norcfile -c ls   zsh -yc ls
        zsh --emulate sh -c ls   zsh -o shwordsplit -c ls   sh -pc ls   csh -c -f ls   csh -bc ls
        csh -fcx ls   csh ~1   fish --unknown   fish -c ~1   fish ~1   bash + ls
    ",
    );
}

#[test]
fn the_shells_of_windows() {
    check(&[
        ("cmd /c dir", "cmd: dir"),
        ("CMD.EXE /C dir x", "cmd: dir x"),
        ("cmd /d /s /c 'dir & del x'", "cmd: dir & del x"),
        ("powershell -Command Get-Item x", "powershell: Get-Item x"),
        ("pwsh -NoProfile -c 'ls; rm x'", "powershell: ls; rm x"),
        ("powershell.exe -nologo -noninteractive -command ls", "powershell: ls"),
    ]);
    starts_nothing("cmd   cmd /?   pwsh   pwsh -File x.ps1   pwsh --version");
    opaque(
        "
        cmd /k dir   cmd /cdir   cmd /c ~1   cmd ~1   cmd dir   cmd /v:on /c dir   cmd /c
        powershell -EncodedCommand AAAA   powershell -e AAAA   powershell -enc AAAA   powershell -c -
        powershell -com ls   powershell ls   pwsh ~1   powershell -ExecutionPolicy Bypass -c ls   pwsh -c ~1
    ",
    );
}
