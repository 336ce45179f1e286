import { longestRequest, requestAddress, requestWords } from "./request-layout.ts";

/** How people and tests know a slot. By its name as well, so that who ends all of Perl does not end what others have started. */
export const slotName = "frond-slot";

/** Of a line of the process table, which is written behind the request. */
const longestReport = 1024;

/** Perl can make these calls only by their numbers; on other processors there are no slots. */
interface CallNumbers {
  readonly read: number;
  readonly write: number;
  readonly close: number;
  readonly openat: number;
  readonly chdir: number;
  readonly mmap: number;
  readonly clone: number;
  readonly execve: number;
  readonly setsid: number;
}

const x64 = { read: 0, write: 1, close: 3, openat: 257, chdir: 80, mmap: 9, clone: 56, execve: 59, setsid: 112 };
const generic = {
  read: 63,
  write: 64,
  close: 57,
  openat: 56,
  chdir: 49,
  mmap: 222,
  clone: 220,
  execve: 221,
  setsid: 157,
};
const callNumbers: Partial<Record<NodeJS.Architecture, CallNumbers>> = { x64, arm64: generic, riscv64: generic };

/**
 * What a slot runs: it reads a request, makes the command of it, waits for its end, says how it ended, and reads the next. Requests
 * and replies have one socket, which no command inherits, and which can't be opened by a name in /proc as a pipe could be.
 *
 * A child says `s` and its line of the process table when nothing but its program is missing, so an engine that has not heard that by the end of
 * the socket knows that the command has never run. It opens what is open in the engine only after it leads its session: so there is no
 * command that starts after the engine's death and was not there to be found by the supervisor. `o` and a number: something could not be
 * opened, which says nothing about the command; `x`: its directory or program could not be used; `e`: how the child has ended.
 *
 * To touch memory is what costs most, in the child and in the slot behind it. So the child makes nothing but system calls, of what lies
 * in the request. What the system does not take for a program Perl starts as any C library does, which looks in PATH, too. Perl ignores
 * SIGFPE for itself, and a command would inherit that.
 */
export function slotProgram(): string | undefined {
  const call = callNumbers[process.arch];
  if (process.platform !== "linux" || call === undefined) return undefined;
  return `
open(TEXT, "<", "/dev/null") && fileno(TEXT) == 3 or exit 1;
open(my $engine, "+<&", 1) && open(STDOUT, ">", "/dev/null") or exit 1;
$0 = "${slotName}";
my $socket = fileno($engine);
my $stat = "/proc/self/stat";
$SIG{FPE} = "DEFAULT";
my $request = ${requestAddress};
syscall(${call.mmap}, $request, ${longestRequest + longestReport}, 3, 0x100022, -1, 0) == $request or exit 1;
sub memory { unpack("P$_[1]", pack("J", $_[0])) }
sub say_to_engine { syswrite($engine, join("", @_) . "\\n") or exit }
for (;;) {
  my ($length, $size) = (0, 8);
  while ($length < $size) {
    my $read = syscall(${call.read}, $socket, $request + $length, ${longestRequest} - $length);
    $read > 0 or exit;
    $length += $read;
    $size = unpack("J", memory($request, 8)) if $length >= 8;
  }
  my (${["undef", ...requestWords.slice(1).map((word) => `$${word}`)].join(", ")}) = unpack("J*", memory($request, ${8 * requestWords.length}));
  my $child = syscall(${call.clone}, 17, 0, 0, 0, 0);
  if ($child == 0) {
    my ($reason, $self, $line) = "o";
    if (syscall(${call.setsid}) > 0
      && syscall(${call.close}, 0) == 0 && syscall(${call.openat}, -100, $stdin, 0) == 0
      && syscall(${call.close}, 1) == 0 && syscall(${call.openat}, -100, $stdout, 1) == 1
      && syscall(${call.close}, 2) == 0 && syscall(${call.openat}, -100, $stderr, 1) == 2
      && (!$text || syscall(${call.close}, 3) == 0 && syscall(${call.openat}, -100, $text, 0) == 3)
      && ($reason = "x") && syscall(${call.chdir}, $cwd) == 0
      && ($reason = "o") && ($self = syscall(${call.openat}, -100, $stat, 02000000)) > 0
      && ($line = syscall(${call.read}, $self, $report + 1, ${longestReport - 1})) > 0
      && syscall(${call.write}, $socket, $report, $line + 1) > 0) {
      syscall(${call.execve}, $file, $argv, $envp);
      my @strings = split(/\\0/, memory($strings, $stringsSize), -1);
      my @command = splice(@strings, 0, $argumentCount);
      %ENV = map { split(/=/, $_, 2) } @strings;
      exec { $command[0] } @command;
      $reason = "x";
    }
    say_to_engine($reason, $! + 0);
    exit 127;
  }
  if ($child < 0) {
    say_to_engine("o", $! + 0);
    say_to_engine("e0");
    next;
  }
  waitpid($child, 0);
  say_to_engine("e", $?);
}
`;
}
