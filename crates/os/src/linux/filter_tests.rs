//! The seccomp filter, carried out as the kernel does.

use super::*;
use runward_core::sandbox::Layer;

/// What the kernel would answer: the program is carried out as the kernel does.
fn answer(program: &[u8], machine: u32, call: u32, arguments: [u64; 6]) -> u32 {
    let word = |at: u32| match at {
        CALL => call,
        MACHINE_AT => machine,
        at => {
            let (argument, half) = ((at - ARGUMENTS) / 8, (at - ARGUMENTS) % 8);
            (arguments[argument as usize] >> (half * 8)) as u32
        }
    };
    let (mut at, mut held) = (0_usize, 0_u32);
    loop {
        let op = &program[at * INSTRUCTION..(at + 1) * INSTRUCTION];
        let number = u32::from_ne_bytes([op[4], op[5], op[6], op[7]]);
        let holds = match u16::from_ne_bytes([op[0], op[1]]) {
            LOAD => {
                held = word(number);
                at += 1;
                continue;
            }
            IF_EQUAL => held == number,
            IF_GREATER_OR_EQUAL => held >= number,
            IF_ANY_BIT => held & number != 0,
            RETURN => return number,
            other => panic!("no such instruction: {other:#x}"),
        };
        at += 1 + usize::from(if holds { op[2] } else { op[3] });
    }
}

const DENIED: u32 = ERROR | 1;
const UNKNOWN: u32 = ERROR | 38;

fn plan(network: &Network) -> SandboxPlan {
    // A trial is without a network; a plan that is off has one, and its list is the same.
    if *network == Network::Off { SandboxPlan::trial(vec![Layer::Seccomp]) } else { SandboxPlan::default() }
}

/// A plan with a network of its own, and the program for it.
fn says_apart(name: &str, arguments: &[u64]) -> u32 {
    let mut all = [0; 6];
    all[..arguments.len()].copy_from_slice(arguments);
    let apart = SandboxPlan::trial(vec![Layer::Namespaces]);
    answer(of(&apart), MACHINE, number(name).expect("a call of this machine"), all)
}

fn says(network: &Network, name: &str, arguments: &[u64]) -> u32 {
    let mut all = [0; 6];
    all[..arguments.len()].copy_from_slice(arguments);
    answer(of(&plan(network)), MACHINE, number(name).expect("a call of this machine"), all)
}

#[test]
fn every_call_gets_the_answer_of_the_list_and_no_other() {
    for network in [Network::On, Network::Off] {
        let list = plan(&network).denied_calls();
        let always: Vec<u32> = list
            .iter()
            .filter(|call| call.when == When::Always)
            .filter_map(|call| number(call.name))
            .collect();
        let sometimes: Vec<u32> = list
            .iter()
            .filter(|call| call.when != When::Always)
            .filter_map(|call| number(call.name))
            .collect();
        for call in (0..1000).filter(|call| !sometimes.contains(call)) {
            let expected = match () {
                () if always.contains(&call) => DENIED,
                () if Some(call) == number(UNKNOWN_CALL) => UNKNOWN,
                () => ALLOW,
            };
            assert_eq!(answer(of(&plan(&network)), MACHINE, call, [0; 6]), expected, "{call}");
        }
    }
}

#[test]
fn every_name_of_the_list_is_known_where_it_exists() {
    for call in plan(&Network::Off).denied_calls() {
        let elsewhere = ["iopl", "ioperm"].contains(&call.name) && cfg!(not(target_arch = "x86_64"));
        assert!(elsewhere || number(call.name).is_some(), "{}", call.name);
    }
}

#[test]
fn arguments_decide_where_they_should() {
    let on = |name, arguments: &[u64]| says(&Network::On, name, arguments);
    assert_eq!(on("ioctl", &[0, 0x5412]), DENIED);
    assert_eq!(on("ioctl", &[0, 0x541c]), DENIED);
    assert_eq!(on("ioctl", &[0, 0x7fff_0000_5412]), DENIED, "the kernel does not look at the upper half");
    assert_eq!(on("ioctl", &[0, 0x5413]), ALLOW);
    for bit in [0x0002_0000, 0x0200_0000, 0x0400_0000, 0x0800_0000, 0x1000_0000, 0x2000_0000, 0x4000_0000] {
        assert_eq!(on("clone", &[bit | 17]), DENIED, "{bit:#x}");
        assert_eq!(on("unshare", &[bit]), DENIED, "{bit:#x}");
    }
    assert_eq!(on("clone", &[0x0100_0000 | 0x3d0f00 & !0x0002_0000]), ALLOW, "a thread");
    assert_eq!(on("unshare", &[0x80]), DENIED);
    assert_eq!(on("unshare", &[0x400]), ALLOW);
    assert_eq!(on("socket", &[2]), ALLOW);
    assert_eq!(says(&Network::Off, "socket", &[1]), ALLOW);
    for family in [0, 2, 10, 16, 17, 40] {
        assert_eq!(says(&Network::Off, "socket", &[family]), DENIED, "{family}");
    }
}

#[test]
fn in_a_network_of_its_own_only_usual_sockets_are_made() {
    let kinds = [(1, 0), (2, 0), (2, 6), (2, 17), (2, 262), (10, 0), (10, 6), (10, 17), (16, 0)];
    for (family, protocol) in kinds {
        assert_eq!(says_apart("socket", &[family, 1, protocol]), ALLOW, "{family} {protocol}");
    }
    for family in (0..64).filter(|family| ![1, 2, 10, 16].contains(family)) {
        assert_eq!(says_apart("socket", &[family, 3, 0]), DENIED, "{family}");
    }
    // ICMP, SCTP, raw; of netlink, everything but addresses and routes: 6 is its IPsec, 9 its audit, 12 its firewall.
    for (family, protocol) in
        [(2, 1), (2, 132), (2, 255), (10, 58), (10, 255), (16, 6), (16, 9), (16, 12), (16, 17)]
    {
        assert_eq!(says_apart("socket", &[family, 2, protocol]), DENIED, "{family} {protocol}");
    }
    assert_eq!(
        says_apart("socket", &[0x1_0000_0011, 3, 0]),
        DENIED,
        "the kernel does not look at the upper half"
    );
    assert_eq!(says_apart("ioctl", &[0, 0x5412]), DENIED, "and the rest of the list holds");
}

#[test]
fn a_process_may_change_itself_and_no_other() {
    let on = |name, arguments: &[u64]| says(&Network::On, name, arguments);
    for name in [
        "prlimit64",
        "sched_setaffinity",
        "sched_setscheduler",
        "sched_setparam",
        "sched_setattr",
        "migrate_pages",
        "move_pages",
        "get_robust_list",
    ] {
        assert_eq!(on(name, &[0]), ALLOW, "{name}");
        for other in [1, 4711, u64::from(u32::MAX), u64::MAX, 0x1_0000_0001] {
            assert_eq!(on(name, &[other]), DENIED, "{name} {other}");
        }
        assert_eq!(on(name, &[0x1_0000_0000]), ALLOW, "{name}: the kernel does not look at the upper half");
    }
    for (name, process, user) in [("setpriority", 0, 2), ("ioprio_set", 1, 3)] {
        assert_eq!(on(name, &[process, 0, 5]), ALLOW, "{name}");
        assert_eq!(on(name, &[process + 1, 0, 5]), ALLOW, "{name}: its own group");
        assert_eq!(on(name, &[process, 4711, 5]), DENIED, "{name}");
        assert_eq!(on(name, &[process + 1, 4711, 5]), DENIED, "{name}");
        assert_eq!(on(name, &[user, 0, 5]), DENIED, "{name}: every process of this user");
    }
    assert_eq!(on("prctl", &[62, 2, 4711]), DENIED);
    assert_eq!(on("prctl", &[38, 1]), ALLOW);
}

#[test]
fn another_machine_and_another_numbering_get_nowhere() {
    let program = of(&plan(&Network::On));
    assert_eq!(answer(program, 0x4000_0003, 20, [0; 6]), KILL, "calls of 32 bits");
    for call in [0, 1, 165, 520] {
        assert_eq!(answer(program, MACHINE, OTHER_ABI | call, [0; 6]), UNKNOWN);
    }
}

#[test]
fn a_number_is_found_in_a_few_steps() {
    assert!(of(&plan(&Network::Off)).len() / INSTRUCTION < 200);
    assert!(of(&SandboxPlan::trial(vec![Layer::Namespaces])).len() / INSTRUCTION < 220);
}
