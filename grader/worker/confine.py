"""Takes rights away from the process that calls it, for good: resource limits, Landlock, seccomp, capabilities.

None of this needs privileges. It is Linux only; elsewhere resource limits are what there is, and ``grade doctor``
says so. Everything here goes through ctypes, since Python has no wrapper for these system calls.

Sources: the kernel's Documentation/userspace-api/{landlock,seccomp_filter}.rst and its system call tables.
"""

from __future__ import annotations

import ctypes
import errno
import os
import platform
import resource
import stat
import struct
import sys
from functools import cache, cached_property

LINUX = sys.platform == "linux"

PR_SET_PDEATHSIG = 1
PR_GET_SECCOMP = 21
PR_SET_NO_NEW_PRIVS = 38
PR_SET_CHILD_SUBREAPER = 36
SIGKILL = 9


@cache
def _libc() -> ctypes.CDLL:
    return ctypes.CDLL(None, use_errno=True)


def prctl(option: int, value: int) -> None:
    """Sets an option of the calling process, where the system has such options.

    Raises:
        OSError: the kernel refused.
    """
    if LINUX:
        _checked(_libc().prctl(option, value, 0, 0, 0), f"prctl {option}")


def mapped_bytes() -> int:
    """Address space that the calling process has mapped (numpy's libraries mostly); 0 where it cannot be known."""
    try:
        with open("/proc/self/statm", encoding="ascii") as statm:
            return int(statm.read().split()[0]) * resource.getpagesize()
    except OSError:
        return 0


def limit_resources(address_bytes: int, cpu_s: int, processes: int) -> None:
    """Sets the limits of the calling process, hard ones, so that it cannot raise them again.

    Args:
        address_bytes: address space, with all that is already mapped.
        cpu_s: seconds of CPU time; the kernel kills the process one second after.
        processes: how many processes its user may have, in its namespace; 0 leaves that limit alone.
    """
    limits = {
        resource.RLIMIT_CORE: 0,
        resource.RLIMIT_CPU: cpu_s,
        resource.RLIMIT_FSIZE: 0,
        resource.RLIMIT_NOFILE: 64,
    }
    if LINUX:
        limits[resource.RLIMIT_AS] = address_bytes
    if processes:
        limits[resource.RLIMIT_NPROC] = processes
    for name, wanted in limits.items():
        ceiling = resource.getrlimit(name)[1]
        most = sys.maxsize if ceiling == resource.RLIM_INFINITY else ceiling
        hard = wanted + 1 if name == resource.RLIMIT_CPU else wanted
        resource.setrlimit(name, (min(wanted, most), min(hard, most)))


def drop_capabilities() -> None:
    """Empties the capability sets, so that root in a bare process is no more than an ordinary user.

    Raises:
        OSError: the kernel refused.
    """
    if LINUX:
        version_3 = 0x20080522
        header = (ctypes.c_uint32 * 2)(version_3, 0)
        _checked(_libc().capset(header, (ctypes.c_uint32 * 6)()), "capset")


# --- Landlock -------------------------------------------------------------------------------------------------

SYS_LANDLOCK_CREATE_RULESET = 444
SYS_LANDLOCK_ADD_RULE = 445
SYS_LANDLOCK_RESTRICT_SELF = 446
LANDLOCK_EXECUTE_READ = 0b1101  # execute, read file, read directory
LANDLOCK_READ_FILE = 0b0101  # execute and read, for a rule on a file
LANDLOCK_LIST = 0b1000
# How many file rights each version of the interface knows: truncate came with 3, ioctl with 5.
LANDLOCK_FILE_RIGHTS = {1: 13, 2: 14, 3: 15, 4: 15, 5: 16}


def landlock_abi() -> int:
    """The kernel's Landlock version, 0 where there is none."""
    if not LINUX:
        return 0
    return max(0, int(_libc().syscall(SYS_LANDLOCK_CREATE_RULESET, None, 0, 1)))


def landlock(readable: list[str], listable: list[str]) -> int:
    """Forbids the calling process everything in the file system but reading below the paths given.

    In the folders of the second list it may see the names, no more.

    Depending on the kernel TCP (version 4) and signals and abstract sockets to the outside (6) are shut as well.

    Returns:
        The Landlock version in force.

    Raises:
        OSError: the kernel has no Landlock, or refused.
    """
    abi = landlock_abi()
    if abi == 0:
        raise OSError(errno.ENOSYS, "this kernel has no Landlock")
    libc = _libc()
    listing = set(listable)
    rights = (1 << LANDLOCK_FILE_RIGHTS.get(abi, 16)) - 1
    attributes = struct.pack("<QQQ", rights, 0b11 if abi >= 4 else 0, 0b11 if abi >= 6 else 0)
    size = 24 if abi >= 6 else 16 if abi >= 4 else 8
    ruleset = _checked(libc.syscall(SYS_LANDLOCK_CREATE_RULESET, attributes, size, 0), "create_ruleset")
    for path in [*readable, *listable]:
        try:
            handle = os.open(path, os.O_PATH | os.O_CLOEXEC)
        except OSError:
            continue  # the list names what may be there; what is not there needs no right
        folder = stat.S_ISDIR(os.fstat(handle).st_mode)
        allowed = (LANDLOCK_LIST if path in listing else LANDLOCK_EXECUTE_READ) if folder else LANDLOCK_READ_FILE
        rule = struct.pack("<Qi", allowed, handle)
        _checked(libc.syscall(SYS_LANDLOCK_ADD_RULE, ruleset, 1, rule, 0), "add_rule")
        os.close(handle)
    prctl(PR_SET_NO_NEW_PRIVS, 1)
    _checked(libc.syscall(SYS_LANDLOCK_RESTRICT_SELF, ruleset, 0), "restrict_self")
    os.close(ruleset)
    return abi


def _checked(result: int, what: str) -> int:
    if result < 0:
        code = ctypes.get_errno()
        raise OSError(code, f"{what}: {os.strerror(code)}")
    return result


# --- seccomp --------------------------------------------------------------------------------------------------

# (x86_64, aarch64); None where an architecture has no such call.
FORBIDDEN: dict[str, tuple[int | None, int | None]] = {
    # starting processes and programs
    "fork": (57, None), "vfork": (58, None), "execve": (59, 221), "execveat": (322, 281),
    # other processes
    "ptrace": (101, 117), "process_vm_readv": (310, 270), "process_vm_writev": (311, 271), "kcmp": (312, 272),
    "rt_sigqueueinfo": (129, 138), "rt_tgsigqueueinfo": (297, 240), "pidfd_send_signal": (424, 424),
    "pidfd_open": (434, 434), "pidfd_getfd": (438, 438), "process_madvise": (440, 440),
    "process_mrelease": (448, 448), "migrate_pages": (256, 238), "move_pages": (279, 239),
    "setpriority": (141, 140), "ioprio_set": (251, 30),
    "sched_setparam": (142, 118), "sched_setscheduler": (144, 119), "sched_setaffinity": (203, 122),
    "sched_setattr": (314, 274), "setrlimit": (160, 164),
    # sockets (from a pair of datagram sockets, too, one can send to any other that has a name)
    "socket": (41, 198), "socketpair": (53, 199),
    # shared memory, queues
    "shmget": (29, 194), "shmctl": (31, 195), "shmat": (30, 196), "semget": (64, 190),
    "semctl": (66, 191), "semtimedop": (220, 192), "semop": (65, 193), "msgget": (68, 186), "msgctl": (71, 187),
    "msgrcv": (70, 188), "msgsnd": (69, 189), "mq_open": (240, 180), "mq_unlink": (241, 181),
    # changing the file system; opening for writing is told apart by its flags, below
    "creat": (85, None), "rename": (82, None), "renameat": (264, 38), "renameat2": (316, 276),
    "mkdir": (83, None), "mkdirat": (258, 34), "rmdir": (84, None), "link": (86, None), "linkat": (265, 37),
    "unlink": (87, None), "unlinkat": (263, 35), "symlink": (88, None), "symlinkat": (266, 36),
    "mknod": (133, None), "mknodat": (259, 33), "chmod": (90, None), "fchmod": (91, 52), "fchmodat": (268, 53),
    "fchmodat2": (452, 452), "chown": (92, None), "fchown": (93, 55), "lchown": (94, None),
    "fchownat": (260, 54), "truncate": (76, 45), "utime": (132, None), "utimes": (235, None),
    "futimesat": (261, None), "utimensat": (280, 88), "setxattr": (188, 5), "lsetxattr": (189, 6),
    "fsetxattr": (190, 7), "removexattr": (197, 14), "lremovexattr": (198, 15), "fremovexattr": (199, 16),
    "memfd_create": (319, 279), "memfd_secret": (447, 447), "sync": (162, 81), "syncfs": (306, 267),
    "name_to_handle_at": (303, 264), "open_by_handle_at": (304, 265),
    # mounts and namespaces
    "mount": (165, 40), "umount2": (166, 39), "pivot_root": (155, 41), "chroot": (161, 51), "unshare": (272, 97),
    "setns": (308, 268), "open_tree": (428, 428), "move_mount": (429, 429), "fsopen": (430, 430),
    "fsconfig": (431, 431), "fsmount": (432, 432), "fspick": (433, 433), "mount_setattr": (442, 442),
    # the kernel itself
    "bpf": (321, 280), "perf_event_open": (298, 241), "userfaultfd": (323, 282), "add_key": (248, 217),
    "request_key": (249, 218), "keyctl": (250, 219), "init_module": (175, 105), "finit_module": (313, 273),
    "delete_module": (176, 106), "kexec_load": (246, 104), "kexec_file_load": (320, 294), "reboot": (169, 142),
    "swapon": (167, 224), "swapoff": (168, 225), "syslog": (103, 116), "acct": (163, 89), "iopl": (172, None),
    "ioperm": (173, None), "modify_ldt": (154, None), "personality": (135, 92), "vhangup": (153, 58),
    "quotactl": (179, 60), "quotactl_fd": (443, 443), "settimeofday": (164, 170), "clock_settime": (227, 112),
    "clock_adjtime": (305, 266), "adjtimex": (159, 171), "sethostname": (170, 161), "setdomainname": (171, 162),
    "fanotify_init": (300, 262),
}  # fmt: skip
# Answered with "no such call": the C library then takes the older call, whose flags a filter can read.
ABSENT: dict[str, tuple[int | None, int | None]] = {
    "clone3": (435, 435), "openat2": (437, 437),
    "io_uring_setup": (425, 425), "io_uring_enter": (426, 426), "io_uring_register": (427, 427),
}  # fmt: skip
NEWEST_KNOWN = 462
OPENS: dict[str, tuple[tuple[int | None, int | None], int]] = {
    "open": ((2, None), 1),
    "openat": ((257, 56), 2),
}  # and which argument holds the flags
CLONE = (56, 220)
SIGNALS = {"kill": (62, 129), "tkill": (200, 130), "tgkill": (234, 131)}
PRLIMIT = (302, 261)
FCNTL, IOCTL, PRCTL = (72, 25), (16, 29), (157, 167)
FCNTL_OWNER = (8, 10, 15)  # F_SETOWN, F_SETSIG, F_SETOWN_EX: signals to others by way of a file
IOCTL_OWNER = (0x8901, 0x8902, 0x5412, 0x541C)  # FIOSETOWN, SIOCSPGRP, TIOCSTI, TIOCLINUX

ARCHITECTURES = {"x86_64": (0, 0xC000003E), "aarch64": (1, 0xC00000B7)}

WRITING = os.O_WRONLY | os.O_RDWR | os.O_CREAT | os.O_TRUNC
CLONE_THREAD = 0x10000

ITSELF = 0xFFFFFFFF  # which is no process
LOAD, JUMP_EQUAL, JUMP_GREATER, JUMP_BITS, RETURN = 0x20, 0x15, 0x25, 0x45, 0x06
ALLOW, KILL, DENY = 0x7FFF0000, 0x80000000, 0x00050000


@cache
def seccomp_available() -> bool:
    """Whether this system, architecture and kernel have the filter."""
    known = LINUX and platform.machine() in ARCHITECTURES and struct.calcsize("P") == 8
    return known and int(_libc().prctl(PR_GET_SECCOMP, 0, 0, 0, 0)) >= 0


@cache
def reading_filter() -> Filter:
    """A program that shuts a process off from other processes, sockets and every change of the file system.

    Threads and reading files stay possible. What is forbidden answers with an ordinary error, so the learner's code
    gets an exception with a line, rather than a dead process.
    """
    return Filter(*ARCHITECTURES[platform.machine()])


@cache
def no_opening_filter() -> Filter:
    """A program on top of the other that opens no file at all; of several programs the strictest answer counts."""
    return Filter(*ARCHITECTURES[platform.machine()], only_opens=True)


def seccomp(program: bytes) -> None:
    """Has the kernel run a program before each system call of the calling process, for good.

    Raises:
        OSError: the kernel refused.
    """
    buffer = ctypes.create_string_buffer(program, len(program))
    description = struct.pack("<HxxxxxxQ", len(program) // 8, ctypes.addressof(buffer))
    prctl(PR_SET_NO_NEW_PRIVS, 1)
    set_mode_filter = 2
    pr_set_seccomp = 22
    result = _libc().prctl(pr_set_seccomp, set_mode_filter, ctypes.c_char_p(description), 0, 0)
    _checked(result, "seccomp")


class Filter:
    """A classic BPF program: a list of (code, jump if true, jump if false, operand).

    Writing one takes longer than all else that confines a process, so the zygote writes it, once; the process that it
    is for puts its own number where ``ITSELF`` stands.
    """

    def __init__(self, column: int, architecture: int, *, only_opens: bool = False) -> None:
        self.code: list[tuple[int, int, int, int]] = []
        self.column = column
        denied = DENY | errno.EPERM
        absent = DENY | errno.ENOSYS
        self.emit(LOAD, 4)
        self.emit(JUMP_EQUAL, architecture, 1, 0)
        self.emit(RETURN, KILL)
        self.emit(LOAD, 0)
        self.emit(JUMP_GREATER, NEWEST_KNOWN, 0, 1)  # also the other numbering of x86_64, which starts at 2**30
        self.emit(RETURN, absent)
        if only_opens:
            for numbers, _ in OPENS.values():
                self.when(numbers, [(RETURN, 0, 0, DENY | errno.EACCES)])
            self.emit(RETURN, ALLOW)
            return
        for numbers in ABSENT.values():
            self.when(numbers, [(RETURN, 0, 0, absent)])
        for numbers in FORBIDDEN.values():
            self.when(numbers, [(RETURN, 0, 0, denied)])
        for numbers, flags in OPENS.values():
            writing = [*self.argument(flags), (JUMP_BITS, 0, 1, WRITING), (RETURN, 0, 0, DENY | errno.EACCES)]
            self.when(numbers, writing)
        self.when(CLONE, [*self.argument(0), (JUMP_BITS, 1, 0, CLONE_THREAD), (RETURN, 0, 0, denied)])
        for numbers in SIGNALS.values():
            self.when(numbers, [*self.argument(0), (JUMP_EQUAL, 1, 0, ITSELF), (RETURN, 0, 0, denied)])
        new_limit = 2
        for half in (0, 4):
            self.when(PRLIMIT, [*self.argument(new_limit, half), (JUMP_EQUAL, 1, 0, 0), (RETURN, 0, 0, denied)])
        # The last of them, since the child has to end when the zygote does.
        commanded = ((FCNTL, 1, FCNTL_OWNER), (IOCTL, 1, IOCTL_OWNER), (PRCTL, 0, (PR_SET_PDEATHSIG,)))
        for call, at, commands in commanded:
            for command in commands:
                self.when(call, [*self.argument(at), (JUMP_EQUAL, 0, 1, command), (RETURN, 0, 0, denied)])
        self.emit(RETURN, ALLOW)

    def emit(self, code: int, operand: int, if_true: int = 0, if_false: int = 0) -> None:
        """Adds one instruction."""
        self.code.append((code, if_true, if_false, operand))

    def when(self, numbers: tuple[int | None, int | None], body: list[tuple[int, int, int, int]]) -> None:
        """Runs the body for one call; the body ends with a return and may jump just past it."""
        number = numbers[self.column]
        if number is not None:
            self.emit(JUMP_EQUAL, number, 0, len(body) + 1)
            self.code.extend(body)
            self.emit(LOAD, 0)  # a body may have loaded an argument: the number comes back for the next test

    @staticmethod
    def argument(index: int, half: int = 0) -> list[tuple[int, int, int, int]]:
        """Loads half of an argument of the call, or of what the call points to."""
        return [(LOAD, 0, 0, 16 + 8 * index + half)]

    @cached_property
    def template(self) -> tuple[bytes, list[int]]:
        """The program's bytes, and where in them the number of the process belongs."""
        places = [8 * at + 4 for at, instruction in enumerate(self.code) if instruction[3] == ITSELF]
        return b"".join(struct.pack("<HBBI", *instruction) for instruction in self.code), places

    def __bytes__(self) -> bytes:
        """The program for the calling process."""
        code, places = self.template
        program = bytearray(code)
        for place in places:
            struct.pack_into("<I", program, place, os.getpid())
        return bytes(program)
