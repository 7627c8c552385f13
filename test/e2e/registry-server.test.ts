import { chmodSync, mkdirSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { expect, test } from "vitest";
import { CliProject } from "../harness/cli/cli.ts";
import { teamStarter } from "../harness/http/listening-team.ts";
import { pluginFiles } from "../harness/rooms/registry-packages.ts";

/** Two people and a real `forge serve`: one publishes, the other installs. */

const start = teamStarter();
const binary = { prefix: ["registry"] };

function write(folder: string, files: Iterable<readonly [path: string, text: string]>): void {
  for (const [path, text] of files) {
    mkdirSync(dirname(join(folder, path)), { recursive: true });
    writeFileSync(join(folder, path), text);
  }
}

test("publish, search, install, update, withdraw and whoami against a real server", async () => {
  const team = await start();
  const { FORGE_TOKEN: token } = await team.envWithToken(team.admin);
  const author = new CliProject({});
  const user = new CliProject({});
  const run = (project: CliProject, line: string) => {
    process.env["HOME"] = project.home;
    return project.run(line, { binary });
  };
  for (const project of [author, user]) {
    const config = { registries: [{ name: "acme", type: "stockyard", url: team.url, priority: 1, cache_ttl: 0 }] };
    write(project.home, [[".fractary/config.json", JSON.stringify(config)]]);
    expect(await run(project, "login acme --token wrong")).toMatchObject({
      code: 1,
      err: expect.stringContaining("did not accept"),
    });
    expect(await run(project, `login acme --token ${token}`)).toMatchObject({
      code: 0,
      out: expect.stringMatching(/Signed in to acme as Ada/),
    });
  }
  expect((await run(author, "whoami --json")).json()).toMatchObject({ registry: "acme", name: "Ada" });
  const publish = (version: string) => {
    write(join(author.root, "review"), pluginFiles("@acme/review", version));
    return run(author, "publish review");
  };
  expect(await run(author, "publish nowhere")).toMatchObject({ code: 1 });
  expect(await publish("1.0.0")).toMatchObject({ code: 0, out: "Published @acme/review 1.0.0 to acme.\n" });
  expect(await publish("1.0.0")).toMatchObject({ code: 0, out: "@acme/review 1.0.0 is already on acme.\n" });
  expect((await run(user, "search review")).out).toContain("@acme/review\t1.0.0\tacme");
  expect((await run(user, "install @acme/review --json")).json()).toMatchObject({
    steps: [{ version: "1.0.0", signed: true, registry: "acme" }],
    warnings: [],
  });
  expect((await run(user, "agent-info @review/critic --json")).json()).toMatchObject({ source: "local" });
  expect((await run(user, "agent-info @acme/critic --json")).json()).toMatchObject({
    source: "stockyard",
    version: "1.0.0",
  });
  await publish("1.1.0");
  expect((await run(user, "list --updates --json")).json()).toMatchObject({ plugins: [{ latestVersion: "1.1.0" }] });
  expect((await run(user, "update --json")).json()).toMatchObject({ steps: [{ from: "1.0.0", version: "1.1.0" }] });
  expect(await run(author, "yank @acme/review@1.1.0")).toMatchObject({
    code: 1,
    err: expect.stringContaining("needs a reason"),
  });
  expect(await run(author, 'yank @acme/review@1.1.0 --reason "Too slow"')).toMatchObject({ code: 0 });
  expect((await run(user, "install --force --json")).json()).toMatchObject({
    steps: [{ version: "1.1.0" }],
    warnings: [expect.stringContaining("Too slow")],
  });
  expect((await run(user, "info @acme/review --versions --json")).json()).toMatchObject({
    availableVersions: ["1.0.0"],
  });
  expect(await run(user, "uninstall @acme/review")).toMatchObject({ code: 0 });
  // A folder that cannot be written: one error, and nothing is left.
  chmodSync(join(user.root, ".fractary", "plugins", "@acme"), 0o500);
  if (process.getuid?.() !== 0)
    expect(await run(user, "install @acme/review")).toMatchObject({
      code: 1,
      err: expect.stringContaining("not accessible"),
    });
  chmodSync(join(user.root, ".fractary", "plugins", "@acme"), 0o700);
  expect(await run(user, "logout acme")).toMatchObject({ code: 0, out: "Signed out of acme.\n" });
  expect(await run(user, "install @acme/review")).toMatchObject({
    code: 1,
    err: expect.stringContaining("requires a token"),
  });
});
