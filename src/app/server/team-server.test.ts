import { join } from "node:path";
import { expect, onTestFinished, test } from "vitest";
import { migrations } from "../../../test/harness/db/all-migrations.ts";
import { temporaryFolder } from "../../../test/harness/db/store.ts";
import type { ServeRequest } from "../../commons/cli/app.ts";
import { Redactor } from "../../kernel/text/redactor.ts";
import { openDatabase } from "../../platform/db/database.ts";
import { Fetcher } from "../../platform/fetch/fetcher.ts";
import { writePrivateFile } from "../../platform/files/write/private-file.ts";
import type { ProofTables } from "../../rooms/proof/store/schema.ts";
import { ServerKey } from "../../rooms/proof/store/server-key.ts";
import { resolveSettings } from "../settings/config.ts";
import { startTeamServer } from "./team-server.ts";

const folder = temporaryFolder();
const silent = { host: undefined, port: undefined, data: undefined, publicUrl: undefined, trustProxy: undefined };

async function start(request: Partial<ServeRequest>, env: Record<string, string> = {}) {
  const { settings } = resolveSettings({ flags: {}, env, file: undefined });
  const given = { request: { ...silent, port: 0, data: folder(), ...request }, settings };
  const server = await startTeamServer({ ...given, redactor: new Redactor(), log: () => undefined });
  onTestFinished(() => server.close());
  return server;
}

test("what the command line says goes before the settings", async () => {
  const env = { FORGE_PUBLIC_URL: "https://settings.example", FORGE_SERVER_PORT: "1", FORGE_SERVER_DATA: "/nowhere" };
  const server = await start({ publicUrl: "https://line.example/" }, env);
  expect(server.publicUrl).toBe("https://line.example");
  expect(server.setupUrl).toMatch(/^https:\/\/line\.example\/setup\?code=./);
  expect((await start({}, env)).publicUrl).toBe("https://settings.example");
});

test.each([
  ["a path", { publicUrl: "https://forge.example/team" }, {}, "--public-url"],
  ["no address", { publicUrl: "forge.example" }, {}, "--public-url"],
  ["a path in the settings", {}, { FORGE_PUBLIC_URL: "https://forge.example/team" }, "FORGE_PUBLIC_URL"],
  ["half a provider", {}, { FORGE_OPENID_ISSUER: "https://login.example" }, "FORGE_OPENID_CLIENT_ID"],
  ["the other half", {}, { FORGE_OPENID_CLIENT_ID: "forge" }, "FORGE_OPENID_ISSUER"],
])("%s is refused before anything is served", async (_what, request, env, named) => {
  const error = await start(request, env).catch((reason: unknown) => reason);
  expect(error).toHaveProperty("next", [expect.stringContaining(named)]);
});

test("the login that it tells is one that the client makes; without https, none for other machines", async () => {
  const fetcher = new Fetcher({ log: () => undefined });
  onTestFinished(() => fetcher.close());
  const reach = async (url = "") => (await fetcher.request("GET", `${url}/health`, { allowPrivate: [url] })).status;
  const wide = await start({ host: "0.0.0.0" });
  expect(wide.loginUrl).toMatch(/^http:\/\/127\.0\.0\.1:\d+$/);
  expect(await reach(wide.loginUrl)).toBe(200);
  expect(wide.advice).toContain("needs HTTPS");
  expect(wide.advice).toContain("--public-url");

  const inside = await start({ publicUrl: "http://forge.lan" });
  expect(await reach(inside.loginUrl)).toBe(200);
  expect(inside.advice).toContain("needs HTTPS");
  await expect(reach(inside.publicUrl)).rejects.toThrow("was not contacted");

  const proxied = await start({ host: "0.0.0.0", publicUrl: "https://forge.example" });
  expect(proxied).toMatchObject({ loginUrl: "https://forge.example", advice: undefined });
  const here = await start({});
  expect(here).toMatchObject({ loginUrl: here.url, advice: undefined });
});

test("a secret that does not open the server's key is an error at the start, and a new one encrypts the key then", async () => {
  const data = folder();
  const place = { file: join(data, "forge.db") };
  const key = async () => {
    const database = openDatabase<ProofTables>(place, migrations);
    const row = await database.read((db) => db.selectFrom("receipt_key").select("private_key").executeTakeFirst());
    await database.close();
    return row?.private_key;
  };
  const database = openDatabase<unknown>(place, migrations);
  await new ServerKey(database, undefined).own();
  await database.close();
  expect(await key()).toContain("BEGIN PRIVATE KEY");
  await (await start({ data }, { FORGE_SERVER_SECRET: "a long random text" })).close();
  expect(await key()).toContain("BEGIN ENCRYPTED PRIVATE KEY");
  for (const env of [{}, { FORGE_SERVER_SECRET: "another text" }]) {
    const error = await start({ data }, env).catch((reason: unknown) => reason);
    expect(error).toMatchObject({ code: "CONFIG_ERROR", next: [expect.stringContaining("FORGE_SERVER_SECRET")] });
  }
});

test("what is wrong with its own data is not said of a project's", async () => {
  const data = join(folder(), "damaged");
  await writePrivateFile(join(data, "forge.db"), "no database, but text that is long enough to be one".repeat(100));
  const damaged = await start({ data }).catch((reason: unknown) => reason);
  expect(damaged).toMatchObject({ message: expect.stringMatching(/^The database is damaged/) });
  expect(damaged).toHaveProperty("next", expect.not.arrayContaining([expect.objectContaining({ command: "doctor" })]));
  const away = await start({}, { DATABASE_URL: "postgres://a:b@127.0.0.1:1/c" }).catch((reason: unknown) => reason);
  expect(away).toHaveProperty(
    "next",
    expect.arrayContaining([expect.stringContaining("unset FORGE_DATABASE_URL or DATABASE_URL")]),
  );
  expect(away).toHaveProperty("next", expect.not.arrayContaining([expect.stringContaining("project")]));
});
