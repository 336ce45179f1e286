import { existsSync } from "node:fs";
import { expect, onTestFinished, test } from "vitest";
import { CommandSlot, perl } from "./command-slot.ts";

test.runIf(existsSync(perl))(
  "a child that was ended before it could say anything has not run its command",
  async () => {
    const program = `open(my $engine, "+<&", 1); while (sysread($engine, my $request, 100)) { syswrite($engine, "e9\\n") }`;
    const slot = new CommandSlot(program, () => {});
    onTestFinished(() => slot.end());
    for (let times = 0; times < 2; times++) {
      const { started, ended } = slot.run(Buffer.from("request"));
      expect(await started).toBeUndefined();
      expect(await ended).toEqual({ code: 137, signal: "SIGKILL" });
    }
  },
);
