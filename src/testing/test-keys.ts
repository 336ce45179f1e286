import { listKeys } from "../definition/key.ts";
import type { KeysByMap } from "../library/describe-keys.ts";
import { caseKeys } from "./load-case.ts";
import { matcherKeys } from "./load-expectation.ts";
import { expectedBlockKeys, expectKeys, promptKeys } from "./load-expected.ts";
import { fakeKeys } from "./load-fake.ts";
import { givenFileKeys } from "./load-given-file.ts";
import { mockKeys } from "./load-mock.ts";
import { testFileKeys } from "./load-test-file.ts";

export const testKeys: KeysByMap = {
  "test file keys": listKeys(testFileKeys),
  "case keys": listKeys(caseKeys),
  "given file keys": listKeys(givenFileKeys),
  "fake keys": listKeys(fakeKeys),
  "mock keys": listKeys(mockKeys),
  "expect keys": listKeys(expectKeys),
  "expected block keys": listKeys(expectedBlockKeys),
  "prompt keys": listKeys(promptKeys),
  "matcher keys": matcherKeys,
};
