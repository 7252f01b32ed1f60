//! What a sandboxed command cannot reach: the network, other processes, its own sandbox.

use crate::ground::{Ground, lets, refuses};
use runward_engine::{Layer, Mode};
use std::io::ErrorKind;
use std::net::{TcpListener, UdpSocket};
use std::os::linux::net::SocketAddrExt;
use std::os::unix::net::{SocketAddr, UnixListener};

/// Every combination of layers that keeps the network off.
const OFFLINE: [&[Layer]; 3] =
    [&Layer::ALL, &[Layer::Landlock, Layer::Seccomp], &[Layer::Namespaces, Layer::Landlock]];

/// A program for python that connects, and says whether it could.
fn connect(how: &str) -> String {
    format!("python3 -c 'import socket as s\n{how}'")
}

#[tokio::test]
async fn nothing_is_talked_to_while_the_network_is_off() {
    let tcp = TcpListener::bind("127.0.0.1:0").unwrap();
    let udp = UdpSocket::bind("127.0.0.1:0").unwrap();
    let (tcp_port, udp_port) = (tcp.local_addr().unwrap().port(), udp.local_addr().unwrap().port());
    let by_tcp = connect(&format!("s.create_connection((\"127.0.0.1\", {tcp_port}))"));
    let by_udp =
        connect(&format!("s.socket(s.AF_INET, s.SOCK_DGRAM).sendto(b\"x\", (\"127.0.0.1\", {udp_port}))"));
    let listening = connect("s.create_server((\"127.0.0.1\", 0))");
    let raw = connect("s.socket(s.AF_PACKET, s.SOCK_RAW)");
    for layers in OFFLINE {
        let ground = Ground::new(Mode::ReadOnly).layers(layers).offline();
        for text in [&by_tcp, &raw] {
            refuses(&ground, text).await;
        }
        // To its own loopback a command may send what it likes. Here nothing arrives.
        ground.script(&by_udp).await;
        let pair = connect("a, b = s.socketpair(); a.send(b\"x\"); assert b.recv(1) == b\"x\"");
        lets(&ground, &pair).await;
    }
    assert!(tcp.set_nonblocking(true).is_ok() && udp.set_nonblocking(true).is_ok());
    assert_eq!(tcp.accept().unwrap_err().kind(), ErrorKind::WouldBlock, "something arrived");
    assert_eq!(udp.recv(&mut [0]).unwrap_err().kind(), ErrorKind::WouldBlock, "something arrived");
    let shut = Ground::new(Mode::ReadOnly).layers(&[Layer::Landlock, Layer::Seccomp]).offline();
    refuses(&shut, &listening).await;
    let online = Ground::new(Mode::ReadOnly);
    for text in [&by_tcp, &by_udp, &listening] {
        lets(&online, text).await;
    }
}

/// A server and its client, both inside: what a test suite does.
const TALKS_TO_ITSELF: &str = "import socket as s, sys
for family, bound, asked in [
    (s.AF_INET, \"127.0.0.1\", \"127.0.0.1\"), (s.AF_INET, \"127.0.0.1\", \"localhost\"), (s.AF_INET, \"0.0.0.0\", \"127.0.0.1\"),
    (s.AF_INET, \"127.0.0.7\", \"127.0.0.7\"), (s.AF_INET6, \"::1\", \"::1\"), (s.AF_INET6, \"::\", \"::1\"),
]:
    server = s.create_server((bound, int(sys.argv[1])), family=family)
    client = s.create_connection((asked, server.getsockname()[1]), 5)
    inside = server.accept()[0]
    client.sendall(b\"hello\")
    assert inside.recv(5) == b\"hello\"
    inside.close(); client.close(); server.close()
datagrams = s.socket(s.AF_INET, s.SOCK_DGRAM)
datagrams.bind((\"127.0.0.1\", 0))
datagrams.sendto(b\"x\", datagrams.getsockname())
assert datagrams.recv(1) == b\"x\"
assert [name for _, name in s.if_nameindex()] == [\"lo\"], s.if_nameindex()";

#[tokio::test]
async fn with_the_network_off_a_command_talks_to_itself_and_to_nobody_else() {
    // The host's services on the same port are others than the command's own.
    let host = TcpListener::bind("127.0.0.1:0").unwrap();
    let six = TcpListener::bind("[::1]:0").ok();
    let port = host.local_addr().unwrap().port();
    for layers in
        [&Layer::ALL[..], &[Layer::Namespaces, Layer::Landlock], &[Layer::Namespaces, Layer::Seccomp]]
    {
        for mode in [Mode::ReadOnly, Mode::WorkspaceWrite] {
            let ground = Ground::new(mode).layers(layers).offline();
            for wanted in [0, port] {
                lets(&ground, &format!("python3 -c '{TALKS_TO_ITSELF}' {wanted}")).await;
            }
        }
        let ground = Ground::new(Mode::ReadOnly).layers(layers).offline();
        let six = six.as_ref().map(|it| ("::1", it.local_addr().unwrap().port()));
        for (name, port) in
            [("127.0.0.1", port), ("localhost", port), ("0.0.0.0", port)].into_iter().chain(six)
        {
            refuses(&ground, &connect(&format!("s.create_connection((\"{name}\", {port}), 5)"))).await;
        }
    }
    for listener in [Some(&host), six.as_ref()].into_iter().flatten() {
        listener.set_nonblocking(true).unwrap();
        assert_eq!(listener.accept().unwrap_err().kind(), ErrorKind::WouldBlock);
    }
}

#[tokio::test]
async fn a_loopback_of_its_own_leads_nowhere_else() {
    let ground = Ground::new(Mode::WorkspaceWrite).offline();
    let network = |how: &str| connect(how);
    for text in [
        // Other machines, the metadata of clouds, names, other protocols.
        network("s.create_connection((\"192.0.2.1\", 80), 5)"),
        network("s.create_connection((\"169.254.169.254\", 80), 5)"),
        network("s.create_connection((\"2001:db8::1\", 80), 5)"),
        network("s.socket(s.AF_INET, s.SOCK_DGRAM).sendto(b\"x\", (\"192.0.2.1\", 53))"),
        network("s.socket(s.AF_INET, s.SOCK_DGRAM).sendto(b\"x\", (\"224.0.0.1\", 53))"),
        network("s.getaddrinfo(\"example.org\", 80)"),
        network("s.socket(s.AF_INET, s.SOCK_RAW, 6)"),
        network("s.socket(s.AF_INET, s.SOCK_DGRAM, 1)"),
        network("s.socket(s.AF_INET, s.SOCK_STREAM, 132)"),
        network("s.socket(s.AF_INET6, s.SOCK_RAW, 58)"),
        network("s.socket(s.AF_PACKET, s.SOCK_RAW)"),
        network("s.socket(s.AF_NETLINK, s.SOCK_RAW, 9)"),
        network("s.socket(s.AF_NETLINK, s.SOCK_RAW, 12)"),
        network("s.socket(40, s.SOCK_STREAM)"),
        network("s.socket(s.AF_INET, s.SOCK_STREAM).setsockopt(s.SOL_IP, 19, 1)"),
        // Changing the network: it has no privilege in its own.
        network(
            "import fcntl, struct; fcntl.ioctl(s.socket(), 0x8914, struct.pack(\"16sh14x\", b\"lo\", 0))",
        ),
        network(
            "import fcntl, struct; fcntl.ioctl(s.socket(), 0x8916, struct.pack(\"16sHH4s8x\", b\"lo\", 2, 0, bytes(4)))",
        ),
        network("s.create_server((\"127.0.0.1\", 80))"),
        "echo 0 > /proc/sys/net/ipv4/ip_unprivileged_port_start".to_owned(),
        "nsenter --net=/proc/1/ns/net true".to_owned(),
        "unshare -n true".to_owned(),
    ] {
        refuses(&ground, &text).await;
    }
}

#[tokio::test]
async fn nothing_is_talked_to_by_an_abstract_name() {
    let name = format!("runward-walls-{}", std::process::id());
    let address = SocketAddr::from_abstract_name(&name).unwrap();
    let _listener = UnixListener::bind_addr(&address).unwrap();
    let by_name = connect(&format!("s.socket(s.AF_UNIX).connect(\"\\0{name}\")"));
    for layers in [&Layer::ALL[..], &[Layer::Landlock, Layer::Seccomp]] {
        refuses(&Ground::new(Mode::ReadOnly).layers(layers).offline(), &by_name).await;
        refuses(&Ground::new(Mode::ReadOnly).layers(layers), &by_name).await;
    }
    let plain = Ground::new(Mode::Off).layers(&[]);
    lets(&plain, &by_name).await;
}

#[tokio::test]
async fn services_are_out_of_reach_without_the_network() {
    let ground = Ground::new(Mode::WorkspaceWrite).offline();
    assert_eq!(lets(&ground, "ls -A /run").await, "");
}

#[tokio::test]
async fn walls_cannot_be_taken_down() {
    for layers in crate::ground::KEEPING {
        let ground = Ground::new(Mode::WorkspaceWrite).layers(layers);
        for text in [
            "mount -t tmpfs none /tmp",
            "mount -o remount,rw /",
            "mount -o bind,remount,rw /",
            "mount --bind . $OUT",
            "umount /tmp",
            "umount -l /dev/shm",
            "unshare -m true",
            "unshare -U true",
            "unshare -rm true",
            "unshare -n true",
            "unshare --time true",
            "nsenter -t $PPID -m true",
            "chroot / true",
            "mknod disk b 8 0",
            "mknod $OUT/disk c 1 3",
            "grep -q 'CapEff:.*[1-9a-f]' /proc/self/status",
            "grep -q 'CapPrm:.*[1-9a-f]' /proc/self/status",
            "grep -q 'NoNewPrivs:.*0' /proc/self/status",
            "grep -q 'Seccomp:.*0' /proc/self/status",
            "echo 1 > /proc/sys/kernel/sysrq",
            "echo 0 > /proc/self/oom_score_adj",
        ] {
            refuses(&ground, text).await;
        }
    }
}

#[tokio::test]
#[expect(clippy::disallowed_methods, reason = "a process that Runward knows nothing of")]
async fn other_processes_are_out_of_reach() {
    let mut other = std::process::Command::new("sleep").arg("1000").spawn().unwrap();
    let pid = other.id();
    for layers in [&Layer::ALL[..], &[Layer::Landlock, Layer::Seccomp]] {
        let ground = Ground::new(Mode::WorkspaceWrite).layers(layers);
        for text in [
            format!("kill {pid}"),
            format!("kill -0 {pid}"),
            format!("kill -STOP {pid}"),
            "kill -9 $PPID".to_owned(),
            format!("cat /proc/{pid}/environ"),
            format!("cat /proc/{pid}/root/etc/passwd"),
            format!("readlink /proc/{pid}/fd/1"),
            "cat /proc/$PPID/mem".to_owned(),
            format!(
                "python3 -c 'import ctypes,sys\nsys.exit(ctypes.CDLL(None).ptrace(16, {pid}, 0, 0) == 0 and 0 or 1)'"
            ),
        ] {
            refuses(&ground, &text).await;
        }
        lets(&ground, "sleep 1000 & kill $! && ! wait $!").await;
    }
    assert!(other.try_wait().unwrap().is_none(), "it still runs");
    other.kill().unwrap();
    other.wait().unwrap();
}

#[tokio::test]
async fn calls_that_lead_around_the_walls_are_denied() {
    let call = |number: i64, arguments: &str| {
        format!(
            "python3 -c 'import ctypes,sys\nc=ctypes.CDLL(None,use_errno=True)\nr=c.syscall({number}{arguments})\n\
             print(r, ctypes.get_errno())'"
        )
    };
    let ground = Ground::new(Mode::WorkspaceWrite);
    for (number, arguments, said) in [
        (425, ", 1, 0", "-1 1\n"),                         // io_uring_setup
        (321, ", 0, 0, 0", "-1 1\n"),                      // bpf
        (435, ", 0, 0", "-1 38\n"),                        // clone3
        (0x4000_0000 + 165, ", 0, 0, 0, 0, 0", "-1 38\n"), // mount, by its other number
        (428, ", -100, 0, 0", "-1 1\n"),                   // open_tree
        (442, ", -100, 0, 0, 0, 0", "-1 1\n"),             // mount_setattr
        (250, ", 0, 0, 0, 0, 0", "-1 1\n"),                // keyctl
        (298, ", 0, 0, 0, 0, 0", "-1 1\n"),                // perf_event_open
        (16, ", 0, 0x5412, 0", "-1 1\n"),                  // ioctl, TIOCSTI
        (16, ", 0, 0x7fff00005412, 0", "-1 1\n"), // the same, with bits that the kernel does not look at
        (16, ", 0, 0x541c, 0", "-1 1\n"),         // ioctl, TIOCLINUX
        (272, ", 0x400", "0 0\n"),                // unshare of files, which is no namespace
    ] {
        assert_eq!(lets(&ground, &call(number, arguments)).await, said, "{number}{arguments}");
    }
}
