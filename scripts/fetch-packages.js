// Fetches what the later steps of `npm test` need, while the earlier ones run. What can't be had is told by the step that needs it.
import { fetchNode, fetchPackage } from "./fetch-package.js";
import { conformanceSuite, inspector, otherNodes } from "./needed-packages.js";

for (const version of otherNodes) fetchNode(version);
for (const needed of [conformanceSuite, inspector]) fetchPackage(...needed);
