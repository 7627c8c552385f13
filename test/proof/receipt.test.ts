import { execFileSync } from "node:child_process";
import { createHash, createPublicKey, generateKeyPairSync, verify as verifySignature } from "node:crypto";
import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import fc from "fast-check";
import { expect, test } from "vitest";
import type { App } from "../../src/commons/cli/app.ts";
import { encodePae, openEnvelope, signPayload } from "../../src/rooms/proof/receipt/dsse.ts";
import { ProofProject, rightSum, sumTest } from "../harness/rooms/proof/proof-project.ts";

async function proven() {
  const project = await ProofProject.open();
  const id = await project.ticket("2 + 2 is 4 – überall");
  await project.do(["check", "add", id, "AC-1", "--test", "test/sum.test.js::adds"]);
  await project.change(id, { "src/sum.js": rightSum, "test/sum.test.js": sumTest });
  await project.do(["verify", id]);
  const file = join(project.home, "receipt.json");
  writeFileSync(file, await project.do(["receipt", id, "--format", "json"]));
  return { project, id, file };
}

test("G a receipt contains no secret that is in the ticket", async () => {
  const project = await ProofProject.open();
  const token = ["ghp", "A1b2C3d4E5f6G7h8I9j0K1l2M3n4O5p6Q7r8"].join("_");
  const id = await project.ticket(`Sends ${token}`);
  await project.do(["check", "add", id, "AC-1", "--file", "package.json"]);
  await project.do(["verify", id]).catch(() => undefined);
  const { payload } = JSON.parse(await project.do(["receipt", id, "--format", "json"]));
  const text = Buffer.from(payload, "base64").toString();
  expect(text).toContain("Sends [redacted github-token]");
  expect(text).not.toContain(token);
});

/** Written from the specifications alone: DSSE 1.0.2, in-toto Statement v1, test-result v0.1. */
function strictlyVerify(text: string): Record<string, unknown> {
  const envelope = JSON.parse(text);
  expect(envelope.payloadType).toBe("application/vnd.in-toto+json");
  const body = Buffer.from(envelope.payload, "base64");
  const type = envelope.payloadType;
  const pae = Buffer.concat([Buffer.from(`DSSEv1 ${type.length} ${type} ${body.length} `, "latin1"), body]);
  const key = createPublicKey(envelope.publicKey);
  const [{ sig, keyid }] = envelope.signatures;
  expect(keyid).toBe(
    createHash("sha256")
      .update(key.export({ type: "spki", format: "der" }))
      .digest("hex"),
  );
  expect(verifySignature(null, pae, key, Buffer.from(sig, "base64"))).toBe(true);
  const statement = JSON.parse(body.toString("utf8"));
  expect(statement._type).toBe("https://in-toto.io/Statement/v1");
  expect(statement.predicateType).toBe("https://in-toto.io/attestation/test-result/v0.1");
  for (const { digest } of statement.subject)
    for (const [name, value] of Object.entries(digest)) {
      expect(["gitCommit", "gitTree"]).toContain(name);
      expect(value).toMatch(/^[0-9a-f]{40}$/);
    }
  expect(["PASSED", "WARNED", "FAILED"]).toContain(statement.predicate.result);
  for (const one of statement.predicate.configuration)
    expect(one.uri ?? one.content ?? one.digest?.sha256).toMatch(/^[0-9a-f]{64}$/);
  return statement;
}

test("the signed form of the DSSE specification, byte for byte", () => {
  const pae = encodePae("http://example.com/HelloWorld", Buffer.from("hello world"));
  expect(pae.toString()).toBe("DSSEv1 29 http://example.com/HelloWorld 11 hello world");
  expect(encodePae("ü", Buffer.from("–")).toString()).toBe("DSSEv1 2 ü 3 –");
});

test("whatever byte is changed, the signature no longer holds", () => {
  const { privateKey, publicKey } = generateKeyPairSync("ed25519");
  const signed = signPayload(Buffer.from('{"a":"ü – b"}'), privateKey);
  expect(openEnvelope(JSON.stringify(signed), [publicKey])).toMatchObject({ isKnown: true });
  expect(openEnvelope(JSON.stringify(signed), [])).toMatchObject({ isKnown: false });
  const urlSafe = signed.payload.replaceAll("+", "-").replaceAll("/", "_");
  expect(openEnvelope(JSON.stringify({ ...signed, payload: urlSafe }), [publicKey]).isKnown).toBe(true);
  fc.assert(
    fc.property(fc.constantFrom("payload", "sig"), fc.nat(), fc.integer({ min: 1, max: 255 }), (part, at, change) => {
      const [signature] = signed.signatures;
      const bytes = Buffer.from(part === "payload" ? signed.payload : (signature?.sig ?? ""), "base64");
      const place = at % bytes.length;
      bytes[place] = (bytes[place] ?? 0) ^ change;
      const text = bytes.toString("base64");
      const other =
        part === "payload" ? { ...signed, payload: text } : { ...signed, signatures: [{ ...signature, sig: text }] };
      expect(() => openEnvelope(JSON.stringify(other), [publicKey])).toThrow("signature is not valid");
    }),
  );
  for (const broken of [
    "",
    "{}",
    "[]",
    "null",
    JSON.stringify({ ...signed, payloadType: "text/plain" }),
    JSON.stringify({ ...signed, payload: "!" }),
    // Each would be compared with every key, over the whole body.
    JSON.stringify({ ...signed, signatures: Array(11).fill(signed.signatures[0]) }),
  ])
    expect(() => openEnvelope(broken, [publicKey])).toThrow("not valid");
});

test("a receipt says what was asked, done and shown, for people and for programs", async () => {
  const { project, id, file } = await proven();
  const statement = strictlyVerify(readFileSync(file, "utf8"));
  expect(statement).toMatchObject({
    subject: [{ digest: { gitCommit: project.git("rev-parse", "HEAD").trim() } }],
    predicate: { result: "PASSED", passedTests: ["AC-1 C-1 test/sum.test.js::adds"] },
  });
  const markdown = await project.do(["receipt", id]);
  expect(markdown).toContain("| AC-1 | 2 + 2 is 4 – überall | ✅ proven |");
  expect(markdown).toContain("src/sum.js, test/sum.test.js");
  expect(markdown).toMatch(/proven; run here by Forge for /);
  expect(await project.do(["receipt", "verify", file])).toMatch(/C-1 proven: run here by Forge for /);
  expect(await project.do(["receipt", id, "--format", "html"])).toContain("<strong>PASSED</strong>");
  // A criterion that nobody has proven does not pass, until a person waives it.
  const again = async () => {
    writeFileSync(file, await project.do(["receipt", id, "--format", "json"]));
    const { code, out } = await project.run(["receipt", "verify", file]);
    return [code, out];
  };
  await project.do(["edit", id, "--criterion", "2 + 2 is 4 – überall", "--criterion", "It is fast"]);
  expect(await again()).toEqual([1, expect.stringMatching(/WARNED.*AC-2 unproven: No check is bound to it/s)]);
  const person = { confirm: async () => true } as unknown as App["person"];
  const waive = ["waive", id, "AC-2", "--reason", "It is a sum", "--until", "2099-01-31"];
  await project.do(waive, { atKeyboard: true, with: () => ({ person }) });
  expect(await again()).toEqual([0, expect.stringContaining("AC-2 waived: Waived by")]);
  expect(await project.do(["receipt", "note", id])).toContain("Noted on ");
  expect(project.git("notes", "--ref=forge", "show", "HEAD")).toContain("application/vnd.in-toto+json");
});

test("it verifies on another clone; a changed byte, an unknown key and a commit that is gone do not pass", async () => {
  const { project, id, file } = await proven();
  expect((await project.run(["receipt", "verify", file, "--rerun"])).code).toBe(0);
  const text = readFileSync(file, "utf8");
  const other = await ProofProject.open();
  const clone = join(other.home, "clone");
  execFileSync("git", ["clone", "-q", project.root, clone]);
  const inClone = (...words: string[]) => other.run([...words, "--project", clone]);
  const foreign = await inClone("receipt", "verify", file);
  expect([foreign.code, foreign.out]).toEqual([2, expect.stringContaining("unknown signer")]);
  expect((await inClone("receipt", "verify", file, "--rerun")).err).toContain("trust its signer");
  await inClone("receipt", "trust", file);
  await inClone("trust", "--yes");
  const known = await inClone("receipt", "verify", file, "--rerun");
  expect([known.code, known.out]).toEqual([0, expect.stringContaining("and confirm the receipt")]);
  // What is said to be proven by nothing, or passes without the change as well, is not shown again.
  const { payload } = JSON.parse(text);
  const { commit } = JSON.parse(Buffer.from(payload, "base64").toString()).predicate.forge;
  const lies: ((key: string, value: unknown) => unknown)[] = [
    (key, value) => (key === "checks" ? [] : value),
    (key, value) => (key !== "base" ? value : /^[0-9a-f]{40}$/.test(String(value)) ? commit : "passed"),
  ];
  for (const lie of lies) {
    const made = JSON.parse(Buffer.from(payload, "base64").toString(), lie);
    const forged = signPayload(Buffer.from(JSON.stringify(made)), generateKeyPairSync("ed25519").privateKey);
    const forgedFile = join(other.home, "forged.json");
    writeFileSync(forgedFile, JSON.stringify(forged));
    await inClone("receipt", "trust", forgedFile);
    const shown = await inClone("receipt", "verify", forgedFile, "--rerun");
    expect([shown.code, shown.out + shown.err]).toEqual([
      1,
      expect.stringMatching(/do not confirm|checks do not prove/),
    ]);
  }
  // The job of the guide, with the note on the commit: it passes there, and not on what came after it.
  const [, words = ""] = /forge receipt verify - (.*)/.exec(readFileSync("docs/proof.md", "utf8")) ?? [];
  const job = () => inClone("receipt", "verify", file, ...words.split(" "));
  expect([words, (await job()).code]).toEqual(["--commit HEAD --rerun", 0]);
  execFileSync("git", ["-c", "user.name=A", "-c", "user.email=a@b.c", "commit", "-qm", "More", "--allow-empty"], {
    cwd: clone,
  });
  expect((await job()).err).toMatch(/not valid: it is of commit \w{12}, not of \w{12}/);
  const gone = await other.run(["receipt", "verify", file]);
  expect([gone.code, gone.err]).toEqual([1, expect.stringContaining("not in this repository")]);
  expect((await other.run(["receipt", id])).err).toContain("not found");
  const changed = join(other.home, "changed.json");
  const envelope = JSON.parse(text);
  const body = Buffer.from(envelope.payload, "base64");
  body[100] = (body[100] ?? 0) ^ 1;
  writeFileSync(changed, JSON.stringify({ ...envelope, payload: body.toString("base64") }));
  const tampered = await inClone("receipt", "verify", changed);
  expect([tampered.code, tampered.err]).toEqual([1, expect.stringContaining("signature is not valid")]);
});

test("a criterion is no more proven than its checks, which are run again", async () => {
  const { project, file } = await proven();
  const { privateKey } = generateKeyPairSync("ed25519");
  const statement = JSON.parse(Buffer.from(JSON.parse(readFileSync(file, "utf8")).payload, "base64").toString());
  const [criterion] = statement.predicate.forge.criteria;
  const how = { type: "file", path: "missing.txt" };
  // When it is run again, it fails as the receipt says that it did.
  const failed = { id: "C-1", criterion: "AC-1", how, outcome: "failed", state: "failed", why: "There is none." };
  for (const checks of [[failed], [...criterion.checks, { ...failed, id: "C-2" }]]) {
    Object.assign(criterion, { checks });
    writeFileSync(file, JSON.stringify(signPayload(Buffer.from(JSON.stringify(statement)), privateKey)));
    await project.run(["receipt", "trust", file]);
    for (const more of [[], ["--rerun"]]) {
      const { code, err } = await project.run(["receipt", "verify", file, ...more]);
      expect([code, err]).toEqual([1, expect.stringContaining("its checks do not prove")]);
    }
  }
});

test("a server's key counts for the team that it was trusted for; a waiver that has ended does not", async () => {
  const { project, file } = await proven();
  const { privateKey, publicKey } = generateKeyPairSync("ed25519");
  const { payload } = JSON.parse(readFileSync(file, "utf8"));
  const sign = (change: (forge: Record<string, unknown>) => void) => {
    const statement = JSON.parse(Buffer.from(payload, "base64").toString());
    change(statement.predicate.forge);
    writeFileSync(file, JSON.stringify(signPayload(Buffer.from(JSON.stringify(statement)), privateKey)));
  };
  const ofTeam = (id: string) =>
    sign((forge) => {
      forge["issuer"] = { server: "https://forge.example", team: { id, name: "Shop" } };
    });
  const code = async () => (await project.run(["receipt", "verify", file])).code;
  const keys = join(project.home, "keys.json");
  const pem = publicKey.export({ type: "spki", format: "pem" });
  writeFileSync(keys, JSON.stringify({ keys: [{ keyid: "a", algorithm: "ed25519", publicKey: pem }] }));
  expect((await project.run(["receipt", "trust", keys])).err).toContain("Name the team");
  await project.do(["receipt", "trust", keys, "--team", "team-1"]);
  ofTeam("team-1");
  expect(await code()).toBe(0);
  // Anyone may have a team on that server, and report there what they like.
  ofTeam("team-2");
  expect(await code()).toBe(2);
  expect((await project.run(["receipt", "verify", file, "--rerun"])).err).toContain("trust its signer");
  sign(() => undefined);
  expect(await code()).toBe(2);
  ofTeam("team-2");
  expect(await project.do(["receipt", "trust", file])).toContain("of the team team-2");
  expect(await code()).toBe(0);
  ofTeam("team-1");
  expect(await code()).toBe(0);
  // A person's key speaks for no team.
  const other = generateKeyPairSync("ed25519");
  const own = join(project.home, "own.pem");
  writeFileSync(own, other.publicKey.export({ type: "spki", format: "pem" }));
  await project.do(["receipt", "trust", own]);
  const body = Buffer.from(JSON.parse(readFileSync(file, "utf8")).payload, "base64");
  writeFileSync(file, JSON.stringify(signPayload(body, other.privateKey)));
  expect(await code()).toBe(2);
  const waive = (until: string) => {
    const statement = JSON.parse(Buffer.from(payload, "base64").toString());
    const { forge } = statement.predicate;
    Object.assign(forge.criteria[0], { state: "waived", why: "Waived by Ada" });
    forge.waived = [{ criterion: "AC-1", reason: "No phone", until, by: "Ada" }];
    statement.predicate.result = "WARNED";
    writeFileSync(file, JSON.stringify(signPayload(Buffer.from(JSON.stringify(statement)), other.privateKey)));
  };
  waive("2099-01-31T00:00:00.000Z");
  expect(await code()).toBe(0);
  waive("2020-01-31T00:00:00.000Z");
  expect(await code()).toBe(1);
});

test("a receipt is judged at its commit, not at what came later", async () => {
  const { project, id } = await proven();
  project.write("src/sum.js", "export const sum = () => 5;\n");
  project.git("commit", "-qam", "Break it");
  expect(await project.json(["proof", id])).toMatchObject({ criteria: [{ state: "unproven" }] });
  expect(await project.do(["receipt", id])).toContain("**PASSED**");
  // A commit that is gone attests nothing.
  project.git("checkout", "-q", "--orphan", "fresh");
  project.git("commit", "-qm", "Fresh");
  project.git("branch", "-q", "-D", "main");
  project.git("reflog", "expire", "--expire=now", "--all");
  project.git("gc", "-q", "--prune=now");
  expect(await project.do(["receipt", id])).not.toContain("**PASSED**");
});

test("text of a ticket cannot become markup of a receipt, and what a check prints not its secret", async () => {
  const token = `ghp_${"a1B2".repeat(9)}`;
  const project = await ProofProject.open({
    "package.json": '{"type":"module","scripts":{"leak":"node leak.mjs"}}\n',
    "leak.mjs": `console.log("token ${token.slice(0, 4)}" + "${token.slice(4)}");\nprocess.exit(1);\n`,
  });
  const hostile = "<script>alert(1)</script> | @team `x` [a](http://b) \u001b[2J";
  const id = await project.ticket(hostile, "It keeps secrets", "It works on phones", "Someone checks this");
  await project.do(["check", "add", id, "AC-2", "--command", "npm run leak"]);
  await project.do(["check", "add", id, "AC-1", "--file", "src/sum.js", "--pattern", "a \\+ b"]);
  await project.change(id, { "src/sum.js": rightSum });
  expect((await project.run(["verify", id])).code).toBe(1);
  const person = { confirm: async () => true } as unknown as App["person"];
  const waive = ["waive", id, "AC-3", "--reason", "No phone <b>", "--until", "2099-01-31"];
  await project.do(waive, { atKeyboard: true, with: () => ({ person }) });
  const markdown = await project.do(["receipt", id]);
  expect(markdown).toMatch(/### Waived\n\n- AC-3 by .* until 2099-01-31: No phone &lt;b>/);
  expect(markdown).toContain("### Not verified\n\n- AC-4: No check is bound to it.");
  expect(markdown).toContain("&lt;script>alert(1)&lt;/script> \\| \\@team \\`x\\` \\[a\\](http://b)");
  const html = await project.do(["receipt", id, "--format", "html"]);
  expect(html).not.toContain("<script>");
  for (const text of [markdown, html]) expect(text).not.toContain("\u001b");
  const { payload } = JSON.parse(await project.do(["receipt", id, "--format", "json"]));
  const statement = Buffer.from(payload, "base64").toString();
  expect(statement).toContain("exit code 1: token");
  expect(statement).not.toContain(token);
});
