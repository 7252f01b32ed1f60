//! One test for each program that starts a command of words.

use super::{check, opaque, starts_ls, starts_nothing};

#[test]
fn env() {
    starts_ls(
        "
        env ls x   /usr/bin/env ls x   ENV.EXE ls x   env -- ls x   env A=1 ls x
        env A=1 B=2 ls x   env -u A ls x   env -uA ls x   env --unset=A ls x
        env --unset A ls x   env --uns A ls x   env -S 'ls x'   env '-Sls x'   env -S ls x
        env --split-string='ls x'   env --sp 'ls x'   env -vS 'A=1 ls' x
        env -S '-S ls' x   env A=~1 ls x   env --block-signal=INT ls x   env --block-signal ls x
    ",
    );
    check(&[("env -S 'ls -l \"a b\"' c", "ls -l a b c"), ("env ls -S x", "ls -S x")]);
    starts_nothing("env   env A=1   env --help   env --version   env -0");
    opaque(
        r#"
        env PATH=. ls   env LD_PRELOAD=./p.so ls   env BASH_ENV=./s bash -c ls   env =x ls   env -C d ls
        env --chdir=d ls   env ~1   env ~n ls   env A~1 ls   env -S 'ls $X'   env -S 'ls \x'
        env -S 'ls # x'   env -S '"ls'   env -S ~1   env -P /x ls   env -Z ls   env --unknown ls   env --i
        env -u   env -u PATH ls   env --unset=PATH ls   env -uGIT_DIR ls   env -i ls   env -iu A ls   env - ls
        env -iS 'ls x'   env -S '-i A=1' ls x   env -i -- - ls x   env ''   env -S-S-S-S-Sls x   env -S 'PATH=. ls'   env A=1 -u B ls   env -a x ls
        env -S '-Cd ls'
    "#,
    );
}

#[test]
fn timeout() {
    starts_ls(
        "
        timeout 5 ls x   timeout 0.5s ls x   timeout .5 ls x   timeout -s KILL 5 ls x
        timeout -sKILL 5 ls x   timeout --signal=KILL 5 ls x   timeout --sig KILL 5 ls x
        timeout -k 1 5 ls x   timeout -vk1 5 ls x   timeout --kill-after 1 5 ls x
        timeout --foreground -- 5 ls x   timeout --signal=~1 5 ls x
    ",
    );
    starts_nothing("timeout   timeout 5   timeout --help");
    opaque(
        "
        timeout ls x   timeout ~1 ls x   timeout -t 5 ls   timeout 5 ~1   timeout --unk   timeout 5 -- ls
    ",
    );
    starts_ls("timeout --fo 5 ls x");
}

#[test]
fn nice() {
    starts_ls(
        "
        nice ls x   nice -n 5 ls x   nice -n5 ls x   nice -n -5 ls x   nice --adjustment=5 ls x
        nice --adj 5 ls x   nice -5 ls x   nice --5 ls x   nice -- ls x
    ",
    );
    starts_nothing("nice   nice -n 5");
    opaque("nice -x ls   nice ~1   nice -n ~n ls");
}

#[test]
fn nohup_setsid_stdbuf_time() {
    starts_ls(
        "
        nohup ls x   nohup -- ls x   setsid ls x   setsid -w ls x   setsid -wf ls x   setsid --wait ls x
        setsid --wa ls x   stdbuf -oL ls x   stdbuf -o L ls x   stdbuf -o0 -e0 ls x   stdbuf --output=L ls x
        stdbuf --output L ls x   stdbuf --out=L ls x   time ls x   time -p ls x   time -v ls x
        time -o f ls x   time -of ls x   time -f %e -o f ls x   time --format=%e ls x
        /usr/bin/time -pv ls x
    ",
    );
    starts_nothing("nohup   nohup --help   setsid   setsid -V   stdbuf   time   time --version");
    opaque(
        "
        nohup -x ls   setsid -z ls   stdbuf -x ls   stdbuf --x=L ls   time -z ls   nohup ~1   time ~n
    ",
    );
}

#[test]
fn schedulers() {
    starts_ls(
        "
        ionice ls x   ionice -c 3 ls x   ionice -c3 ls x   ionice -c2 -n7 ls x   ionice --class=idle ls x
        ionice -tc 3 ls x   taskset 3 ls x   taskset ff ls x   taskset -c 0-3 ls x
        taskset --cpu-list 0 ls x   taskset -ac 0 ls x   chrt 5 ls x   chrt -f 5 ls x   chrt --fifo 5 ls x
        chrt -T 1 -P 2 -D 3 -d 0 ls x   numactl -N 0 ls x   numactl --membind=0 ls x   numactl -m0 ls x
        prlimit -n5 ls x   prlimit --nofile=5 ls x   prlimit -c0 --cpu=5 ls x   caffeinate -i ls x
        caffeinate -t 5 ls x
    ",
    );
    starts_nothing(
        "
        ionice -p 5   ionice -p 5 ls   taskset -p 5   taskset -pc 0 5   chrt -p 5   chrt -m   prlimit -p 5
        taskset 3   numactl --show   caffeinate
    ",
    );
    opaque(
        "
        chrt ls x   chrt -i ls 0   ionice -z ls   taskset ~1 ls   prlimit --no=5 ls   numactl -S x ls
    ",
    );
}

#[test]
fn namespaces_and_privileges() {
    starts_ls(
        "
        unshare ls x   unshare -n ls x   unshare -rn ls x   unshare --net=f ls x
        unshare --map-root-user ls x   unshare -S 0 -G 0 ls x   nsenter -t 1 -n ls x
        nsenter -t1 --net=f ls x   nsenter -t 1 -nf ls x   setpriv --nnp ls x
        setpriv --reuid=1 --clear-groups ls x   setpriv --reuid 1 ls x   pkexec ls x
        pkexec --user root ls x   setarch x86_64 ls x   setarch x86_64 -R ls x   setarch -R ls x
        linux32 ls x   linux64 -R ls x   arch -x86_64 ls x   arch -arch arm64 ls x   arch ls x
    ",
    );
    starts_nothing("setpriv -d   unshare --help   arch   setarch --list   pkexec --version");
    opaque(
        "
        unshare   unshare -R d ls   unshare --root=d ls   unshare -w d ls   unshare -mfoo ls   nsenter -a ls
        nsenter -m ls   nsenter -t 1 --mount=f ls   nsenter -r ls   nsenter -t 1   setarch x86_64   linux32
        pkexec   chroot d ls   chroot --userspec=a d ls   chroot d   setpriv --re 1 ls   arch -e A=1 ls
    ",
    );
    starts_nothing("chroot --help");
}

#[test]
fn other_users() {
    starts_ls(
        "
        sudo ls x   sudo -u root ls x   sudo -uroot ls x   sudo -nu root ls x   sudo --user=root ls x
        sudo --user root ls x   sudo -E ls x   sudo A=1 ls x   sudo -u root A=1 ls x   sudo -- ls x
        sudo -k ls x   sudo -n -g g ls x   sudo -p 'pass: ' ls x   sudo --preserve-env=A ls x   doas ls x
        doas -u root ls x   doas -nuroot ls x   doas -- ls x   runuser -u bob -- ls x   runuser -u bob ls x
        runuser --user=bob ls x   runuser -ubob -- ls x
    ",
    );
    check(&[("runuser -u bob -- ls -l", "ls -l")]);
    starts_nothing(
        "
        sudo -l   sudo -v   sudo -K   sudo --version   sudo -l ls   sudo   doas -L   doas
    ",
    );
    opaque(
        "
        sudo -s   sudo -s ls   sudo -i   sudo -i ls   sudo -e f   sudo -h host ls   sudo -R d ls
        sudo -D d ls   sudo PATH=. ls   sudo A=1 -u root ls   sudo -A ls   sudo ~1   sudo -u ~n ls
        sudo --unknown ls   doas -s   doas -C f ls   runuser   runuser bob   runuser -u bob ls -l
        runuser -u bob ~1
    ",
    );
}

#[test]
fn tracers() {
    starts_ls(
        "
        strace ls x   strace -f ls x   strace -ff -o f ls x   strace -of ls x   strace -fe trace=open ls x
        strace -e trace=open -s 99 ls x   strace --output=f ls x   strace -E A=1 ls x   strace -E A ls x
        strace --trace=open ls x   ltrace ls x   ltrace -f -o f ls x   perf stat ls x
        perf stat -e c -- ls x   perf stat -r 5 ls x   perf record -g -o f -- ls x   perf record -F 99 ls x
    ",
    );
    starts_nothing("strace -p 5   strace -V   perf list   perf --version   perf   strace");
    opaque(
        "
        strace -o '|sh' ls   strace '-o|sh' ls   strace -o '!sh' ls   strace --output='|sh' ls
        strace -o ~1 ls   strace -E LD_PRELOAD=x ls   strace -E PATH ls   strace -E ~1 ls
        strace --env=PATH=. ls   strace -j ls   perf stat --pre sh ls   perf script x   perf trace ls
        perf ~1 ls   perf stat --pre=sh ls   ltrace -F f ls
    ",
    );
}

#[test]
fn services_and_terminals() {
    starts_ls(
        "
        systemd-run ls x   systemd-run --user --scope ls x   systemd-run -u n -t ls x
        systemd-run -E A=1 ls x   systemd-run --on-active=5 ls x   dbus-run-session ls x
        dbus-run-session -- ls x   xvfb-run ls x   xvfb-run -a -s '-screen 0 1x1x8' ls x
        xvfb-run --server-args=x ls x   ssh-agent ls x   ssh-agent -t 5 ls x   daemonize -o f ls x
        tini ls x   tini -g -- ls x   dumb-init ls x   dumb-init --rewrite=1:2 ls x   faketime 2020 ls x
        faketime -f 2020 ls x   catchsegv ls x   unbuffer -p ls x   command ls x   command -p ls x
        exec ls x   exec -cl ls x   builtin ls x   busybox ls x   toybox ls x
        start-stop-daemon --start --exec ls -- x   start-stop-daemon -S -x ls -- x
        start-stop-daemon -Sxls -- x   start-stop-daemon --start --startas ls --exec true -- x
        start-stop-daemon -b --start --exec=ls x
    ",
    );
    starts_nothing(
        "
        command -v ls   command -V ls   busybox   busybox --list   ssh-agent   ssh-agent -k
        systemd-run --version   start-stop-daemon --stop --exec ls   start-stop-daemon --status -x ls
    ",
    );
    opaque(
        "
        systemd-run -p ExecStartPre=sh ls   systemd-run --property=X=y ls   systemd-run -S
        systemd-run -M c ls   systemd-run -H h ls   systemd-run ls '$x'   systemd-run ls ~1
        systemd-run -E PATH=. ls   dbus-run-session --dbus-daemon=sh ls
        dbus-run-session --config-file f ls   daemonize -c d ls   faketime --date-prog sh 2020 ls
        exec -a x ls   busybox --install   busybox ~1   busybox -x   start-stop-daemon --start
        start-stop-daemon --start --exec ~1   ssh-agent -P x ls   builtin -x
        start-stop-daemon --start --exec ls --chroot d   command ~1
    ",
    );
}
