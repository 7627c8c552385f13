import { chmodSync, existsSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test, vi } from "vitest";
import { Git } from "../../src/platform/git/git.ts";
import { openTrustedWork } from "../../src/rooms/workbench/executions/trusted-git.ts";
import { put, trustSandbox } from "../harness/commons/trust.ts";

const { signal } = new AbortController();

/** A repository whose hooks are trusted, and git for it as it was checked at this moment. */
async function openChecked(hooks: Record<string, string>, folder = ".git/hooks") {
  const sandbox = trustSandbox();
  const root = sandbox.repository("shop", { "file.txt": "one\n" });
  vi.stubEnv("HOME", sandbox.environment["HOME"]);
  for (const [name, text] of Object.entries(hooks)) put(join(root, folder), name, text, 0o755);
  if (folder !== ".git/hooks") sandbox.git(root, "config", "core.hooksPath", folder);
  await sandbox.trustAll(root);
  const git = new Git({ environment: sandbox.environment });
  const open = () => openTrustedWork({ git, trust: sandbox.trust }, root, signal);
  const { work, silencedHooks } = await open();
  const commit = async () => {
    writeFileSync(join(root, "file.txt"), "two\n");
    return work.commits.create({ message: "Change", trailers: {}, paths: ["file.txt"] }, signal);
  };
  return { root, sandbox, open, commit, silencedHooks };
}

const mark = (word: string) => `touch "$(dirname "$0")/../${word}"`;

test.each([
  ["sh", `#!/bin/sh -e\n${mark("good")}\n`, `#!/bin/sh\n${mark("evil")}\n`],
  ["bash", `#!/usr/bin/env bash\n${mark("good")}\n`, `#!/usr/bin/env bash\n${mark("evil")}\n`],
  [
    "python",
    `#!/usr/bin/env python3\nimport os\nopen(os.path.join(os.path.dirname(__file__), "../good"), "w").close()\n`,
    `#!/bin/sh\n${mark("evil")}\n`,
  ],
  [
    "node",
    `#!/usr/bin/env node\nrequire("node:fs").writeFileSync(require("node:path").join(__dirname, "../good"), "");\n`,
    `#!/bin/sh\n${mark("evil")}\n`,
  ],
])(
  "F08 a hook in %s: what was checked is what runs, though another one is in its place by then",
  async (_name, good, evil) => {
    const { root, commit } = await openChecked({ "pre-commit": good });
    // After the check: the hook is exchanged, and others are added.
    for (const name of ["pre-commit", "post-commit", "reference-transaction"])
      put(join(root, ".git", "hooks"), name, evil, 0o755);
    await commit();
    expect([existsSync(join(root, ".git", "good")), existsSync(join(root, ".git", "evil"))]).toEqual([true, false]);
  },
);

test("F08 a hook that is added to a repository without any does not run", async () => {
  const { root, sandbox, commit } = await openChecked({});
  put(join(root, ".git", "hooks"), "pre-commit", `#!/bin/sh\n${mark("evil")}\n`, 0o755);
  put(root, "hooks/post-commit", `#!/bin/sh\n${mark("evil")}\n`, 0o755);
  sandbox.git(root, "config", "core.hooksPath", "hooks");
  await commit();
  expect([existsSync(join(root, ".git", "evil")), existsSync(join(root, "evil"))]).toEqual([false, false]);
});

test("F08 a hook gets its arguments and input, and its failure stops the commit", async () => {
  const { root, commit } = await openChecked({
    "commit-msg": `#!/bin/sh\necho checked >> "$1"\n`,
    "pre-commit": `#!/bin/sh\n[ -e "$(dirname "$0")/allowed" ] || { echo "not allowed"; exit 7; }\n`,
  });
  await expect(commit()).rejects.toMatchObject({ message: expect.stringContaining("not allowed") });
  writeFileSync(join(root, ".git", "hooks", "allowed"), "");
  const { commit: made } = await commit();
  expect(readFileSync(join(root, ".git", "HEAD"), "utf8")).toContain("ref:");
  expect(made).toMatch(/^[0-9a-f]{40}$/);
});

test("F08 the scripts behind husky's hooks are bound like the hooks", async () => {
  const own = '#!/usr/bin/env sh\n. "$(dirname "$0")/h"\n';
  const helper = 'sh -e "$(dirname "$(dirname "$0")")/$(basename "$0")" "$@"\n';
  const { root, open, commit, silencedHooks } = await openChecked({ "pre-commit": own }, ".husky/_");
  expect(silencedHooks).toEqual([]);
  put(join(root, ".husky/_"), "h", helper);
  put(root, ".husky/pre-commit", "touch ran\n");
  expect((await open()).silencedHooks).toEqual(["pre-commit", "_/h", ".husky/pre-commit"]);
  await commit();
  expect(existsSync(join(root, "ran"))).toBe(true);
});

test.each([
  ["9", ".husky/_", ".husky/_/h", '. "$(dirname "$0")/h"'],
  ["8", ".husky", ".husky/_/husky.sh", '. "$(dirname -- "$0")/_/husky.sh"'],
])(
  "F08 what all hooks of husky %s load first is bound, too: a pull can bring another",
  async (_v, folder, file, line) => {
    const { root, sandbox, open } = await openChecked({ "pre-commit": `#!/usr/bin/env sh\n${line}\n` }, folder);
    put(root, file, "true\n");
    await sandbox.trustAll(root);
    expect((await open()).silencedHooks).toEqual([]);
    put(root, file, "touch evil\n");
    const { work, silencedHooks } = await open();
    expect(silencedHooks).toContain("pre-commit");
    writeFileSync(join(root, "file.txt"), "two\n");
    await work.commits.create({ message: "Change", trailers: {}, paths: ["file.txt"] }, signal);
    expect(existsSync(join(root, "evil"))).toBe(false);
  },
);

test("hooks that the user has set up for all repositories run, and the repository cannot replace them", async () => {
  const { root, sandbox, open } = await openChecked({});
  const folder = join(sandbox.environment["HOME"] ?? "", "hooks");
  put(folder, "pre-commit", "#!/bin/sh\ntouch good\n", 0o755);
  chmodSync(join(folder, "pre-commit"), 0o755);
  sandbox.git(root, "config", "--global", "core.hooksPath", folder);
  const { work } = await open();
  put(root, "hooks/pre-commit", "#!/bin/sh\ntouch evil\n", 0o755);
  sandbox.git(root, "config", "core.hooksPath", "hooks");
  writeFileSync(join(root, "file.txt"), "two\n");
  await work.commits.create({ message: "Change", trailers: {}, paths: ["file.txt"] }, signal);
  expect([existsSync(join(root, "good")), existsSync(join(root, "evil"))]).toEqual([true, false]);
  rmSync(join(root, "good"));
});
