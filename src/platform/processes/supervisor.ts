import { type ChildProcess, spawn } from "node:child_process";
import { Socket } from "node:net";
import { markText } from "./engine-mark.ts";

/**
 * Ends our commands when we can no longer do it ourselves. The supervisor reads which process groups they lead from a pipe
 * only we hold; the pipe ends when we die, however we die.
 */
export interface Supervisor {
  add(group: number): void;
  remove(group: number): void;
  close(): Promise<void>;
}

/** In hundredths of a second, which is what Linux counts in: the longest that a start may take on a machine that is busy. */
const youngTicks = 300;

/**
 * A group has the id of its session, and where there is a process table every group of a session is found in it. `look` leaves
 * in `sessions` those that still have a living process, and their groups in `groups`. A command that was being started when we
 * died may not have been told: it carries our mark, leads its session and is young.
 */
const script = `
trap '' INT TERM HUP
mark=$1
look() {
  living=' ' groups=' '
  if [ -r /proc/self/stat ]; then
    for file in /proc/[0-9]*/stat; do
      read -r line <"$file" || continue
      set -- \${line##*) }
      case $1 in Z | X) continue ;; esac
      case $sessions in *" $4 "*) ;; *) continue ;; esac
      case $living in *" $4 "*) ;; *) living="$living$4 " ;; esac
      case $groups in *" $3 "*) ;; *) groups="$groups$3 " ;; esac
    done
  else
    for id in $sessions; do
      if kill -s 0 -- "-$id"; then living="$living$id "; fi
    done
    groups=$living
  fi
  sessions=$living
}
sessions=' '
while read -r line; do
  id=\${line#?}
  case $line in
    +*) sessions="$sessions$id " ;;
    -*) case $sessions in *" $id "*) sessions="\${sessions%% $id *} \${sessions#* $id }" ;; esac ;;
    *) exit 0 ;;
  esac
done
if [ -n "$mark" ] && read -r now rest </proc/uptime; then
  now=\${now%.*}\${now#*.}
  for file in $(grep -alsF -e "$mark" /proc/[0-9]*/environ); do
    read -r line <"\${file%environ}stat" || continue
    id=\${file#/proc/} id=\${id%%/*}
    set -- \${line##*) }
    [ "$4" = "$id" ] && [ "$((now - \${20}))" -le ${youngTicks} ] || continue
    case $sessions in *" $id "*) ;; *) sessions="$sessions$id " ;; esac
  done
fi
told=$sessions
for id in $told; do
  kill -s TERM -- "-$id"
  kill -s CONT -- "-$id"
done
look
for id in $groups; do
  case $told in *" $id "*) continue ;; esac
  kill -s TERM -- "-$id"
  kill -s CONT -- "-$id"
done
tenths=0
while [ "$tenths" -lt 20 ]; do
  look
  [ "$sessions" != ' ' ] || exit 0
  if sleep 0.1; then
    tenths=$((tenths + 1))
  else
    sleep 1
    tenths=$((tenths + 10))
  fi
done
look
for id in $groups; do kill -s KILL -- "-$id"; done
`;

/** Much less than it takes until an id is given to another process. */
const tellGoneMs = 50;

/** Of those that are gone although nobody asked them to; what goes again and again has a reason that stays. */
const mostReplacements = 5;

/** One that goes before its time is replaced by another, which learns all that it has to know. */
export function startSupervisor(onWarning: (message: string) => void): Supervisor {
  const groups = new Set<number>();
  let replacements = 0;
  let closing = false;
  let shell: SupervisorShell | undefined;
  const start = () => {
    shell = startShell((reason, hasStarted) => {
      if (closing) return;
      shell = undefined;
      if (hasStarted && replacements < mostReplacements) {
        replacements += 1;
        start();
      } else {
        const consequence = "Commands will go on running if Frond is killed";
        onWarning(`${consequence}, because the process that would end them ${reason}.`);
      }
    });
    shell?.tell([...groups].map((group) => `+${group}\n`).join(""));
  };
  start();

  // A write to an idle pipe is done when it returns. A new group is told at once, so that it is known as soon as it exists;
  // one that has gone can wait for the next write, because waking the supervisor costs more than what it then does.
  let gone = "";
  let telling: NodeJS.Timeout | undefined;
  const tell = (lines: string) => {
    shell?.tell(gone + lines);
    gone = "";
  };
  return {
    add(group) {
      groups.add(group);
      tell(`+${group}\n`);
    },
    remove(group) {
      groups.delete(group);
      gone += `-${group}\n`;
      telling ??= setTimeout(() => {
        telling = undefined;
        if (gone !== "") tell("");
      }, tellGoneMs).unref();
    },
    async close() {
      clearTimeout(telling);
      closing = true;
      tell("close\n");
      await shell?.ended();
    },
  };
}

interface SupervisorShell {
  tell(lines: string): void;
  /** Resolves when it is gone. */
  ended(): Promise<void>;
}

/** Nothing when it can't be started, which is told as its end is. */
function startShell(onEnd: (reason: string, hasStarted: boolean) => void): SupervisorShell | undefined {
  let shell: ChildProcess;
  try {
    shell = spawn("/bin/sh", ["-c", script, "frond-supervisor", markText()], {
      cwd: "/",
      env: { PATH: process.env.PATH ?? "/usr/bin:/bin" },
      stdio: ["pipe", "ignore", "ignore"],
      detached: true,
    });
  } catch (error) {
    onEnd(`could not be started: ${error instanceof Error ? error.message : String(error)}`, false);
    return undefined;
  }
  let living = true;
  const ended = new Promise<void>((resolve) => {
    const end = (reason: string, hasStarted: boolean) => {
      if (!living) return;
      living = false;
      resolve();
      onEnd(reason, hasStarted);
    };
    shell.once("error", (error) => end(`could not be started: ${error.message}`, false));
    shell.once("exit", () => end("has gone", true));
  });
  // That it has gone is said once, by its exit; a write that fails says nothing new.
  shell.stdin?.on("error", () => {});
  shell.unref();
  if (shell.stdin instanceof Socket) shell.stdin.unref();
  return {
    tell(lines) {
      if (living && lines !== "") shell.stdin?.write(lines);
    },
    ended() {
      // It must not keep us alive, except while we wait for its end.
      if (living) shell.ref();
      return ended;
    },
  };
}
