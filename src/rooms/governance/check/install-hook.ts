import type { Git } from "../../../platform/git/git.ts";
import { writeHook } from "../../../platform/git/write/hook-file.ts";
import { hookExists, notInGit } from "./errors.ts";
import { openRepository } from "./project-tree.ts";

const hookText = `#!/bin/sh
# Installed by \`forge governance install-hook\`. Delete this file to remove it.
exec forge governance check
`;

export const actionsSnippet = `name: governance
on: pull_request
jobs:
  governance:
    runs-on: ubuntu-latest
    permissions:
      contents: read
      security-events: write
    steps:
      - uses: actions/checkout@v4
        with:
          fetch-depth: 0
      - uses: actions/setup-node@v4
        with:
          node-version: 22
      - run: npm install --global forge-mcp
      - run: forge governance check --since "origin/$GITHUB_BASE_REF" --sarif > governance.sarif
      - uses: github/codeql-action/upload-sarif@v3
        if: always()
        with:
          sarif_file: governance.sarif
`;

/** Writes the hook where git looks for it; doing so again changes nothing. */
export async function installPushHook(
  git: Git,
  root: string,
  signal: AbortSignal,
): Promise<{ path: string; installed: boolean }> {
  const repository = openRepository(git, root);
  if (!repository) throw notInGit("A hook");
  const { path, outcome } = await writeHook(repository, { name: "pre-push", text: hookText }, signal);
  if (outcome === "taken") throw hookExists(path);
  return { path, installed: outcome === "written" };
}
