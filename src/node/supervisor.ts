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

export function startSupervisor(onWarning: (message: string) => void): Supervisor {
  const warn = (reason: string) =>
    onWarning(`Commands will go on running if Frond is killed, because the process that would end them ${reason}.`);
  let shell: ChildProcess;
  try {
    shell = spawn("/bin/sh", ["-c", script, "frond-supervisor", markText()], {
      cwd: "/",
      env: { PATH: process.env.PATH ?? "/usr/bin:/bin" },
      stdio: ["pipe", "ignore", "ignore"],
      detached: true,
    });
  } catch (error) {
    warn(`could not be started: ${error instanceof Error ? error.message : String(error)}`);
    return { add() {}, remove() {}, async close() {} };
  }
  let living = true;
  let closing = false;
  const ended = new Promise<void>((resolve) => {
    const end = (reason: string) => {
      living = false;
      if (!closing) warn(reason);
      resolve();
    };
    shell.once("error", (error) => end(`could not be started: ${error.message}`));
    shell.once("exit", () => end("has gone"));
  });
  // That it has gone is said once, by its exit; a write that fails says nothing new.
  shell.stdin?.on("error", () => {});
  shell.unref();
  if (shell.stdin instanceof Socket) shell.stdin.unref();

  // A write to an idle pipe is done when it returns. A new group is told at once, so that it is known as soon as it exists;
  // one that has gone can wait for the next write, because waking the supervisor costs more than what it then does.
  let gone = "";
  let telling: NodeJS.Timeout | undefined;
  const tell = (lines: string) => {
    if (living && !closing) shell.stdin?.write(gone + lines);
    gone = "";
  };
  return {
    add: (group) => tell(`+${group}\n`),
    remove(group) {
      gone += `-${group}\n`;
      telling ??= setTimeout(() => {
        telling = undefined;
        if (gone !== "") tell("");
      }, tellGoneMs).unref();
    },
    async close() {
      clearTimeout(telling);
      tell("close\n");
      closing = true;
      // It must not keep us alive, except while we wait for its end.
      if (living) shell.ref();
      await ended;
    },
  };
}
