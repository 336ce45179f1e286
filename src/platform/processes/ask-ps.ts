import { spawnSync } from "node:child_process";

/** What `ps` says of a process, for systems whose process table can't be read as files. To the second; costs milliseconds. */
export function askPs(pid: number): { readonly startTime: string; readonly hasEnded: boolean } | undefined {
  const { stdout } = spawnSync("/bin/ps", ["-o", "stat=,lstart=", "-p", String(pid)], {
    env: { LC_ALL: "C", TZ: "UTC" },
    encoding: "latin1",
    stdio: ["ignore", "pipe", "ignore"],
  });
  const [state, ...started] = (stdout ?? "").trim().split(/\s+/);
  return started.length === 0 ? undefined : { startTime: started.join(" "), hasEnded: state?.startsWith("Z") === true };
}
