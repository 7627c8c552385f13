import { randomBytes } from "node:crypto";
import { expect, test } from "vitest";
import { describeOnEngines } from "../../../../test/harness/db/store.ts";
import { openServerWithPeople } from "../../../../test/harness/http/team-server.ts";
import { openTwoTeams } from "../../../../test/harness/http/two-teams.ts";
import { agent, RegistryProject } from "../../../../test/harness/rooms/registry.ts";
import { makePackage, pluginFiles } from "../../../../test/harness/rooms/registry-packages.ts";
import { integrityOf } from "../client/packages/archive.ts";
import { SigningKey } from "../client/packages/signature.ts";
import { RegistryServer } from "./registry-server.ts";
import type { RegistryTables } from "./schema.ts";
import { seedFrom } from "./seed.ts";

const at = (name: string, version?: string) =>
  `/api/v1/plugins/${encodeURIComponent(name)}/${version === undefined ? "metadata" : `versions/${version}`}`;
const body = (archive: Uint8Array, rest: object = {}) => ({
  archive: Buffer.from(archive).toString("base64"),
  ...rest,
});

describeOnEngines("The registry server", (engine) => {
  const open = async () => {
    const server = await openServerWithPeople(await engine.fresh());
    const send = async (method: string, path: string, sent?: object, token = server.token) => {
      const response = await server.request(method, path, { token, ...(sent && { body: sent }) });
      return { status: response.status, body: (await response.json()) as Record<string, unknown> };
    };
    const publish = (version: string, fields: object = {}, files: Record<string, string> = {}) =>
      send("POST", "/api/v1/plugins", body(makePackage("@acme/review", version, fields, files)));
    return { ...server, send, publish };
  };

  test("publishes a version once, and lists, finds and gives it out", async () => {
    const { send, publish, request, token } = await open();
    const archive = makePackage("@acme/review", "1.0.0");
    expect(await publish("1.0.0")).toMatchObject({
      status: 200,
      body: { isNew: true, integrity: integrityOf(archive) },
    });
    expect(await publish("1.0.0")).toMatchObject({ status: 200, body: { isNew: false } });
    expect(await publish("1.0.0", { description: "Other" })).toMatchObject({
      status: 409,
      body: { code: "CONFLICT_ERROR" },
    });
    await publish("1.1.0", { dependencies: { "@acme/base": "^1.0.0" } });
    await publish("2.0.0-beta.1");
    const { body: metadata } = await send("GET", at("@acme/review"));
    expect(metadata).toMatchObject({ latest: "1.1.0", tags: ["review"], serial: 3 });
    expect(metadata["versions"]).toMatchObject([
      { version: "2.0.0-beta.1" },
      { version: "1.1.0", dependencies: { "@acme/base": "^1.0.0" } },
      { version: "1.0.0" },
    ]);
    expect((await send("GET", at("@acme/review", "1.1.0"))).body).toMatchObject({ manifest: { name: "@acme/review" } });
    expect((await send("GET", at("@acme/review", "9.9.9"))).body).toMatchObject({ code: "PLUGIN_NOT_FOUND" });
    // Its parts, in its scope and version.
    const agents = "/api/v1/agents/%40acme%2Fcritic";
    expect((await send("GET", `${agents}/metadata`)).body).toMatchObject({ plugin: "@acme/review", latest: "1.1.0" });
    expect((await send("GET", `${agents}/versions/1.0.0`)).body).toMatchObject({
      content: expect.stringContaining("You are critic."),
    });
    expect((await send("GET", "/api/v1/tools/%40acme%2Flint/metadata")).body).toMatchObject({ type: "tool" });
    // The archive, in full and in parts.
    const file = `${at("@acme/review", "1.0.0")}/archive`;
    const whole = await request("GET", file, { token });
    expect(Buffer.from(await whole.arrayBuffer()).equals(archive)).toBe(true);
    const etag = whole.headers.get("etag") ?? "";
    expect(etag).toBe(`"${integrityOf(archive)}"`);
    expect((await request("GET", file, { token, headers: { "if-none-match": etag } })).status).toBe(304);
    const part = await request("GET", file, { token, headers: { range: "bytes=10-19" } });
    expect([part.status, part.headers.get("content-range")]).toEqual([206, `bytes 10-19/${archive.length}`]);
    expect(Buffer.from(await part.arrayBuffer())).toEqual(archive.subarray(10, 20));
    expect((await send("GET", at("@acme/review"))).body["downloads"]).toBe(3);
    expect((await send("GET", "/api/v1/user")).body).toMatchObject({ name: "Ada" });
  });

  test("I08 refuses definitions that take the parser long, as one and together", async () => {
    const { publish } = await open();
    const list = (length: number) => `name: a\nlist:\n${"- {a: 1, b: 2}\n".repeat(length)}`;
    const one = { "agents/long.md": `---\n${list(2_500)}---\nbody\n` };
    const many = Object.fromEntries(
      Array.from({ length: 11 }, (_, index) => [`agents/a${index}.yaml`, list(2_400).replace("a", `a${index}`)]),
    );
    for (const files of [one, many]) {
      const { status, body: said } = await publish("1.0.0", {}, files);
      expect([status, said["message"]]).toEqual([400, expect.stringContaining("values")]);
    }
    const tools = Array.from({ length: 1_001 }, (_, index) => [`agents/b${index}.md`, "---\nname: b\n---\nbody\n"]);
    expect((await publish("1.0.0", {}, Object.fromEntries(tools))).body["message"]).toContain("more than 1000");
  });

  test("I08 refuses dependencies whose versions take long to judge", async () => {
    const { publish } = await open();
    const needs = (count: number, range: string) => ({
      dependencies: Object.fromEntries(Array.from({ length: count }, (_, index) => [`q${index}`, `${index}${range}`])),
    });
    for (const fields of [needs(200, " 1".repeat(95)), needs(1_001, "")]) {
      const { status, body: said } = await publish("1.0.0", fields);
      expect([status, said["message"]]).toEqual([400, expect.stringContaining("dependencies")]);
    }
    expect(await publish("1.0.0", needs(1_000, ".0.0"))).toMatchObject({ status: 200 });
  });

  test("I08 answers others between two parts of a package", async () => {
    const { publish, send } = await open();
    const agents = Array.from({ length: 100 }, (_, index) => [
      `agents/b${index}.md`,
      `---\nname: b${index}\n---\nbody\n`,
    ]);
    const countTurns = async (work: () => Promise<{ status: number }>) => {
      let turns = 0;
      const next = () => {
        turns++;
        turn = setImmediate(next);
      };
      let turn = setImmediate(next);
      expect((await work()).status).toBe(200);
      clearImmediate(turn);
      return turns;
    };
    // Each is read, and then stored.
    expect(await countTurns(() => publish("1.0.0", {}, Object.fromEntries(agents)))).toBeGreaterThan(200);
    const yank = `${at("@acme/review", "1.0.0")}/yank`;
    expect(await countTurns(() => send("POST", yank, { reason: "Broken" }))).toBeGreaterThan(100);
  });

  test("lists only so many versions of a package, and refuses more", async () => {
    const { publish, send, database } = await open();
    await publish("1.0.0");
    const versions = database.forTables<RegistryTables>();
    const [first] = await versions.read((db) =>
      db.selectFrom("registry_version").selectAll().where("blob", "is not", null).execute(),
    );
    if (!first) throw new Error("nothing was published");
    const document = JSON.stringify({ name: "@acme/review", text: "x".repeat(999_000) });
    for (let patch = 1; patch <= 11; patch++)
      await versions.transaction((tx) =>
        tx
          .insertInto("registry_version")
          .values({ ...first, version: `1.0.${patch}`, document })
          .execute(),
      );
    expect(await publish("2.0.0")).toMatchObject({ status: 409, body: { code: "CONFLICT_ERROR" } });
    expect(await publish("1.0.0")).toMatchObject({ status: 200, body: { isNew: false } });
    expect((await send("GET", at("@acme/review"))).body["versions"]).toHaveLength(12);
  });

  test("searches by words, kind and tags, the most downloaded first", async () => {
    const { send, request, token } = await open();
    for (const name of ["alpha", "beta", "gamma"])
      await send(
        "POST",
        "/api/v1/plugins",
        body(makePackage(`@acme/${name}`, "1.0.0", { description: `Sorts ${name}` })),
      );
    await request("GET", `${at("@acme/beta", "1.0.0")}/archive`, { token });
    const names = async (query: string) =>
      ((await send("GET", `/api/v1/search?${query}`)).body["results"] as { name: string }[]).map(({ name }) => name);
    expect(await names("q=sort")).toEqual(["@acme/beta", "@acme/alpha", "@acme/gamma"]);
    expect(await names("q=sorts%20gamma")).toEqual(["@acme/gamma"]);
    expect(await names("q=nothing")).toEqual([]);
    expect(await names("q=&tags=review")).toHaveLength(3);
    expect(await names("q=&tags=other")).toEqual([]);
    expect(await names("q=&tags=other,review")).toHaveLength(3);
    expect(await names("q=&tags=re")).toEqual([]);
    expect(await names("q=&tags=%2B")).toEqual([]);
    expect(await names("q=critic&type=agent")).toEqual(["@acme/critic"]);
    expect((await send("GET", "/api/v1/search?q=&pageSize=2&page=2")).body).toMatchObject({ total: 3, page: 2 });
  });

  test("looks tags up in its index, and not in all packages that somebody has published", async () => {
    const { publish, send, database } = await open();
    await publish("1.0.0", { tags: ["code review"] });
    const unindexed = {
      ...{ kind: "plugin", name: "@acme/other", plugin: null, description: null, author: null, latest: "1.0.0" },
      ...{ tags: '["code review"]', downloads: 9, serial: 1, updated_at: 1 },
    };
    await database
      .forTables<RegistryTables>()
      .transaction((tx) => tx.insertInto("registry_package").values(unindexed).execute());
    const search = (tags: string) => send("GET", `/api/v1/search?tags=${encodeURIComponent(tags)}`);
    expect((await search("code review")).body).toMatchObject({ total: 1, results: [{ name: "@acme/review" }] });
    expect((await search("review code")).body).toMatchObject({ total: 0 });
    expect((await search(Array(21).fill("a").join())).status).toBe(400);
  });

  test("withdraws a version with a reason, and offers it again", async () => {
    const { send, publish } = await open();
    await publish("1.0.0");
    await publish("1.1.0");
    const yank = (reason: string | null) => send("POST", `${at("@acme/review", "1.1.0")}/yank`, { reason });
    expect(await yank("Deletes files")).toMatchObject({ status: 200, body: { yanked: true } });
    expect((await send("GET", at("@acme/review"))).body).toMatchObject({
      latest: "1.0.0",
      versions: [{ version: "1.1.0", yanked: true, reason: "Deletes files" }, { version: "1.0.0" }],
    });
    expect((await send("GET", "/api/v1/agents/%40acme%2Fcritic/metadata")).body).toMatchObject({ latest: "1.0.0" });
    await yank(null);
    expect((await send("GET", at("@acme/review"))).body).toMatchObject({ latest: "1.1.0" });
    expect((await send("POST", `${at("@acme/none", "1.0.0")}/yank`, { reason: "x" })).status).toBe(404);
  });

  test("withdraws the parts that are in a version, and others stay as they are", async () => {
    const { send, publish } = await open();
    const agent = (name: string) => ({ [`agents/${name}.md`]: `---\nname: ${name}\n---\nbody\n` });
    await publish("1.0.0", {}, agent("old"));
    await publish("1.1.0-beta.1", {}, agent("new"));
    await publish("1.1.0", {}, agent("new"));
    await publish("1.0.1", {}, agent("new"));
    const facts = async (name: string) => (await send("GET", `/api/v1/agents/%40acme%2F${name}/metadata`)).body;
    const yank = (version: string, reason: string | null) =>
      send("POST", `${at("@acme/review", version)}/yank`, { reason });
    const before = await facts("old");
    await yank("1.1.0", "Broken");
    expect(await facts("new")).toMatchObject({ latest: "1.0.1", serial: 4 });
    expect(await facts("old")).toMatchObject({ latest: "1.0.0", serial: before["serial"] });
    await yank("1.0.1", "Broken too");
    expect(await facts("new")).toMatchObject({ latest: "1.1.0-beta.1" });
    await yank("1.0.1", null);
    expect(await facts("new")).toMatchObject({ latest: "1.0.1" });
  });

  test("K many who withdraw at once take turns, and are told when they are too many", async () => {
    const { publish, send } = await open();
    await publish("1.0.0");
    const yanks = Array.from({ length: 9 }, () => send("POST", `${at("@acme/review", "1.0.0")}/yank`, { reason: "x" }));
    expect((await Promise.all(yanks)).map(({ status }) => status).sort()).toEqual([...Array(8).fill(200), 429]);
  });

  test("a scope belongs to the team that first published in it", async () => {
    const server = await openTwoTeams(await engine.fresh());
    const publish = (who: typeof server.ada, version: string) =>
      server.request(who.pair.accessToken, "POST", "/api/v1/plugins", body(makePackage("@acme/review", version)));
    expect((await publish(server.ada, "1.0.0")).status).toBe(200);
    expect(await publish(server.eve, "1.1.0")).toMatchObject({ status: 403, body: { code: "PERMISSION_DENIED" } });
    const yank = await server.request(server.eve.pair.accessToken, "POST", `${at("@acme/review", "1.0.0")}/yank`, {
      reason: "Mine now",
    });
    expect(yank.status).toBe(403);
    // Nor can it be imitated.
    for (const name of ["@ACME/review", "@acme./review", "@acme--x/review"]) {
      const archive = makePackage(name, "1.0.0");
      const { status } = await server.request(server.eve.pair.accessToken, "POST", "/api/v1/plugins", body(archive));
      expect([name, status]).toEqual([name, 400]);
    }
    // Reading is for everyone.
    expect((await server.request(server.eve.pair.accessToken, "GET", at("@acme/review"))).status).toBe(200);
  });

  test("eight at once lose none; a ninth is told to come back", async () => {
    const { publish, send, database } = await open();
    const versions = Array.from({ length: 8 }, (_, index) => `1.${index}.0`);
    const answers = await Promise.all(versions.map((version) => publish(version)));
    expect(answers.map(({ status }) => status)).toEqual(versions.map(() => 200));
    const { body: metadata } = await send("GET", at("@acme/review"));
    expect(metadata).toMatchObject({ latest: "1.7.0", serial: 8 });
    expect(metadata["versions"]).toHaveLength(8);
    // More of one team would be held in memory.
    const registry = new RegistryServer(database);
    const upload = { archive: makePackage("@nine/review", "1.0.0") };
    const nine = Array.from({ length: 9 }, () => registry.publish({ team: "nine", name: "Nina" }, upload));
    const settled = await Promise.allSettled(nine);
    expect(settled.map(({ status }) => status)).toEqual([...Array(8).fill("fulfilled"), "rejected"]);
    expect(settled[8]).toMatchObject({ reason: { details: { retryAfterSeconds: 5 } } });
  });

  test("takes a package of the size that is promised, and says what the limit is", async () => {
    const { send } = await open();
    const archive = makePackage("@acme/review", "1.0.0", {}, { "data.txt": randomBytes(735_000).toString("base64") });
    expect(archive.length / 1_024).toBeGreaterThan(720);
    expect(archive.length / 1_024).toBeLessThan(750);
    expect(await send("POST", "/api/v1/plugins", body(archive))).toMatchObject({ status: 200 });
    const large = await send("POST", "/api/v1/plugins", body(Buffer.alloc(750 * 1_024 + 1)));
    expect(large).toMatchObject({ status: 400, body: { message: expect.stringContaining("750 KiB") } });
    expect((await send("POST", "/api/v1/plugins", body(Buffer.alloc(1_048_576)))).status).toBe(413);
  });

  test("refuses what cannot be published: no scope, no version, broken parts, damage, a wrong signature, no token", async () => {
    const { send, request, viewerToken } = await open();
    const refused = async (archive: Uint8Array, rest?: object) =>
      (await send("POST", "/api/v1/plugins", body(archive, rest))).body;
    expect(await refused(makePackage("review", "1.0.0"))).toMatchObject({ code: "VALIDATION_ERROR" });
    expect(await refused(makePackage("@acme/review", "one"))).toMatchObject({ code: "VALIDATION_ERROR" });
    expect(await refused(makePackage("@acme/review", "1.0.0", {}, { "agents/bad.yaml": "a: [" }))).toMatchObject({
      code: "VALIDATION_ERROR",
      message: expect.stringContaining("agents/bad.yaml"),
    });
    expect(await refused(Buffer.from("no archive"))).toMatchObject({ code: "VALIDATION_ERROR" });
    const good = makePackage("@acme/review", "1.0.0");
    expect(await refused(good, { integrity: integrityOf(Buffer.from("other")) })).toMatchObject({
      code: "INTEGRITY_ERROR",
    });
    const key = await SigningKey.open(new RegistryProject().path("~/keys/key.pem"));
    const signed = { name: "@acme/review", version: "1.0.0", integrity: integrityOf(good) };
    expect(await refused(good, { signature: key.sign({ ...signed, version: "2.0.0" }) })).toMatchObject({
      code: "INTEGRITY_ERROR",
    });
    expect((await send("POST", "/api/v1/plugins", body(good), viewerToken)).status).toBe(403);
    expect((await request("POST", "/api/v1/plugins", { body: body(good) })).status).toBe(401);
    expect(await refused(good, { signature: key.sign(signed) })).toMatchObject({ isNew: true });
    expect((await send("GET", at("@acme/review"))).body).toMatchObject({
      versions: [{ signature: { key: expect.any(String) } }],
    });
  });

  test("what a package says of itself cannot break the lists that show it", async () => {
    const { send, publish } = await open();
    const long = "word ".repeat(10_000);
    const odd = { "agents/odd.yaml": agent("odd name\0"), "agents/colon.yaml": agent("docs:writer") };
    const fields = {
      description: `a\0${long}`,
      author: long,
      tags: ["code_review", `b\0${long}`, ...Array(2_000).fill("x")],
    };
    expect(await publish("1.0.0", fields, odd)).toMatchObject({ status: 200 });
    const search = async (query: string) =>
      (await send("GET", `/api/v1/search?${query}`)) as { status: number; body: { total: number } };
    for (const type of ["plugin", "agent", "tool"])
      expect(await search(`q=&type=${type}`)).toMatchObject({ status: 200 });
    expect((await search("q=&type=agent")).body).toMatchObject({
      results: [{ name: "@acme/critic" }, { name: "@acme/docs:writer" }],
    });
    expect((await search("q=&tags=code_review")).body.total).toBe(1);
    for (const tags of ["codeXreview", "code%25", "!"]) expect((await search(`q=&tags=${tags}`)).body.total).toBe(0);
    expect((await send("GET", at("@acme/review"))).status).toBe(200);
    expect((await send("GET", at("@acme/review", "1.0.0"))).status).toBe(200);
    expect((await send("GET", "/api/v1/agents/%40acme%2Fdocs%3Awriter/versions/1.0.0")).status).toBe(200);
    // What nobody could read once it is installed is not published.
    const refused = [
      await publish("1.1.0", { description: "x".repeat(1_048_576) }),
      await publish("1.1.0", {}, { "agents/big.yaml": agent("big", { system_prompt: "x".repeat(1_048_576) }) }),
      await publish("1.1.0", { dependencies: { "../../evil": "*" } }),
      await publish("1.1.0", { deep: JSON.parse(`${"[".repeat(1_000)}${"]".repeat(1_000)}`) as unknown }),
      await publish("1.1.0", { dependencies: { "@acme/base": "whatever" } }),
    ];
    for (const { body: answer } of refused) expect(answer).toMatchObject({ code: "VALIDATION_ERROR" });
    const yank = await send("POST", `${at("@acme/review", "1.0.0")}/yank`, { reason: "a\0b" });
    expect(yank.status).toBeLessThan(500);
  });

  test("seeds itself from a folder, whatever the scope; a second time changes nothing", async () => {
    const { database, send } = await open();
    const { root } = new RegistryProject({
      ...Object.fromEntries(pluginFiles("one", "1.0.0").map(([path, text]) => [`plugins/one/${path}`, text])),
      "plugins/broken/plugin.json": JSON.stringify({ name: "broken" }),
    });
    const logged: string[] = [];
    const registry = new RegistryServer(database);
    const log = (_level: string, message: string) => void logged.push(message);
    await seedFrom(root, registry, log);
    await seedFrom(root, registry, log);
    expect(logged).toEqual([
      "a plugin of the seed folder was left out",
      "published a plugin of the seed folder",
      "a plugin of the seed folder was left out",
    ]);
    expect((await send("GET", at("one"))).body).toMatchObject({ latest: "1.0.0" });
    expect((await send("GET", "/api/v1/agents/critic/metadata")).body).toMatchObject({ plugin: "one" });
    // They are the server's: no team withdraws them for the others.
    expect((await send("POST", `${at("one", "1.0.0")}/yank`, { reason: "x" })).status).toBe(403);
    expect((await send("GET", at("one"))).body).toMatchObject({ latest: "1.0.0" });
  });
});
