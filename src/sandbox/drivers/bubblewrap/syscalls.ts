/**
 * System calls that the sandbox refuses. The list answers to one question each: does it reach what the namespaces don't cover (sockets of the
 * host, the kernel's own state), undo a limit (affinity, memory that no process owns), or inspect other processes?
 * Numbers: [x86_64, arm64] from the kernel's unistd.h; null where the architecture has none.
 */
type Numbers = readonly [x64: number | null, arm64: number | null];

export const DENIED: Readonly<Record<string, Numbers>> = {
  // No new sockets of any family: vsock, netlink and kernel crypto are not covered by the network namespace.
  socket: [41, 198],
  // Other processes.
  ptrace: [101, 117],
  process_vm_readv: [310, 270],
  process_vm_writev: [311, 271],
  process_madvise: [440, 440],
  kcmp: [312, 272],
  pidfd_getfd: [438, 438],
  // Mounts and namespaces.
  mount: [165, 40],
  umount2: [166, 39],
  pivot_root: [155, 41],
  chroot: [161, 51],
  unshare: [272, 97],
  setns: [308, 268],
  open_tree: [428, 428],
  move_mount: [429, 429],
  fsopen: [430, 430],
  fsconfig: [431, 431],
  fsmount: [432, 432],
  fspick: [433, 433],
  mount_setattr: [442, 442],
  name_to_handle_at: [303, 264],
  open_by_handle_at: [304, 265],
  quotactl: [179, 60],
  quotactl_fd: [443, 443],
  // Memory that belongs to no process, and so to no process's limit.
  memfd_create: [319, 279],
  memfd_secret: [447, 447],
  shmget: [29, 194],
  shmat: [30, 196],
  msgget: [68, 186],
  semget: [64, 190],
  mq_open: [240, 180],
  // One processor: the parent pins it.
  sched_setaffinity: [203, 122],
  sched_setscheduler: [144, 119],
  sched_setattr: [314, 274],
  sched_setparam: [142, 118],
  ioprio_set: [251, 30],
  migrate_pages: [256, 238],
  move_pages: [279, 239],
  mbind: [237, 235],
  set_mempolicy: [238, 237],
  set_mempolicy_home_node: [450, 450],
  // Parts of the kernel with a long record of holes, of no use to a small program.
  bpf: [321, 280],
  perf_event_open: [298, 241],
  userfaultfd: [323, 282],
  io_uring_setup: [425, 425],
  io_uring_enter: [426, 426],
  io_uring_register: [427, 427],
  add_key: [248, 217],
  request_key: [249, 218],
  keyctl: [250, 219],
  fanotify_init: [300, 262],
  vmsplice: [278, 75],
  remap_file_pages: [216, 234],
  personality: [135, 92],
  lookup_dcookie: [212, 18],
  modify_ldt: [154, null],
  // The machine.
  swapon: [167, 224],
  swapoff: [168, 225],
  reboot: [169, 142],
  kexec_load: [246, 104],
  kexec_file_load: [320, 294],
  init_module: [175, 105],
  finit_module: [313, 273],
  delete_module: [176, 106],
  acct: [163, 89],
  syslog: [103, 116],
  settimeofday: [164, 170],
  clock_settime: [227, 112],
  adjtimex: [159, 171],
  clock_adjtime: [305, 266],
  vhangup: [153, 58],
  sethostname: [170, 161],
  setdomainname: [171, 162],
  iopl: [172, null],
  ioperm: [173, null],
};

export const CLONE: Numbers = [56, 220];
export const CLONE3: Numbers = [435, 435];
export const MMAP: Numbers = [9, 222];

/** The newest call that was looked at (fchmodat2). Later ones are "not implemented", which every C library copes with. */
export const NEWEST = 452;
