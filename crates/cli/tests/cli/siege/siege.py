"""Two halves of one test. `outside FOLDER` sets up what a sandboxed command must not reach, says where it is, and when its
input ends says what was changed, one line for each. `inside FOLDER WHERE` tries to change it. Effects are what counts:
what a call answers is only looked at where success itself is the harm."""
import ctypes, fcntl, json, mmap, os, platform, resource, select, signal, socket, stat, struct, sys, time

C = ctypes.CDLL(None, use_errno=True)
ARM = platform.machine() == "aarch64"
CALLS = {  # name: (x86_64, aarch64)
    "ptrace": (101, 117), "kcmp": (312, 272), "process_vm_writev": (311, 271), "process_madvise": (440, 440),
    "process_mrelease": (448, 448), "pidfd_open": (434, 434), "pidfd_getfd": (438, 438), "pidfd_send_signal": (424, 424),
    "move_pages": (279, 239), "migrate_pages": (256, 238), "ioprio_set": (251, 30), "ioprio_get": (252, 31),
    "sched_setattr": (314, 274), "rt_sigqueueinfo": (129, 138), "tgkill": (234, 131), "get_robust_list": (274, 100),
    "mount": (165, 40), "umount2": (166, 39), "pivot_root": (155, 41), "open_tree": (428, 428), "fsopen": (430, 430),
    "move_mount": (429, 429), "mount_setattr": (442, 442), "setns": (308, 268), "unshare": (272, 97), "bpf": (321, 280),
    "io_uring_setup": (425, 425), "perf_event_open": (298, 241), "userfaultfd": (323, 282), "add_key": (248, 217),
    "keyctl": (250, 219), "open_by_handle_at": (304, 265), "name_to_handle_at": (303, 264), "shmget": (29, 194),
    "shmat": (30, 196), "shmctl": (31, 195), "msgget": (68, 186), "msgsnd": (69, 189), "msgrcv": (70, 188),
    "msgctl": (71, 187), "semget": (64, 190), "semctl": (66, 191), "semop": (65, 193), "mq_open": (240, 180),
    "mq_unlink": (241, 181), "mq_timedsend": (242, 182), "mq_timedreceive": (243, 183), "sethostname": (170, 161),
    "setdomainname": (171, 162), "reboot": (169, 142), "swapon": (167, 224), "acct": (163, 89), "chroot": (161, 51),
    "init_module": (175, 105), "kexec_load": (246, 104), "quotactl": (179, 60), "prlimit64": (302, 261),
    "setpriority": (141, 140), "sched_setaffinity": (203, 122), "sched_setscheduler": (144, 119), "sched_setparam": (142, 118),
    "clone": (56, 220), "clone3": (435, 435), "copy_file_range": (326, 285), "settimeofday": (170 - 6, 170),
    "adjtimex": (159, 171), "personality": (135, 92), "prctl": (157, 167),
}
C.syscall.restype = ctypes.c_long


def call(name, *arguments):
    """Makes a system call; an error is an exception."""
    fixed = [ctypes.c_void_p(it) if isinstance(it, int) and it >= 0 else (ctypes.c_long(it) if isinstance(it, int) else it)
             for it in arguments]
    done = C.syscall(ctypes.c_long(CALLS[name][ARM]), *fixed)
    if done < 0:
        raise OSError(ctypes.get_errno(), name)
    return done


def text(path):
    try:
        with open(path) as file:
            return file.read()
    except OSError as error:
        return f"unreadable {error.errno}"


# What is outside, and how it was.

FILES = 90
KEY = 0x52554E57


def process_state(pid):
    fields = text(f"/proc/{pid}/stat").rsplit(") ", 1)[-1].split()
    chosen = {name: fields[at] for name, at in {"group": 2, "nice": 16, "rt": 37, "policy": 38}.items() if at < len(fields)}
    # A process that runs for itself is busy or asleep; stopped, traced and dead are something else.
    chosen["alive"] = bool(fields) and fields[0] in "RSD"
    status = [line for line in text(f"/proc/{pid}/status").splitlines()
              if line.startswith(("Cpus_allowed", "Mems_allowed", "SigPnd", "ShdPnd", "Seccomp", "CoreDumping"))]
    chosen.update(line.split(":", 1) for line in status)
    for name in ["limits", "oom_score_adj", "coredump_filter", "comm", "autogroup", "timerslack_ns", "cgroup", "personality"]:
        chosen[name] = text(f"/proc/{pid}/{name}")
    try:
        chosen["ioprio"] = call("ioprio_get", 1, pid)
    except OSError as error:
        chosen["ioprio"] = error.errno
    return chosen


def file_state(path):
    try:
        found = os.lstat(path)
    except OSError:
        return "missing"
    content = text(path) if stat.S_ISREG(found.st_mode) else ""
    names = ""
    if stat.S_ISREG(found.st_mode):
        try:
            names = sorted(os.listxattr(path))
        except OSError:
            pass
    return [stat.S_IFMT(found.st_mode), stat.S_IMODE(found.st_mode), found.st_uid, found.st_mtime_ns, found.st_nlink, content, names]


def folder_state(folder):
    found = {}
    for above, folders, files in os.walk(folder):
        for name in folders + files:
            path = os.path.join(above, name)
            found[os.path.relpath(path, folder)] = file_state(path)
    return found


def victim():
    """A process that does nothing but be there."""
    pid = os.fork()
    if pid == 0:
        signal.signal(signal.SIGIO, signal.SIG_DFL)
        memory = mmap.mmap(-1, 4096)
        memory.write(b"whole")
        while True:
            time.sleep(1000)
    return pid


def outside(folder):
    for number in range(FILES):
        with open(f"{folder}/out/t{number:03}", "w") as file:
            file.write("whole")
    pid = victim()
    master, slave = os.openpty()
    import tty
    tty.setraw(slave)
    fcntl.fcntl(master, fcntl.F_SETFL, os.O_NONBLOCK)
    listeners = {}
    tcp = socket.create_server(("127.0.0.1", 0))
    udp = socket.socket(socket.AF_INET, socket.SOCK_DGRAM)
    udp.bind(("127.0.0.1", 0))
    listeners["tcp"], listeners["udp"] = tcp, udp
    name = f"runward-siege-{os.getpid()}"
    stream, datagram = socket.socket(socket.AF_UNIX), socket.socket(socket.AF_UNIX, socket.SOCK_DGRAM)
    stream.bind("\0" + name)
    stream.listen()
    datagram.bind("\0" + name + "-d")
    listeners["abstract"], listeners["abstract datagram"] = stream, datagram
    key = KEY ^ os.getpid()
    shm = call("shmget", key, 4096, 0o1666)
    C.shmat.restype = ctypes.c_void_p
    shared = C.shmat(shm, None, 0)
    ctypes.memmove(shared, b"whole", 5)
    queue, semaphore = call("msgget", key, 0o1666), call("semget", key, 1, 0o1666)
    posix = ("runward-siege-%d" % os.getpid()).encode()
    try:
        attributes = (ctypes.c_long * 8)(0, 4, 16, 0)
        mq = call("mq_open", ctypes.c_char_p(posix), os.O_RDWR | os.O_CREAT | os.O_NONBLOCK, 0o600, ctypes.byref(attributes))
    except OSError:
        mq = -1
    before = {"process": process_state(pid), "self": process_state(os.getpid()), "files": folder_state(f"{folder}/out"),
              "host": os.uname().nodename}
    where = {"pid": pid, "keeper": os.getpid(), "pts": os.ttyname(slave), "tcp": tcp.getsockname()[1],
             "udp": udp.getsockname()[1], "abstract": name, "key": key, "shm": shm, "queue": queue, "semaphore": semaphore,
             "mq": posix.decode(), "slave": slave, "master": master}
    print(json.dumps(where), flush=True)
    sys.stdin.read()
    harm = []
    for who, known in [(pid, "process"), (os.getpid(), "self")]:
        after = process_state(who)
        for name, value in before[known].items():
            same = after.get(name) == value
            if not same:
                harm.append(f"{known}: {name} was {value!r}, is {after.get(name)!r}")
    after = folder_state(f"{folder}/out")
    for name in sorted(set(before["files"]) | set(after)):
        if before["files"].get(name) != after.get(name):
            harm.append(f"file {name}: was {before['files'].get(name)}, is {after.get(name)}")
    ready = select.select(list(listeners.values()), [], [], 0.05)[0]
    harm += [f"bytes arrived: {name}" for name, it in listeners.items() if it in ready]
    try:
        harm.append(f"terminal: written {os.read(master, 100)!r}")
    except OSError:
        pass
    if ctypes.string_at(shared, 5) != b"whole":
        harm.append("shared memory: written")
    try:
        if call("msgctl", queue, 2, ctypes.byref((ctypes.c_char * 256)())) < 0:
            pass
        C.msgrcv.restype = ctypes.c_ssize_t
        if C.msgrcv(queue, ctypes.byref((ctypes.c_char * 64)()), 8, 0, 0o4000) >= 0:
            harm.append("message queue: written")
    except OSError as error:
        harm.append(f"message queue: gone {error.errno}")
    try:
        if call("semctl", semaphore, 0, 12, 0) != 0:
            harm.append("semaphore: changed")
    except OSError as error:
        harm.append(f"semaphore: gone {error.errno}")
    if mq >= 0:
        if C.syscall(ctypes.c_long(CALLS["mq_timedreceive"][ARM]), mq, ctypes.byref((ctypes.c_char * 64)()), 64, None, None) >= 0:
            harm.append("posix queue: written")
        try:
            call("mq_unlink", ctypes.c_char_p(posix))
        except OSError as error:
            harm.append(f"posix queue: gone {error.errno}")
    if os.uname().nodename != before["host"]:
        harm.append("host name: changed")
    for name, number, command in [("shmctl", shm, 0), ("msgctl", queue, 0), ("semctl", semaphore, 0)]:
        try:
            call(name, number, 0, 0, 0) if name == "semctl" else call(name, number, command, 0)
        except OSError as error:
            harm.append(f"{name}: gone {error.errno}")
    try:
        os.kill(pid, signal.SIGKILL)
        os.waitpid(pid, 0)
    except OSError:
        pass
    print(json.dumps(harm), flush=True)


# What is tried.

def file_attempts(folder, where):
    """Each has a file of its own, so that a change says who made it."""
    numbers = iter(range(FILES))
    out = f"{folder}/out"

    def opened(path, flags, content=b"harm"):
        file = os.open(path, flags, 0o644)
        os.write(file, content)
        os.close(file)

    def mapped(path):
        file = os.open(path, os.O_RDWR)
        mmap.mmap(file, 5)[0:4] = b"harm"

    def copied(path):
        source, target = os.open(__file__, os.O_RDONLY), os.open(path, os.O_WRONLY)
        call("copy_file_range", source, None, target, None, 4, 0)

    def handed(path):
        handle = (ctypes.c_char * 136)()
        struct.pack_into("I", handle, 0, 128)
        mount = ctypes.c_int()
        call("name_to_handle_at", -100, ctypes.c_char_p(path.encode()), ctypes.byref(handle), ctypes.byref(mount), 0)
        root = os.open("/", os.O_RDONLY)
        os.write(call("open_by_handle_at", root, ctypes.byref(handle), os.O_WRONLY), b"harm")

    def unnamed(path):
        file = os.open(os.path.dirname(path), os.O_TMPFILE | os.O_RDWR)
        os.write(file, b"harm")
        os.link(f"/proc/self/fd/{file}", path + "-new", follow_symlinks=True)

    def linked(path, link):
        link(path, f"{folder}/work/link-{os.path.basename(path)}")
        opened(f"{folder}/work/link-{os.path.basename(path)}", os.O_WRONLY)

    def in_child(path):
        pid = os.fork()
        if pid == 0:
            try:
                os.setsid()
                opened(path, os.O_WRONLY)
            finally:
                os._exit(0)
        os.waitpid(pid, 0)

    ways = {
        "write": lambda p: opened(p, os.O_WRONLY), "append": lambda p: opened(p, os.O_WRONLY | os.O_APPEND),
        "truncate when opened": lambda p: os.open(p, os.O_WRONLY | os.O_TRUNC), "truncate": lambda p: os.truncate(p, 0),
        "read and truncate": lambda p: os.open(p, os.O_RDONLY | os.O_TRUNC), "remove": os.unlink, "rename": lambda p: os.rename(p, p + "-new"),
        "rename into the workspace": lambda p: os.rename(p, f"{folder}/work/taken"),
        "rename over": lambda p: (opened(f"{folder}/work/mine", os.O_WRONLY | os.O_CREAT), os.rename(f"{folder}/work/mine", p)),
        "hard link beside": lambda p: os.link(p, p + "-new"), "hard link inside": lambda p: linked(p, os.link),
        "link inside": lambda p: linked(p, os.symlink), "link beside": lambda p: os.symlink("/", p + "-new"),
        "new file": lambda p: opened(p + "-new", os.O_WRONLY | os.O_CREAT), "new folder": lambda p: os.mkdir(p + "-new"),
        "new pipe": lambda p: os.mkfifo(p + "-new"), "new socket": lambda p: socket.socket(socket.AF_UNIX).bind(p + "-new"),
        "new device": lambda p: os.mknod(p + "-new", stat.S_IFCHR | 0o600, os.makedev(1, 3)), "unnamed file": unnamed,
        "mode": lambda p: os.chmod(p, 0o777), "owner": lambda p: os.chown(p, os.getuid() + 1, -1), "times": lambda p: os.utime(p, (1, 1)),
        "attribute": lambda p: os.setxattr(p, "user.harm", b"harm"), "map": mapped, "copy": copied, "handle": handed,
        "allocate": lambda p: os.posix_fallocate(os.open(p, os.O_RDWR), 0, 100), "child": in_child,
        "by the root of this process": lambda p: opened("/proc/self/root" + p, os.O_WRONLY),
        "by the folder of this process": lambda p: opened(f"/proc/self/cwd/../out/{os.path.basename(p)}", os.O_WRONLY),
        "by a descriptor": lambda p: opened(f"/proc/self/fd/{os.open(p, os.O_RDONLY)}", os.O_WRONLY),
        "by a descriptor of the root": lambda p: os.write(os.open(p[1:], os.O_WRONLY, dir_fd=os.open("/", os.O_PATH)), b"harm"),
        "by the root of another": lambda p: opened(f"/proc/{where['pid']}/root{p}", os.O_WRONLY),
        "by the folder of another": lambda p: opened(f"/proc/{where['keeper']}/cwd/out/{os.path.basename(p)}", os.O_WRONLY),
        "by the first process": lambda p: opened(f"/proc/1/root{p}", os.O_WRONLY),
        "by a shell": lambda p: os.system(f"echo harm > '{p}'"), "by the folder above": lambda p: opened(f"{folder}/work/../out/{os.path.basename(p)}", os.O_WRONLY),
        "flags": lambda p: fcntl.ioctl(os.open(p, os.O_RDONLY), 0x40086602, struct.pack("l", 0x40)),
        "remove its folder": lambda p: os.rename(out, out + "-new"), "exchange": lambda p: C.renameat2(-100, p.encode(), -100, f"{folder}/work/seed".encode(), 2),
    }
    return {f"file, {name}": (lambda way=way, path=f"{out}/t{next(numbers):03}": way(path)) for name, way in ways.items()}


def process_attempts(where):
    pid, found = where["pid"], {}
    for name in [it for it in dir(resource) if it.startswith("RLIMIT_")]:
        found[f"limit, {name}"] = lambda number=getattr(resource, name): resource.prlimit(pid, number, (0, 0))
    found["limit of the keeper"] = lambda: resource.prlimit(where["keeper"], resource.RLIMIT_FSIZE, (0, 0))
    low = (ctypes.c_uint * 14)(56, 3)
    handle = lambda: call("pidfd_open", pid, 0)
    found.update({
        "nice": lambda: os.setpriority(os.PRIO_PROCESS, pid, 19), "nice, group": lambda: os.setpriority(os.PRIO_PGRP, os.getpgid(pid), 19),
        "nice, user": lambda: os.setpriority(os.PRIO_USER, 0, 19), "nice, user by number": lambda: os.setpriority(os.PRIO_USER, os.getuid(), 18),
        "affinity": lambda: os.sched_setaffinity(pid, {0}), "scheduler, batch": lambda: os.sched_setscheduler(pid, os.SCHED_BATCH, os.sched_param(0)),
        "scheduler, idle": lambda: os.sched_setscheduler(pid, os.SCHED_IDLE, os.sched_param(0)), "scheduler, parameter": lambda: os.sched_setparam(pid, os.sched_param(0)),
        "scheduler, attributes": lambda: call("sched_setattr", pid, ctypes.byref(low), 0), "scheduler, core": lambda: call("prctl", 62, 2, pid, 0, 0),
        "io": lambda: call("ioprio_set", 1, pid, 3 << 13), "io, group": lambda: call("ioprio_set", 2, os.getpgid(pid), 3 << 13), "io, user": lambda: call("ioprio_set", 3, os.getuid(), 3 << 13),
        "trace": lambda: call("ptrace", 16, pid, 0, 0), "seize": lambda: call("ptrace", 0x4206, pid, 0, 0), "advice": lambda: call("process_madvise", handle(), 0, 0, 21, 0),
        "release": lambda: call("process_mrelease", handle(), 0), "descriptor of another": lambda: must_fail(call("pidfd_getfd", handle(), 0, 0)),
        "compare": lambda: must_fail(call("kcmp", pid, os.getpid(), 0, 0, 0)), "pages": lambda: must_fail(call("move_pages", pid, 0, 0, 0, 0, 0)),
        "nodes": lambda: must_fail(call("migrate_pages", pid, 8, ctypes.byref(ctypes.c_ulong(1)), ctypes.byref(ctypes.c_ulong(1)))),
        "robust list": lambda: must_fail(call("get_robust_list", pid, ctypes.byref(ctypes.c_void_p()), ctypes.byref(ctypes.c_size_t()))),
        "memory, written": lambda: os.write(os.open(f"/proc/{pid}/mem", os.O_RDWR), b"x"), "memory, vector": lambda: must_fail(call("process_vm_writev", pid, ctypes.byref((ctypes.c_void_p * 2)(0, 0)), 1, ctypes.byref((ctypes.c_void_p * 2)(0, 0)), 1, 0)),
        "its namespace": lambda: must_fail(call("setns", os.open(f"/proc/{pid}/ns/mnt", os.O_RDONLY), 0)),
        "its environment": lambda: must_fail(len(open(f"/proc/{pid}/environ").read()) or 1), "its files": lambda: must_fail(len(os.readlink(f"/proc/{pid}/fd/0"))),
    })
    for number in [signal.SIGTERM, signal.SIGKILL, signal.SIGSTOP, signal.SIGUSR1, signal.SIGHUP, signal.SIGCONT]:
        found[f"signal, {number.name}"] = lambda number=number: os.kill(pid, number)
        found[f"signal by thread, {number.name}"] = lambda number=number: call("tgkill", pid, pid, int(number))
        found[f"signal by handle, {number.name}"] = lambda number=number: call("pidfd_send_signal", handle(), int(number), 0, 0)
    found["signal, queued"] = lambda: call("rt_sigqueueinfo", pid, 15, ctypes.byref((ctypes.c_int * 32)(15, 0, -1)))
    found["signal, group"] = lambda: os.killpg(os.getpgid(pid), signal.SIGTERM)
    found["signal, the keeper"] = lambda: os.kill(where["keeper"], signal.SIGKILL)
    found["signal, is there"] = lambda: must_fail(os.kill(pid, 0) is None)

    def owned(command, value):
        first, second = socket.socketpair()
        fcntl.fcntl(first, command, value)
        fcntl.fcntl(first, fcntl.F_SETFL, os.O_ASYNC)
        second.send(b"x")
        time.sleep(0.01)

    found["signal, by a socket"] = lambda: owned(fcntl.F_SETOWN, pid)
    found["signal, by a socket, group"] = lambda: owned(fcntl.F_SETOWN, -os.getpgid(pid))
    found["signal, by a socket, exactly"] = lambda: owned(15, struct.pack("ii", 1, pid))
    for name, value in {"oom_score_adj": "900", "oom_adj": "10", "timerslack_ns": "1", "coredump_filter": "0", "clear_refs": "1",
                        "autogroup": "19", "comm": "harm", "sched": "0", "setgroups": "deny", "uid_map": "0 0 1", "gid_map": "0 0 1",
                        "attr/current": "harm", "loginuid": "7", "make-it-fail": "1", "projid_map": "0 0 1", "timens_offsets": "monotonic 1 0"}.items():
        found[f"proc, {name}"] = lambda name=name, value=value: os.write(os.open(f"/proc/{pid}/{name}", os.O_WRONLY), value.encode())
    found["proc, a thread's name"] = lambda: os.write(os.open(f"/proc/{pid}/task/{pid}/comm", os.O_WRONLY), b"harm")
    return {f"process, {name}": way for name, way in found.items()}


def must_fail(answer):
    """For calls whose success is the harm."""
    if answer is not None and answer is not False:
        raise Harm()


class Harm(Exception):
    pass


def other_attempts(folder, where, offline):
    pts, key = where["pts"], where["key"]
    number = int(pts.rsplit("/", 1)[1])
    found = {
        "terminal, write": lambda: os.write(os.open(pts, os.O_WRONLY | os.O_NOCTTY), b"x"), "terminal, read": lambda: must_fail(os.open(pts, os.O_RDONLY | os.O_NOCTTY | os.O_NONBLOCK) + 1 if same_terminal(pts, where) else None),
        "terminal, by another": lambda: os.write(os.open(f"/proc/{where['keeper']}/fd/{where['slave']}", os.O_WRONLY | os.O_NOCTTY), b"x"),
        "terminal, its other side": lambda: os.write(os.open(f"/proc/{where['keeper']}/fd/{where['master']}", os.O_WRONLY | os.O_NOCTTY), b"x"),
        "terminal, by its number": lambda: os.write(os.open(f"/dev/char/136:{number}", os.O_WRONLY | os.O_NOCTTY), b"x"),
        "terminal, a new device": lambda: (os.mknod(f"{folder}/work/tty", stat.S_IFCHR | 0o600, os.makedev(136, number)), os.write(os.open(f"{folder}/work/tty", os.O_WRONLY | os.O_NOCTTY), b"x")),
        "terminal, by the root of another": lambda: os.write(os.open(f"/proc/{where['keeper']}/root{pts}", os.O_WRONLY | os.O_NOCTTY), b"x"),
        "terminal, typed": lambda: must_fail(fcntl.ioctl(os.openpty()[1], 0x5412, b"x") is not None),
        "shared memory, by number": lambda: ctypes.memmove(attached(where["shm"]), b"harm", 4), "shared memory, by key": lambda: ctypes.memmove(attached(call("shmget", key, 4096, 0)), b"harm", 4),
        "shared memory, removed": lambda: call("shmctl", where["shm"], 0, 0), "queue, by number": lambda: call("msgsnd", where["queue"], ctypes.byref((ctypes.c_long * 2)(1, 1)), 8, 0o4000),
        "queue, by key": lambda: call("msgsnd", call("msgget", key, 0), ctypes.byref((ctypes.c_long * 2)(1, 1)), 8, 0o4000), "queue, removed": lambda: call("msgctl", where["queue"], 0, 0),
        "semaphore, by number": lambda: call("semctl", where["semaphore"], 0, 16, 7), "semaphore, by key": lambda: call("semctl", call("semget", key, 1, 0), 0, 16, 8), "semaphore, removed": lambda: call("semctl", where["semaphore"], 0, 0, 0),
        "posix queue": lambda: call("mq_timedsend", call("mq_open", ctypes.c_char_p(where["mq"].encode()), os.O_WRONLY | os.O_NONBLOCK, 0, 0), ctypes.c_char_p(b"harm"), 4, 0, 0),
        "posix queue, removed": lambda: call("mq_unlink", ctypes.c_char_p(where["mq"].encode())),
        "abstract socket": lambda: connect(socket.AF_UNIX, socket.SOCK_STREAM, "\0" + where["abstract"]), "abstract socket, datagram": lambda: connect(socket.AF_UNIX, socket.SOCK_DGRAM, "\0" + where["abstract"] + "-d"),
        "host name": lambda: call("sethostname", ctypes.c_char_p(b"harm"), 4), "domain name": lambda: must_fail(call("setdomainname", ctypes.c_char_p(b"harm"), 4) + 1),
        "sysctl": lambda: must_fail(os.open("/proc/sys/kernel/core_pattern", os.O_WRONLY) + 1), "sysrq": lambda: must_fail(os.open("/proc/sysrq-trigger", os.O_WRONLY) + 1),
        "cgroup, joined": lambda: must_fail(os.open("/sys/fs/cgroup/cgroup.procs", os.O_WRONLY) + 1), "cgroup, made": lambda: must_fail(os.mkdir(f"/sys/fs/cgroup/siege-{os.getpid()}") is None),
        "kernel memory": lambda: must_fail(os.open("/dev/mem", os.O_RDONLY) + 1), "kernel log": lambda: must_fail(os.open("/dev/kmsg", os.O_WRONLY) + 1), "a loop device": lambda: must_fail(os.open("/dev/loop-control", os.O_RDWR) + 1), "fuse": lambda: must_fail(os.open("/dev/fuse", os.O_RDWR) + 1),
    }
    for name, arguments in {
        "mount": (0, ctypes.c_char_p(b"/tmp"), ctypes.c_char_p(b"tmpfs"), 0, 0), "umount2": (ctypes.c_char_p(b"/tmp"), 2), "pivot_root": (ctypes.c_char_p(b"."), ctypes.c_char_p(b".")),
        "open_tree": (-100, ctypes.c_char_p(b"/"), 1), "fsopen": (ctypes.c_char_p(b"tmpfs"), 0), "mount_setattr": (-100, ctypes.c_char_p(b"/"), 0, ctypes.byref((ctypes.c_ulong * 4)(0, 1)), 32),
        "bpf": (0, 0, 0), "io_uring_setup": (1, ctypes.byref((ctypes.c_char * 120)())), "userfaultfd": (1,), "add_key": (ctypes.c_char_p(b"user"), ctypes.c_char_p(b"siege"), ctypes.c_char_p(b"x"), 1, -4),
        "keyctl": (0, -4, 1), "chroot": (ctypes.c_char_p(b"/"),), "acct": (0,), "init_module": (0, 0, 0), "kexec_load": (0, 0, 0, 0), "swapon": (ctypes.c_char_p(b"/"), 0),
        "perf_event_open": (ctypes.byref((ctypes.c_uint * 32)(1, 128)), 0, -1, -1, 0), "quotactl": (0, 0, 0, 0), "reboot": (0, 0, 0, 0),
    }.items():
        found[f"kernel, {name}"] = lambda name=name, arguments=arguments: must_fail(call(name, *arguments) + 1)
    for name, bit in {"mount": 0x20000, "uts": 0x4000000, "ipc": 0x8000000, "user": 0x10000000, "pid": 0x20000000, "net": 0x40000000, "cgroup": 0x2000000, "time": 0x80}.items():
        found[f"namespace, {name}"] = lambda bit=bit: must_fail(call("unshare", bit) + 1)
    if offline:
        inet = ("127.0.0.1", where["tcp"])
        found.update({
            "network, tcp": lambda: connect(socket.AF_INET, socket.SOCK_STREAM, inet), "network, udp": lambda: connect(socket.AF_INET, socket.SOCK_DGRAM, ("127.0.0.1", where["udp"])),
            "network, tcp by six": lambda: connect(socket.AF_INET6, socket.SOCK_STREAM, ("::ffff:127.0.0.1", where["tcp"])), "network, fast open": lambda: socket.socket().sendto(b"x", 0x20000000, inet),
            "network, raw": lambda: must_fail(socket.socket(socket.AF_INET, socket.SOCK_RAW, 1) is not None), "network, packet": lambda: must_fail(socket.socket(socket.AF_PACKET, socket.SOCK_RAW) is not None),
            "network, netlink": lambda: must_fail(socket.socket(socket.AF_NETLINK, socket.SOCK_RAW, 12) is not None), "network, vsock": lambda: must_fail(socket.socket(40, socket.SOCK_STREAM) is not None),
            "network, mptcp": lambda: socket.socket(socket.AF_INET, socket.SOCK_STREAM, 262).connect(inet), "network, shell": lambda: os.system(f"exec 2> /dev/null; bash -c 'echo x > /dev/tcp/127.0.0.1/{where['tcp']}'"),
        })
    return found


def same_terminal(pts, where):
    """Whether the name still means the terminal outside: in a file system of its own it would be a new one."""
    return os.path.exists(pts)


def attached(number):
    C.shmat.restype = ctypes.c_void_p
    address = C.shmat(number, None, 0)
    if address in (None, 2**64 - 1):
        raise OSError(ctypes.get_errno(), "shmat")
    return address


def connect(family, kind, address):
    with socket.socket(family, kind) as it:
        it.settimeout(1)
        it.connect(address)
        it.send(b"x")


# Without a sandbox these do harm to nothing but what was set up for it: they show that the test can fail.
HARMLESS = ("file,", "terminal, write", "shared memory", "queue", "semaphore", "posix", "abstract", "process, limit, RLIMIT_C",
            "process, affinity", "process, io", "process, nice", "process, proc, oom", "process, signal, SIGSTOP", "network, ")


def inside(folder, where, offline, control):
    tried, harm = 0, []
    attempts = {**file_attempts(folder, where), **other_attempts(folder, where, offline), **process_attempts(where)}
    if control:
        attempts = {name: it for name, it in attempts.items() if name.startswith(HARMLESS) and not name.endswith(("user", "by number"))}
    for name, attempt in attempts.items():
        tried += 1
        try:
            attempt()
        except Harm:
            harm.append(f"let through: {name}")
        except BaseException:  # Refused in some way: that is what is hoped for.
            pass
    print(json.dumps({"tried": tried, "harm": harm}), flush=True)


if __name__ == "__main__":
    if sys.argv[1] == "outside":
        outside(sys.argv[2])
    else:
        inside(sys.argv[2], json.loads(sys.argv[3]), sys.argv[4] == "off", sys.argv[1] == "control")
