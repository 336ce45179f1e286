// Fetches what the later steps of `npm test` need, while the earlier ones run. What can't be had is told by the step that needs it.
import { spawnSync } from "node:child_process";
import { fetchNode, fetchPackage } from "./fetch-package.js";
import { accessibilityPackage, conformanceSuite, inspector, otherNodes } from "./needed-packages.js";

// First, because the tests come first.
for (const find of ["browser", "postgres"]) {
  spawnSync(process.execPath, [`scripts/find-${find}.js`], { stdio: "ignore" });
}
fetchPackage(...accessibilityPackage);
for (const version of otherNodes) fetchNode(version);
for (const needed of [conformanceSuite, inspector]) fetchPackage(...needed);
