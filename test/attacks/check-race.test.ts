import { existsSync, renameSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { CompletionService } from "../../src/commons/completion/completion-service.ts";
import { runTrustedCommand } from "../../src/commons/test-runs/run-command.ts";
import type { Trust } from "../../src/commons/trust/index.ts";
import { testingSandbox } from "../harness/commons/testing.ts";

const { signal } = new AbortController();
const deadlineMs = 60_000;

type Race = { root: string; trust: Pick<Trust, "require">; environment: Record<string, string | undefined> };

const runCompletion = ({ root, trust, environment }: Race) =>
  new CompletionService({ root, trust, environment }).run({
    ...{ stack: "auto", workingDir: undefined, signal, deadlineMs, report: () => undefined },
  });
const runCheck = ({ root, trust }: Race) =>
  runTrustedCommand(trust, root, ["npm", "run", "test"], { signal, deadlineMs });

const script = (word: string) => `#!/bin/bash\ntouch "$1/${word}"\necho "STATUS: PASS"\n`;
const manifest = (word: string) => JSON.stringify({ name: "shop", scripts: { test: `touch ${word}` } });

test.each([
  ["cc-verify.sh", "_bmad/_config/cc-verify.sh", script, runCompletion],
  ["a check of the stack", "package.json", manifest, runCompletion],
  ["a check of a criterion", "package.json", manifest, runCheck],
] as const)(
  "F08 %s: what was checked is what runs, though another file is in its place by then",
  async (_what, file, text, run) => {
    const sandbox = testingSandbox();
    const root = await sandbox.project({ [file]: text("good") });
    await sandbox.trustAll(root);
    // The racer is faster than anything between the check and the start.
    const trust: Pick<Trust, "require"> = {
      async require(...args) {
        const pinned = await sandbox.trust.require(...args);
        writeFileSync(join(root, "new"), text("evil"), { mode: 0o755 });
        renameSync(join(root, "new"), join(root, file));
        return pinned;
      },
    };
    await run({ root, trust, environment: sandbox.environment });
    expect([existsSync(join(root, "good")), existsSync(join(root, "evil"))]).toEqual([true, false]);
  },
);
