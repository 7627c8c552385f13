import { mkdirSync, readdirSync, readFileSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { expect, test } from "vitest";
import { openDatabase } from "../../src/platform/db/database.ts";
import { allScopes } from "../../src/rooms/access/model/roles.ts";
import { makeAccess } from "../../src/rooms/access/service/access.ts";
import { CliProject } from "../harness/cli/cli.ts";
import { ForgeProcess } from "../harness/cli/forge-process.ts";
import { migrations } from "../harness/db/all-migrations.ts";
import { describeOnEngines, type TestEngine } from "../harness/db/store.ts";
import { home, setUp } from "../harness/rooms/access.ts";
import { pluginFiles } from "../harness/rooms/registry-packages.ts";

/** A `forge serve` of its own for each engine. One person publishes, the other installs. */

const binary = { prefix: ["registry"] };

function write(folder: string, files: Iterable<readonly [path: string, text: string]>): void {
  for (const [path, text] of files) {
    mkdirSync(dirname(join(folder, path)), { recursive: true });
    writeFileSync(join(folder, path), text);
  }
}

async function serve(engine: TestEngine, folder: string) {
  const place = await engine.fresh();
  write(join(folder, "seed"), pluginFiles("starter", "1.0.0"));
  const env = {
    PATH: process.env["PATH"] ?? "",
    HOME: folder,
    FORGE_REGISTRY_SEED: join(folder, "seed"),
    FORGE_LOG: "info",
    ...("url" in place && { DATABASE_URL: place.url }),
  };
  const data = "file" in place ? ["--data", dirname(place.file)] : [];
  const server = new ForgeProcess(["serve", "--port", "0", "--json", ...data], { cwd: folder, env });
  const url = await server.says(/"url":\s*"([^"]+)"/);
  const database = openDatabase<unknown>(place, migrations);
  const access = makeAccess({ database });
  const { by } = await setUp(access);
  const token = (await access.tokens.create(by, { name: "test", scopes: allScopes, days: 1 }, home)).secret;
  await database.close();
  return { url, token, server };
}

describeOnEngines("the registry of a server process", (engine) => {
  test("every operation, by two people", async () => {
    const [author, user] = [new CliProject({}), new CliProject({})];
    const { url, token, server } = await serve(engine, join(author.root, ".."));
    const run = (project: CliProject, line: string) => {
      process.env["HOME"] = project.home;
      return project.run(line, { binary });
    };
    const json = async (project: CliProject, line: string) => (await run(project, `${line} --json`)).json();
    for (const project of [author, user]) {
      const config = { registries: [{ name: "acme", type: "stockyard", url, priority: 1, cache_ttl: 0 }] };
      write(project.home, [[".fractary/config.json", JSON.stringify(config)]]);
      expect((await run(project, "login acme --token wrong")).err).toContain("did not accept");
      expect((await run(project, `login acme --token ${token}`)).out).toMatch(/Signed in to acme as Ada/);
    }
    expect(await json(author, "whoami")).toMatchObject({ registry: "acme", name: "Ada" });

    expect((await run(author, `registry add second ${url} --priority 3`)).out).toContain("config.json");
    expect(await json(author, "registry list")).toMatchObject({ registries: [{ name: "acme" }, { name: "second" }] });
    expect((await run(author, "registry remove second")).code).toBe(0);
    expect(await json(author, "registry list")).toMatchObject({ registries: [{ name: "acme" }] });

    const publish = (version: string) => {
      write(join(author.root, "review"), pluginFiles("@acme/review", version));
      return run(author, "publish review");
    };
    expect((await run(author, "publish nowhere")).code).toBe(1);
    expect((await publish("1.0.0")).out).toBe("Published @acme/review 1.0.0 to acme.\n");
    expect((await publish("1.0.0")).out).toBe("@acme/review 1.0.0 is already on acme.\n");
    expect((await run(user, "search review")).out).toContain("@acme/review\t1.0.0\tacme");
    expect(await json(user, "install @acme/review")).toMatchObject({
      steps: [{ version: "1.0.0", signed: true, registry: "acme" }],
      warnings: [],
    });
    expect(await json(user, "agent-info @review/critic")).toMatchObject({ source: "local" });
    expect(await json(user, "agent-info @acme/critic")).toMatchObject({ source: "stockyard", version: "1.0.0" });
    await server.says(/published a plugin of the seed folder/);
    expect(await json(user, "install starter")).toMatchObject({ steps: [{ version: "1.0.0" }] });

    await publish("1.1.0");
    expect(await json(user, "list --updates")).toMatchObject({ plugins: [{ latestVersion: "1.1.0" }] });
    expect(await json(user, "update")).toMatchObject({
      steps: expect.arrayContaining([expect.objectContaining({ from: "1.0.0", version: "1.1.0" })]),
    });
    expect((await run(author, "yank @acme/review@1.1.0")).err).toContain("needs a reason");
    expect((await run(author, 'yank @acme/review@1.1.0 --reason "Too slow"')).code).toBe(0);
    expect(await json(user, "install --force")).toMatchObject({
      warnings: expect.arrayContaining([expect.stringContaining("Too slow")]),
    });
    expect(await json(user, "info @acme/review --versions")).toMatchObject({ availableVersions: ["1.0.0"] });
    expect((await run(user, "uninstall @acme/review")).code).toBe(0);
    expect(readdirSync(join(user.root, ".fractary/plugins/@acme"))).toEqual([]);

    const archive = `${url}/api/v1/plugins/%40acme%2Freview/versions/1.0.0/archive`;
    const get = (headers: Record<string, string>) =>
      fetch(archive, { headers: { authorization: `Bearer ${token}`, ...headers } });
    const whole = await get({});
    const bytes = Buffer.from(await whole.arrayBuffer());
    expect((await get({ "if-none-match": whole.headers.get("etag") ?? "" })).status).toBe(304);
    const part = await get({ range: "bytes=5-14" });
    expect([part.status, Buffer.from(await part.arrayBuffer())]).toEqual([206, bytes.subarray(5, 15)]);
    expect((await get({ range: `bytes=${bytes.length}-` })).status, "there is nothing of it").toBe(200);

    expect((await run(user, "logout acme")).out).toBe("Signed out of acme.\n");
    expect(readFileSync(join(user.home, ".fractary/auth/credentials.json"), "utf8")).not.toContain(token);
    expect((await run(user, "install @acme/review")).err).toContain("requires a token");
    expect(server.output).not.toMatch(/error/i);
  });
});
