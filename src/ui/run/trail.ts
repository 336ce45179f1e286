import type { Level } from "../../views/page/page-records.ts";
import type { RunPlace } from "../place.ts";
import type { Step } from "../shell/header.tsx";

/** From the run down to what is looked at; until that is known, as the address says. */
export function trailOf({ runId, level: address }: RunPlace, level: Level | undefined): readonly Step[] {
  const crumbs = level?.crumbs ?? crumbsOf(runId, address);
  const name = level === undefined ? runId : level.head.workflow;
  return crumbs.map((crumb) => ({
    name: crumb.address === "" ? name : crumb.name,
    to: { view: "run", runId, level: crumb.address },
  }));
}

function crumbsOf(runId: string, address: string): Level["crumbs"] {
  const steps = address === "" ? [] : address.split("/");
  return [
    { address: "", name: runId },
    ...steps.map((name, index) => ({ address: steps.slice(0, index + 1).join("/"), name })),
  ];
}
