import type { Runner } from "../runner.ts";
import { cargo } from "./cargo.ts";
import { configured } from "./configured.ts";
import { go } from "./go.ts";
import { gradle } from "./gradle.ts";
import { jest } from "./jest.ts";
import { maven } from "./maven.ts";
import { mocha } from "./mocha.ts";
import { nodeTest } from "./node-test.ts";
import { pytest } from "./pytest.ts";
import { vitest } from "./vitest.ts";

/** In the order they are looked for; where several fit, the first is used. */
export const runners: readonly Runner[] = [configured, vitest, jest, mocha, nodeTest, cargo, go, maven, gradle, pytest];
