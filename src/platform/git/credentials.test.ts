import { execFile } from "node:child_process";
import { chmodSync, existsSync, rmSync, writeFileSync } from "node:fs";
import { createServer } from "node:http";
import { join } from "node:path";
import { expect, onTestFinished } from "vitest";
import { testWith } from "../../../test/harness/faults/faults.ts";
import { makeSandbox, type Sandbox } from "../../../test/harness/git/git.ts";
import { Git } from "./git.ts";

/** A server that lets nobody in, and remembers who knocked. */
async function lockedServer(): Promise<{ url: string; knocks: string[] }> {
  const knocks: string[] = [];
  const server = createServer((request, response) => {
    knocks.push(request.url ?? "");
    response.writeHead(401, { "www-authenticate": 'Basic realm="locked"' }).end();
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  onTestFinished(() => {
    server.closeAllConnections();
    server.close();
  });
  const address = server.address();
  return { url: `http://127.0.0.1:${typeof address === "object" ? address?.port : ""}/project.git`, knocks };
}

/** A partial clone that can only be read by asking its server, which wants a password; whoever is asked leaves a mark. */
function lockedClone(sandbox: Sandbox, url: string): { project: string; wasAsked(): boolean } {
  const mark = join(sandbox.root, "asked");
  const asker = join(sandbox.root, "ask");
  writeFileSync(asker, `#!/bin/sh\n: > '${mark}'\n`);
  chmodSync(asker, 0o755);
  const project = sandbox.repository("project", { "file.txt": "one\n" });
  const tree = sandbox.git(project, "rev-parse", "HEAD^{tree}").trim();
  rmSync(join(project, ".git", "objects", tree.slice(0, 2), tree.slice(2)));
  for (const [key = "", value = ""] of [
    ["core.repositoryFormatVersion", "1"],
    ["extensions.partialClone", "origin"],
    ["remote.origin.promisor", "true"],
    ["remote.origin.url", url],
    ["core.askPass", asker],
    ["credential.helper", `!${asker}`],
  ])
    sandbox.git(project, "config", key, value);
  return { project, wasAsked: () => existsSync(mark) };
}

testWith(["posix"], "E18 control: plain git asks for the password", async () => {
  const sandbox = makeSandbox();
  onTestFinished(() => sandbox.dispose());
  const { url, knocks } = await lockedServer();
  const { project, wasAsked } = lockedClone(sandbox, url);
  const options = { cwd: project, env: { ...sandbox.environment, GIT_TERMINAL_PROMPT: "0" } };
  await new Promise((done) => execFile("git", ["ls-tree", "-r", "HEAD"], options, done));
  expect(knocks).not.toEqual([]);
  expect(wasAsked()).toBe(true);
});

for (const trust of ["untrusted", "trusted"] as const)
  testWith(["posix"], `E18 a repository behind a password fails at once, nobody is asked (${trust})`, async () => {
    const sandbox = makeSandbox();
    onTestFinished(() => sandbox.dispose());
    const { url, knocks } = await lockedServer();
    const { project, wasAsked } = lockedClone(sandbox, url);
    const repository = new Git({ environment: sandbox.environment, trust }).open(project);
    const patience = AbortSignal.timeout(20_000);
    await expect(repository.files(10, patience)).rejects.toMatchObject({ name: "ForgeError" });
    expect(patience.aborted).toBe(false);
    expect(knocks).toEqual([]);
    expect(wasAsked()).toBe(false);
  });
