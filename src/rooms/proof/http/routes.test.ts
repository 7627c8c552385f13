import { createHash, createPublicKey, verify } from "node:crypto";
import { join } from "node:path";
import { expect, it, onTestFinished, vi } from "vitest";
import { describeOnEngines, temporaryFolder } from "../../../../test/harness/db/store.ts";
import { serverOpener } from "../../../../test/harness/http/team-server.ts";
import { loadMigrations } from "../../../app/migrations.ts";
import { openDatabase } from "../../../platform/db/database.ts";
import { entryAt } from "../../../platform/files/entry-at.ts";
import { machineName } from "../../../platform/host/machine-name.ts";
import { encodePae, keyIdOf } from "../receipt/dsse.ts";
import type { ProofTables } from "../store/schema.ts";
import { ServerKey } from "../store/server-key.ts";

const openServer = serverOpener();
const home = temporaryFolder();

type Loose = { [name: string]: Loose } & Loose[] & string;

const passed = { check: "C-1", outcome: "passed", base: "failed", why: "Passed.", ms: 1, files: {} };
const [commit, tree] = ["a".repeat(40), "b".repeat(40)];
const verification = { commit, tree, base: "c".repeat(40), clean: true, results: [passed], machine: "laptop" };

async function openTeam() {
  vi.stubEnv("HOME", home());
  const server = await openServer();
  const ask = async (method: string, path: string, body?: unknown, token = server.token) => {
    const response = await server.request(method, path, { token, body });
    return { status: response.status, body: (await response.json()) as Loose };
  };
  const record = (entry: unknown, token?: string) => ask("POST", "/api/tickets/T-001/records", { entry }, token);
  /** A ticket in progress, with one check. */
  const prepare = async () => {
    const criteria = { acceptanceCriteria: ["It works"] };
    expect((await ask("POST", "/api/tickets", { title: "Work", status: "READY", ...criteria })).status).toBe(201);
    await ask("PATCH", "/api/tickets/T-001", { status: "CREATED" });
    const how = { type: "test", file: "a.test.js", name: "works" };
    expect((await record({ kind: "check", check: { criterion: "AC-1", how } })).status).toBe(200);
  };
  /** A person at a terminal. */
  const lower = (body: unknown) => {
    const { token, request } = server;
    return request("PATCH", "/api/proof/policy", { token, body, headers: { "x-forge-person": "1" } });
  };
  return { ...server, ask, record, prepare, lower };
}

it("a server publishes its key, and signs receipts with it", async () => {
  const { ask, record, prepare } = await openTeam();
  await prepare();
  const none = await ask("GET", "/api/tickets/T-001/receipt");
  expect([none.status, none.body["message"]]).toEqual([400, expect.stringContaining("has not been verified")]);
  expect((await ask("GET", "/api/tickets/T-001/proof")).body).toMatchObject({
    criteria: [{ id: "AC-1", state: "unproven", checks: [{ id: "C-1", check: "a.test.js::works" }] }],
  });
  await record({ kind: "verification", verification });
  expect((await ask("GET", "/api/tickets/T-001/proof")).body).toMatchObject({
    criteria: [{ state: "proven", checks: [{ state: "proven", commit, reportedBy: "Ada's machine" }] }],
  });
  const { body: envelope } = await ask("GET", "/api/tickets/T-001/receipt");
  const { body } = await ask("GET", "/api/keys", undefined, "");
  const [key] = body["keys"] as unknown as { keyid: string; algorithm: string; publicKey: string }[];
  expect(key).toMatchObject({ algorithm: "ed25519", keyid: envelope["signatures"]?.[0]?.["keyid"] });
  const payload = Buffer.from(String(envelope["payload"]), "base64");
  const sig = Buffer.from(String(envelope["signatures"]?.[0]?.["sig"]), "base64");
  const pae = encodePae("application/vnd.in-toto+json", payload);
  expect(verify(null, pae, createPublicKey(key?.publicKey ?? ""), sig)).toBe(true);
  expect(JSON.parse(payload.toString())).toMatchObject({
    subject: [{ digest: { gitCommit: commit, gitTree: tree } }],
    predicate: {
      result: "PASSED",
      forge: {
        machine: "laptop",
        issuer: { server: expect.stringMatching(/^http/), team: { name: expect.any(String) } },
        // Whoever recorded it said so; the server has run nothing.
        criteria: [{ id: "AC-1", state: "proven", checks: [{ source: { machine: "laptop", reported: true } }] }],
      },
    },
  });
  // Not with a key of the person who happens to run the server.
  expect(entryAt(join(home(), ".forge", "keys"))).toBeUndefined();
});

it("a correction completes no ticket that is opened again meanwhile, whatever it says of proof", async () => {
  const { ask, prepare } = await openTeam();
  await prepare();
  await ask("PATCH", "/api/tickets/T-001", { status: "COMPLETE" });
  await ask("PATCH", "/api/proof/policy", { proof: "required" });
  const [opened] = await Promise.all([
    ask("PATCH", "/api/tickets/T-001", { status: "CREATED" }),
    ask("POST", "/api/tickets/T-001/settle", { correct: true, proof: "unproven" }),
  ]);
  expect(opened).toMatchObject({ status: 200 });
  expect((await ask("GET", "/api/tickets/T-001")).body["status"]).toBe("CREATED");
});

const failing = { ...verification, results: [{ ...passed, outcome: "failed", why: "It fails." }] };
const whole = { id: "T-001", title: "Work", acceptanceCriteria: ["It works"], status: "COMPLETE" };
type Sent = [method: string, path: string, body: unknown];
const added: Sent = ["PATCH", "/api/tickets/T-001", { acceptanceCriteria: ["It works", "It is fast"] }];
const failed: Sent = ["POST", "/api/tickets/T-001/records", { entry: { kind: "verification", verification: failing } }];
const moved: Sent = ["PATCH", "/api/tickets/T-001", { status: "COMPLETE" }];
const settled: Sent = ["POST", "/api/tickets/T-001/settle", {}];
const imported: Sent = ["POST", "/api/tickets/import", { tickets: [whole], onExisting: "replace" }];

it.each<[string, Sent, Sent]>([
  ["a criterion is added while it is moved", added, moved],
  ["a criterion is added while it is settled", added, settled],
  ["a check fails while it is moved", failed, moved],
  ["a check fails while it is settled", failed, settled],
  ["a check fails while it is imported", failed, imported],
])("a ticket that was proven is not completed if %s", async (_what, change, completion) => {
  const { ask, record, prepare } = await openTeam();
  await ask("PATCH", "/api/proof/policy", { proof: "required" });
  await prepare();
  await record({ kind: "verification", verification });
  const [changed, completed] = await Promise.all([ask(...change), ask(...completion)]);
  expect([changed.status, completed.status < 400]).toEqual([200, false]);
  expect((await ask("GET", "/api/tickets/T-001")).body["status"]).toBe("CREATED");
});

it("a ticket that was proven is completed although somebody comments on it meanwhile", async () => {
  const { ask, record, prepare } = await openTeam();
  await ask("PATCH", "/api/proof/policy", { proof: "required" });
  await prepare();
  await record({ kind: "verification", verification });
  const answers = await Promise.all([record({ kind: "comment", text: "Almost" }), ask(...settled)]);
  expect(answers.map(({ status }) => status)).toEqual([200, 200]);
  expect((await ask("GET", "/api/tickets/T-001")).body["status"]).toBe("COMPLETE");
});

it("what was reported is shown as reported, whatever machine it names", async () => {
  const { ask, record, prepare } = await openTeam();
  await prepare();
  await record({ kind: "verification", verification: { ...verification, machine: machineName() } });
  expect((await ask("GET", "/api/tickets/T-001/proof")).body).toMatchObject({
    criteria: [{ checks: [{ reportedBy: "Ada's machine" }] }],
  });
});

it("what one member reports leaves room for what CI reports", async () => {
  const { record, prepare, tokenWith } = await openTeam();
  await prepare();
  const withFiles = (count: number) => {
    const files = Object.fromEntries(
      Array.from({ length: count }, (_, index) => [`src/${index}/${"x".repeat(4_000)}.js`, commit]),
    );
    return { ...verification, results: [{ ...passed, files }] };
  };
  expect(await record({ kind: "verification", verification: withFiles(220) })).toMatchObject({ status: 200 });
  const ci = await tokenWith("tickets:write", "proof:write");
  expect(await record({ kind: "verification", verification: withFiles(50) }, ci)).toMatchObject({ status: 200 });
});

it("a receipt of a server attests nothing that was shown on another tree than its own", async () => {
  const { ask, record, prepare } = await openTeam();
  await prepare();
  await record({ kind: "verification", verification });
  // Later work, of which only another check is reported.
  const how = { type: "test", file: "b.test.js", name: "works" };
  await record({ kind: "check", check: { criterion: "AC-1", how } });
  const results = [{ ...passed, check: "C-2" }];
  const later = { ...verification, commit: "d".repeat(40), tree: "e".repeat(40), results };
  expect((await record({ kind: "verification", verification: later })).status).toBe(200);
  const { body } = await ask("GET", "/api/tickets/T-001/receipt");
  const statement = JSON.parse(Buffer.from(body["payload"] as string, "base64").toString());
  expect(statement.predicate).toMatchObject({
    result: "WARNED",
    forge: {
      commit: later.commit,
      criteria: [{ state: "unproven", why: "Proven at aaaaaaa, which is another tree." }],
    },
  });
});

it("a receipt of a server attests a look for the tree that the person saw, and no other", async () => {
  const { ask, record, prepare, request, token } = await openTeam();
  await prepare();
  const how = { type: "look", what: "The page" };
  await record({ kind: "check", check: { criterion: "AC-1", how } });
  const look = { kind: "look", check: "C-2", passed: true, saw: "It is right", on: { commit, tree } };
  const headers = { "x-forge-person": "1" };
  await request("POST", "/api/tickets/T-001/records", { token, body: { entry: look }, headers });
  const attested = async () => {
    const { body } = await ask("GET", "/api/tickets/T-001/receipt");
    return JSON.parse(Buffer.from(body["payload"] as string, "base64").toString()).predicate;
  };
  await record({ kind: "verification", verification });
  expect(await attested()).toMatchObject({ result: "PASSED" });
  const later = { ...verification, commit: "d".repeat(40), tree: "e".repeat(40) };
  await record({ kind: "verification", verification: later });
  expect(await attested()).toMatchObject({
    result: "WARNED",
    forge: { criteria: [{ state: "unproven", why: "Seen at aaaaaaa, which is another tree." }] },
  });
});

it("where only CI counts, a receipt has the commit, the base and the invariants that CI reported", async () => {
  const { ask, record, prepare, tokenWith } = await openTeam();
  await ask("PATCH", "/api/proof/policy", { proof: "required", ciOnly: true });
  await prepare();
  const attested = async () => {
    const { body } = await ask("GET", "/api/tickets/T-001/receipt");
    return JSON.parse(Buffer.from(body["payload"] as string, "base64").toString()).predicate;
  };
  const others = { commit: "d".repeat(40), base: "e".repeat(40), machine: "runner" };
  const told = { ...verification, ...others, rules: [{ name: "no_secrets", status: "held", why: "None." }] };
  await record({ kind: "verification", verification: told });
  const early = await attested();
  expect([early.result, early.forge.rules]).toEqual(["WARNED", undefined]);
  const rules = [{ name: "no_secrets", status: "broken", why: "Three." }];
  const ci = await tokenWith("tickets:write", "proof:write");
  await record({ kind: "verification", verification: { ...verification, rules } }, ci);
  await record({ kind: "verification", verification: told });
  const { base, machine } = verification;
  expect(await attested()).toMatchObject({ result: "PASSED", forge: { commit, base, machine, rules } });
});

describeOnEngines("the server's key for receipts", (engine) => {
  it("is one for all servers on a database, and encrypted where the server has a secret", async () => {
    const database = openDatabase<ProofTables>(await engine.fresh(), await loadMigrations());
    onTestFinished(() => database.close());
    const idOf = async (secret?: string) => keyIdOf(await new ServerKey(database.forTables(), secret).own());
    const stored = async () =>
      (await database.read((db) => db.selectFrom("receipt_key").select("private_key").executeTakeFirst()))?.private_key;
    const [first, second] = await Promise.all([idOf(), idOf()]);
    expect(second).toBe(first);
    expect(await stored()).toContain("BEGIN PRIVATE KEY");
    expect(await idOf("a secret")).toBe(first);
    expect(await stored()).toContain("BEGIN ENCRYPTED PRIVATE KEY");
    expect(await idOf("a secret")).toBe(first);
    for (const wrong of [undefined, "another"])
      await expect(idOf(wrong)).rejects.toMatchObject({ code: "CONFIG_ERROR" });
  });
});

it("a team's policy is its admins' to set, and the server enforces it", async () => {
  const { ask, record, prepare, viewerToken } = await openTeam();
  expect((await ask("GET", "/api/proof/policy", undefined, viewerToken)).body).toEqual({
    proof: "warn",
    ciOnly: false,
  });
  expect((await ask("PATCH", "/api/proof/policy", { proof: "off" }, viewerToken)).status).toBe(403);
  expect((await ask("PATCH", "/api/proof/policy", { proof: "maybe" })).status).toBe(400);
  expect((await ask("PATCH", "/api/proof/policy", { proof: "required" })).body).toEqual({
    proof: "required",
    ciOnly: false,
  });
  await prepare();
  const edited = await ask("GET", "/api/tickets/T-001");
  for (const refused of [
    await ask("PATCH", "/api/tickets/T-001", { status: "COMPLETE" }),
    // What a client calls proven is not proven.
    await ask("POST", "/api/tickets/T-001/settle", { proof: "proven" }),
  ])
    expect([refused.status, refused.body["message"]]).toEqual([400, expect.stringContaining("proof of its criteria")]);
  expect(edited.body["status"]).toBe("CREATED");
  await record({ kind: "verification", verification });
  expect((await ask("POST", "/api/tickets/T-001/settle", {})).body).toMatchObject({ status: "COMPLETE" });
});

it("without the policy, completing without proof is marked, whatever the client says", async () => {
  const { ask, prepare, lower } = await openTeam();
  await prepare();
  const { body } = await ask("POST", "/api/tickets/T-001/settle", { proof: "proven" });
  expect(body).toMatchObject({ status: "COMPLETE", unproven: true });
  await ask("PATCH", "/api/tickets/T-001", { status: "CREATED" });
  const lowered = await ask("PATCH", "/api/proof/policy", { proof: "off" });
  expect([lowered.status, lowered.body["message"]]).toEqual([403, expect.stringContaining("Only a person")]);
  await lower({ proof: "off" });
  const { body: done } = await ask("PATCH", "/api/tickets/T-001", { status: "COMPLETE" });
  expect([done["status"], done["unproven"]]).toEqual(["COMPLETE", undefined]);
});

it("a team can demand that CI verifies; a laptop's report does not count then, and is shown as what it is", async () => {
  const { ask, record, prepare, tokenWith } = await openTeam();
  await ask("PATCH", "/api/proof/policy", { proof: "required", ciOnly: true });
  await prepare();
  await record({ kind: "verification", verification });
  const refused = await ask("PATCH", "/api/tickets/T-001", { status: "COMPLETE" });
  expect([refused.status, JSON.stringify(refused.body)]).toEqual([400, expect.stringContaining("by CI")]);
  // An API token without the scope is a laptop's, too; no sign-in has it.
  await record({ kind: "verification", verification }, await tokenWith("tickets:write"));
  expect((await ask("PATCH", "/api/tickets/T-001", { status: "COMPLETE" })).status).toBe(400);
  expect((await ask("GET", "/api/me")).body["scopes"]).not.toContain("proof:write");
  await record({ kind: "verification", verification }, await tokenWith("tickets:write", "proof:write"));
  const { body } = await ask("PATCH", "/api/tickets/T-001", { status: "COMPLETE" });
  expect(body).toMatchObject({ status: "COMPLETE" });
  const [first, second, third] = body["records"]?.["verifications"] ?? [];
  expect([first, second, third].map((one) => one?.["ci"])).toEqual([undefined, undefined, true]);
});

it("what CI saw fail is not forgotten because others report more, and no document sets the base", async () => {
  const { ask, record, prepare, request, tokenWith } = await openTeam();
  await ask("PATCH", "/api/proof/policy", { proof: "required", ciOnly: true });
  await prepare();
  const [ci, member] = [await tokenWith("tickets:write", "proof:write"), await tokenWith("tickets:write")];
  const failed = { ...verification, results: [{ ...passed, outcome: "failed" }] };
  await record({ kind: "verification", verification: failed }, ci);
  await record({ kind: "verification", verification }, ci);
  const empty = await record({ kind: "verification", verification: { ...verification, results: [] } }, member);
  expect([empty.status, empty.body["message"]]).toEqual([400, expect.stringContaining("no result for any check")]);
  for (let times = 0; times < 6; times++) await record({ kind: "verification", verification }, member);
  const refused = await ask("PATCH", "/api/tickets/T-001", { status: "COMPLETE" });
  expect([refused.status, JSON.stringify(refused.body)]).toEqual([400, expect.stringContaining("Flaky")]);
  const { body: before } = await ask("GET", "/api/tickets/T-001");
  const document = { title: "Work", acceptanceCriteria: ["It works"], executionBase: { commit } };
  const edited = await request("PATCH", "/api/tickets/T-001", {
    ...{ token: member, body: { document } },
    headers: { "if-match": `"${before["revision"]}"` },
  });
  expect([edited.status, await edited.json()]).toEqual([
    200,
    expect.not.objectContaining({ executionBase: { commit } }),
  ]);
});

it("the commit where work started first stays, whatever later starts and records of work say", async () => {
  const { ask, record, request, token } = await openTeam();
  await ask("POST", "/api/tickets", { title: "Work", status: "READY", acceptanceCriteria: ["It works"] });
  const [first, older] = ["1".repeat(40), "0".repeat(40)];
  const start = (base: string) =>
    ask("PATCH", "/api/tickets/T-001", { status: "CREATED", executionBase: { commit: base } });
  const report = (execution: string) => record({ kind: "work", work: { execution, status: "started", base: older } });
  await report("before");
  expect((await start(first)).body).toMatchObject({ records: { base: first } });
  await ask("PATCH", "/api/tickets/T-001", { status: "READY" });
  await start(older);
  await report("after");
  expect((await ask("GET", "/api/tickets/T-001")).body).toMatchObject({
    executionBase: { commit: older },
    records: { base: first },
  });
  // A person at a terminal hands it back.
  const headers = { "x-forge-person": "1" };
  await request("PATCH", "/api/tickets/T-001", { token, body: { status: "READY" }, headers });
  expect((await start(older)).body).toMatchObject({ records: { base: older } });
});

it("results of checks that do not exist are not kept: a later check has no proof of its own", async () => {
  const { ask, record, prepare } = await openTeam();
  await prepare();
  const forged = { ...verification, results: [passed, { ...passed, check: "C-2" }] };
  await record({ kind: "verification", verification: forged });
  const how = { type: "file", path: "README.md" };
  const { body } = await record({ kind: "check", check: { criterion: "AC-1", how } });
  expect(body["records"]?.["verifications"]?.[0]?.["results"]).toHaveLength(1);
  await ask("PATCH", "/api/proof/policy", { proof: "required" });
  const refused = await ask("PATCH", "/api/tickets/T-001", { status: "COMPLETE" });
  expect(JSON.stringify(refused.body)).toContain("It has not been run.");
});

it("what was recorded of a criterion that a person removed is not a later one's, whatever a document says", async () => {
  const { ask, record, prepare, request, token } = await openTeam();
  await prepare();
  await record({ kind: "verification", verification });
  const asPerson = async (acceptanceCriteria: string[]) =>
    request("PATCH", "/api/tickets/T-001", {
      ...{ token, body: { acceptanceCriteria } },
      headers: { "x-forge-person": "1" },
    });
  await asPerson([]);
  const { body: before } = await ask("GET", "/api/tickets/T-001");
  const document = { ...(before as object), acceptanceCriteriaUsed: 0 };
  const headers = { "if-match": `"${before["revision"]}"` };
  expect((await request("PATCH", "/api/tickets/T-001", { token, body: { document }, headers })).status).toBe(200);
  await asPerson(["Payments are never lost"]);
  expect((await ask("GET", "/api/tickets/T-001/proof")).body["criteria"]).toMatchObject([
    { state: "unproven", why: "No check is bound to it." },
  ]);
  // Neither is the id of its check.
  const how = { type: "file", path: "README.md" };
  const criterion = (await ask("GET", "/api/tickets/T-001")).body["acceptanceCriteriaIds"]?.[0] ?? "";
  const { body: bound } = await record({ kind: "check", check: { criterion, how } });
  expect(bound["records"]?.["checks"]).toMatchObject([{ id: "C-2" }]);
});

it("only a person says that a check passes before and after the change", async () => {
  const { ask, record, prepare, request, token } = await openTeam();
  await prepare();
  const green = { ...verification, results: [{ ...passed, base: "passed", expectGreen: true }] };
  const how = { type: "file", path: "README.md" };
  const check = { criterion: "AC-1", how, expectGreen: true };
  for (const entry of [
    { kind: "verification", verification: green },
    { kind: "check", check },
  ])
    expect((await record(entry)).status).toBe(403);
  const headers = { "x-forge-person": "1" };
  const body = { entry: { kind: "check", check } };
  expect((await request("POST", "/api/tickets/T-001/records", { token, body, headers })).status).toBe(200);
  expect((await ask("GET", "/api/tickets/T-001")).body["records"]?.["checks"]).toHaveLength(2);
});

it("a request cannot change the criteria and complete the ticket at once, nor import it as complete", async () => {
  const { ask, prepare, lower } = await openTeam();
  await prepare();
  await ask("PATCH", "/api/proof/policy", { proof: "required" });
  const before = await ask("GET", "/api/tickets/T-001");
  const replaced = { tickets: [{ id: "T-001", title: "Work", status: "COMPLETE" }], onExisting: "replace" };
  for (const refused of [
    await ask("PATCH", "/api/tickets/T-001", { status: "COMPLETE", acceptanceCriteria: [] }),
    await ask("PATCH", "/api/tickets/T-001", { status: "COMPLETE", techSpec: { acceptanceCriteria: ["Easy"] } }),
    await ask("POST", "/api/tickets/import", replaced),
    await ask("POST", "/api/tickets/import", { tickets: [{ title: "New", status: "COMPLETE" }] }),
  ])
    expect([refused.status, refused.body["message"]]).toEqual([
      expect.any(Number),
      expect.stringMatching(/is required|requires proof/),
    ]);
  expect((await ask("GET", "/api/tickets/T-001")).body).toEqual(before.body);
  await lower({ proof: "warn" });
  const { body } = await ask("PATCH", "/api/tickets/T-001", { status: "COMPLETE", acceptanceCriteria: [] });
  expect(body).toMatchObject({ status: "COMPLETE", unproven: true, records: { dropped: [{ criterion: "AC-1" }] } });
});

it("an API token is no person, and neither a correction nor a client's word completes past the policy", async () => {
  const { ask, prepare, request, token, tokenWith } = await openTeam();
  await prepare();
  const waiver = { criterion: "AC-1", reason: "Not needed", until: "2099-01-01" };
  const waive = async (by: string) => {
    const body = { entry: { kind: "waiver", waiver } };
    const headers = { "x-forge-person": "1" };
    return (await request("POST", "/api/tickets/T-001/records", { token: by, body, headers })).status;
  };
  expect(await waive(await tokenWith("tickets:write"))).toBe(403);
  expect((await ask("PATCH", "/api/proof/policy", { proof: "required" })).status).toBe(200);
  const settled = await ask("POST", "/api/tickets/T-001/settle", { correct: true, proof: "proven" });
  expect([settled.status, settled.body["message"]]).toEqual([400, expect.stringContaining("is required")]);
  expect(await waive(token)).toBe(200);
});

it("a check's file is one of the project", async () => {
  const { record, prepare } = await openTeam();
  await prepare();
  for (const file of ["../x.test.js", "/tmp/x.test.js", "a/../../x.test.js", "--eval"]) {
    const how = { type: "test", file, name: "works" };
    expect((await record({ kind: "check", check: { criterion: "AC-1", how } })).status, file).toBe(400);
  }
});

it("an API token neither lowers the policy nor removes a member; a cookie alone approves no device", async () => {
  const { ask, request, access, ada, tokenWith } = await openTeam();
  const token = await tokenWith("access:write");
  expect((await ask("PATCH", "/api/proof/policy", { proof: "off" }, token)).status).toBe(403);
  await expect(
    access.members.remove({ ...ada.by, tokenId: "none", apiToken: true }, ada.by.user.id, { address: "x" }),
  ).rejects.toMatchObject({ code: "PERMISSION_DENIED" });
  const { userCode } = await access.devices.request("forge", { address: "x" });
  const approve = async (headers: Record<string, string>) =>
    (await request("POST", "/api/auth/device/verify", { body: { userCode }, headers })).status;
  const cookie = `__Host-forge_session=${ada.cookie}`;
  const csrf = createHash("sha256").update("csrf:").update(ada.cookie).digest("base64url");
  expect(await approve({ cookie })).toBe(401);
  expect(await approve({ cookie, "x-csrf-token": csrf })).toBe(200);
});
