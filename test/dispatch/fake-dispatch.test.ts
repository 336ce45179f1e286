import { FakeDispatch, FakeQueues } from "../rig/fake-dispatch.ts";
import { describeDispatch } from "./contract.ts";

const queues = new FakeQueues();
describeDispatch("in memory, for tests", () => new FakeDispatch(queues));
