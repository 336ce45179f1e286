import type { Lease, Owner, Owners } from "../../journal/owner.ts";
import { defined } from "../../util/defined.ts";
import { bootId, pidNamespace } from "../machine.ts";
import { findProcess, isLiving } from "./process-identity.ts";

/** Several times what lies between two heartbeats of a process that lives. */
const longestSilenceMs = 60_000;

/**
 * Where process ids mean the same to us as to the owner, the process table tells. Otherwise (another boot, container or machine)
 * only the heartbeat can. It is taken for granted that clocks of those who share a state directory agree to the minute; so a
 * heartbeat that is further ahead than that was written before a clock was set back, and nobody has renewed it since.
 */
export function createOwners(host?: string): Owners {
  let self: Owner | undefined;
  return {
    get self() {
      self ??= { ...identifySelf(), ...defined({ host }) };
      return self;
    },
    isGone({ owner, heartbeatAt, isLost }: Lease) {
      const lives = isNear(owner) ? isLiving(owner.pid, owner.startTime) : undefined;
      if (isLost !== undefined) return isLost || lives === false;
      return lives === undefined ? Math.abs(Date.now() - heartbeatAt) > longestSilenceMs : !lives;
    },
  };
}

function identifySelf(): Owner {
  const startTime = findProcess(process.pid)?.startTime ?? "";
  return { bootId: bootId(), pidNamespace: pidNamespace(), pid: process.pid, startTime };
}

function isNear(owner: Owner): boolean {
  return owner.bootId !== "" && owner.bootId === bootId() && owner.pidNamespace === pidNamespace();
}
