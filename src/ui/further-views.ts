/** The views that nobody sees first, in one part: each by itself would repeat much of the others, and all are small together. */
export { RunView } from "./run/run-view.tsx";

// Below the largest: what they have in common with it is packed best so.

export { UndoView } from "./act/undo-view.tsx";
export { ScratchView } from "./workflows/scratch-view.tsx";
export { WorkflowView } from "./workflows/workflow-view.tsx";
export { WorkflowsView } from "./workflows/workflows-view.tsx";
