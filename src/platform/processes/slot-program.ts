/** The call that makes a session, which Perl can make only by its number; on other processors there are no slots. */
const setsidNumbers: Partial<Record<NodeJS.Architecture, number>> = { x64: 112, arm64: 157, riscv64: 157 };

/** In a slot's command line, so that people and tests know one. */
export const slotName = "frond-slot";

/**
 * What a slot runs: it reads a request, makes the command of it, waits for its end, says how it ended, and reads the next. Requests
 * and replies have one socket, which no command inherits, and which can't be opened by a name in /proc as a pipe could be.
 *
 * A child says `s`, its id and when it started when nothing but its program is missing, so whoever has not heard that by the end of the socket knows
 * that the command has never run. It opens what is open in the engine only after it leads its session: so there is no command that
 * starts after the engine's death and was not there to be found by the supervisor. `o` and a number: something could not be opened,
 * which says nothing about the command; `x`: its directory or program could not be used; `e`: how the child has ended.
 */
export function slotProgram(): string | undefined {
  const setsid = setsidNumbers[process.arch];
  if (process.platform !== "linux" || setsid === undefined) return undefined;
  return `
$^F = 3;
open(TEXT, "<", "/dev/null") && fileno(TEXT) == 3 or exit 1;
open(my $engine, "+<&", 1) && open(STDOUT, ">", "/dev/null") or exit 1;
sub say_to_engine { syswrite($engine, join("", @_) . "\\n") or exit }
sub start_time {
  my ($file, $stat);
  sysopen($file, "/proc/self/stat", 0) && sysread($file, $stat, 4096) or return "";
  return (split(/ /, substr($stat, rindex($stat, ")") + 2)))[19];
}
for (;;) {
  my $request = "";
  my $size = 4;
  while (length($request) < $size) {
    sysread($engine, $request, $size - length($request), length($request)) or exit;
    $size = 4 + unpack("N", $request) if length($request) == 4;
  }
  my $child = fork;
  if (!defined $child) {
    say_to_engine("o", $! + 0);
    say_to_engine("e0");
    next;
  }
  if ($child == 0) {
    syscall(${setsid});
    my ($in, $out, $err, $text, $cwd, $count, @env) = split(/\\0/, substr($request, 4), -1);
    my @command = splice(@env, 0, $count);
    my $opened = getpgrp(0) == $$ && sysopen(STDOUT, $out, 1) && sysopen(STDERR, $err, 1)
      && sysopen(STDIN, $in, 0) && ($text eq "" ? close(TEXT) : sysopen(TEXT, $text, 0));
    if (!$opened) {
      say_to_engine("o", $! + 0);
    } elsif (chdir($cwd)) {
      say_to_engine("s", "$$ ", start_time());
      %ENV = @env;
      exec { $command[0] } @command;
      say_to_engine("x", $! + 0);
    } else {
      say_to_engine("x", $! + 0);
    }
    exit 127;
  }
  undef $request;
  waitpid($child, 0);
  say_to_engine("e", $?);
}
`;
}
