//! Programs that are nothing but a way to run something: editors with commands, debuggers, schedulers, other
//! machines.
//!
//! May not know options in detail: the few harmless ways to call these are named, all others count.

use super::{Carried, shown};
use crate::policy::Word;
use crate::policy::through::name::{Rows, row_of, rows};
use crate::policy::through::options::{Order, read};

/// They take orders from their input or their words, whatever else they are given.
const ORDERED: &str = "ed ex vi vim nvim view vimdiff gvim rvim elvis vile emacs emacsclient xemacs gdb lldb dbx mdb cgdb \
    gdbserver lldb-server jdb rr delve dlv pdb radare2 r2 telnet ftp lftp cu minicom at batch logrotate \
    anacron inetd xinetd crond sudoedit visudo vipw vigr crontab tmux screen byobu mc ranger nnn lf vifm \
    mutt mail mailx procmail emerge msiexec rundll32 regsvr32 mshta wmic schtasks installutil msbuild \
    certutil bitsadmin reg sc winrm winrs psexec systemd-nspawn sshd busctl gdbus dbus-send qemu kexec \
    insmod modprobe debugfs bpftrace stap dtrace";

/// They open what they are given with whichever program is set up for it.
const OPENERS: &str = "xdg-open open gio explorer sensible-browser see run-mailcap wslview";

/// Whether a program runs its words on another machine.
pub(super) fn is_other_machine(name: &str) -> bool {
    ["ssh", "slogin", "mosh", "autossh", "rsh", "remsh", "rlogin", "dbclient", "plink"].contains(&name)
}

pub(super) fn says(name: &str, words: &[Word]) -> Option<Carried> {
    if matches!((name, words), ("crontab" | "at", [_, word]) if word.text() == Some("-l")) {
        return None;
    }
    if is_other_machine(name) {
        return Some(other_machine(name, words));
    }
    static TAKES_ORDERS: Rows = Rows::new(|| rows([ORDERED].into_iter()));
    static OPENS: Rows = Rows::new(|| rows([OPENERS].into_iter()));
    if row_of(&TAKES_ORDERS, name).is_some() {
        return Some(Carried::never(format!("`{name}` runs what it is told")));
    }
    OPENS.contains_key(name).then(|| Carried::new(format!("`{name}` starts other programs"), 2))
}

/// Options that run nothing on this machine. `-o` and `-F` may, and so are refused.
const SSH: &str = "-4 -6 -A -a -C -f -g -G -K -k -M -N -n -q -s -T -t -V -v -X -x -Y -y -b= -B= -c= -D= -i= -L= -l= -m= -O= \
    -P= -p= -Q= -R= -W= -w= -E^ -F^ -I^ -J^ -o^ -S^";

/// `ssh HOST COMMAND…`, with options that run nothing here.
fn other_machine(name: &str, words: &[Word]) -> Carried {
    let read = match read(SSH, Order::First, words) {
        Ok(read) => read,
        Err(opaque) => return Carried::never(format!("`{name}` may run something here: {opaque}")),
    };
    let at = words.len() - read.operands.len();
    match (words.get(at), words.get(at + 1)) {
        (Some(host), _) if host.may_be_option() => {
            Carried::never(format!("{} may run what it names", shown(name, words, at)))
        }
        (Some(_), Some(command)) if command.may_be_option() => {
            Carried::never(format!("{} may run what it names", shown(name, words, at + 1)))
        }
        (Some(_), Some(_)) => Carried::new(format!("`{name}` runs its words on another machine"), at + 2),
        (Some(_), None) => {
            Carried::new(format!("`{name}` runs the code it is fed on another machine"), at + 1)
        }
        (None, _) => Carried::new(format!("`{name}` runs code on another machine"), 1),
    }
}
