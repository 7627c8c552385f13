import { mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test, vi } from "vitest";
import { TrustRecords } from "../../src/commons/trust/records.ts";
import { TrustEditor } from "../../src/commons/trust/trust-editor.ts";
import { Git } from "../../src/platform/git/git.ts";
import { machineName } from "../../src/platform/host/machine-name.ts";
import { saveLink } from "../harness/http/listening-team.ts";
import { rightSum, sumTest } from "../harness/rooms/proof/proof-project.ts";
import { Room } from "./room.ts";
import { serveOneTeamServer } from "./room-team.ts";

const server = serveOneTeamServer();

const files = {
  ".gitignore": ".forge/\n",
  "package.json": '{"type":"module","scripts":{"test":"node --test"}}\n',
  "src/sum.js": "export const sum = (a, b) => a - b;\n",
  "test/sum.test.js": sumTest,
  "test/old.test.js": sumTest.replace("adds", "old").replace("equal(sum(2, 2), 4)", "ok(sum)"),
};
const weak = sumTest.replace("equal(sum(2, 2), 4)", "ok(sum)");

test("a team's ticket goes from its text to proof, and the server knows what each machine reported", async () => {
  const room = new Room(true);
  vi.stubEnv("HOME", room.home);
  try {
    await server.signIn(room.home, room.cwd);
    room.repository(files);
    room.git("config", "user.name", "Ada");
    room.git("config", "user.email", "ada@example.org");
    const forge = async (...words: string[]) => {
      const { code, out, err } = await room.forge(words);
      if (code !== 0) throw new Error(`forge ${words.join(" ")}: ${err}`);
      return out;
    };
    const json = async (...words: string[]) => JSON.parse((await room.forge([...words, "--json"])).out);
    const write = (path: string, text: string) => writeFileSync(join(room.cwd, path), text);
    const desk = new TrustEditor({ git: new Git(), records: new TrustRecords() });
    await desk.grant(await desk.state(room.cwd, new AbortController().signal), "ada");
    expect(await forge("team", "proof")).toBe("Proof: warn\n");
    expect(await forge("team", "proof", "required")).toBe("Proof: required\n");
    const criteria = ["--criterion", "Old sums are right", "--criterion", "2 + 2 is 4"];
    await forge("create", "Sums are right", ...criteria, "--status", "ready");
    await forge("start", "T-001");
    expect(await json("show", "T-001")).toMatchObject({
      status: "CREATED",
      records: { work: [{ status: "started" }] },
    });

    // The laptop's own policy allows it; the server does not.
    const early = await room.forge("complete T-001");
    expect([early.code, early.err]).toEqual([1, expect.stringContaining("proof of its criteria is required")]);

    // An assistant claims done: without a test, with one that passes on the base, and with one that it has weakened.
    const assistant = await room.connect();
    const about = { ticketId: "T-001" };
    const claim = async () =>
      JSON.stringify(await assistant.call("update_ticket_status", { ...about, status: "COMPLETE" }));
    expect(await claim()).toContain("No check is bound");
    await assistant.call("forge_bind_check", { ...about, criterion: "AC-1", test: "test/old.test.js::old" });
    await assistant.call("forge_bind_check", { ...about, criterion: "AC-2", test: "test/sum.test.js::adds" });
    expect(await claim()).toContain("has not been run");
    write("src/sum.js", "export const sum = () => 5;\n");
    write("test/sum.test.js", weak);
    await forge("run", "commit", "-m", "Sums");
    const { value: caught } = await assistant.call("forge_verify_ticket", about);
    expect(caught).toMatchObject({
      proven: false,
      criteria: [
        { why: expect.stringContaining("also passes without the change") },
        { why: expect.stringContaining("as it was before, it fails") },
      ],
    });
    expect(await claim()).toMatch(/AC-1 is unproven.*AC-2 is unproven/);
    // Another token of the same user says that this machine saw it fail before the work: the base is run all the same.
    const { apiUrl, accessToken, teamId } = JSON.parse(readFileSync(join(room.home, ".forge", "config.json"), "utf8"));
    const { base } = (caught as { base: string }) ?? {};
    const own = room.git("rev-parse", "HEAD:test/old.test.js").trim();
    const [commit, tree] = room.git("show", "-s", "--format=%H %T").trim().split(" ");
    const result = { check: "C-1", outcome: "passed", base: "failed", why: "Passed.", ms: 1, own };
    const verification = { commit, tree, base, clean: true, machine: machineName(), results: [result] };
    const posted = await fetch(`${apiUrl}/tickets/T-001/records`, {
      method: "POST",
      headers: { authorization: `Bearer ${accessToken}`, "x-team-id": teamId, "content-type": "application/json" },
      body: JSON.stringify({ entry: { kind: "verification", verification } }),
    });
    expect(posted.status, await posted.text()).toBe(200);
    expect((await assistant.call("forge_verify_ticket", about)).value).toMatchObject({
      criteria: [{ why: expect.stringContaining("also passes without the change") }, {}],
    });
    await forge("start", "T-001", "--run-tests");
    write("src/sum.js", rightSum);
    write("test/sum.test.js", sumTest);
    write("test/old.test.js", sumTest.replace("adds", "old"));
    await forge("run", "commit", "-m", "Right sums");
    expect((await assistant.call("forge_verify_ticket", about)).value).toMatchObject({ proven: true });
    const shown = await forge("show", "T-001");
    for (const part of ["merged", "proven at", "tests passed"]) expect(shown).toContain(part);
    expect((await assistant.call("get_ticket_context", about)).value).toMatchObject({
      work: [{ status: "merged" }, { status: "merged" }],
      proof: { "AC-1": "proven", "AC-2": "proven" },
    });

    // The server has the records; only the laptop sees that the code has changed since.
    write("src/sum.js", "export const sum = (a, b) => b + a;\n");
    room.git("commit", "-qam", "Other way round");
    expect(await forge("show", "T-001")).toContain("1 commit ago");
    await forge("complete", "T-001");
    expect(await json("show", "T-001")).toMatchObject({ status: "COMPLETE", unproven: true });
    await forge("status", "T-001", "created");
    expect(await json("verify", "T-001")).toMatchObject({ proven: true });
    await forge("complete", "T-001");
    expect(await json("show", "T-001")).not.toHaveProperty("unproven");
    expect(await forge("receipt", "T-001")).toContain("**PASSED**");
    expect((await json("report"))["rows"]).toMatchObject([{ claimed: 1, proven: 1, reopened: 1 }]);
    // What the team does not let count is no receipt either, whoever signs it.
    await forge("team", "proof", "warn", "--ci-only");
    expect(await forge("receipt", "T-001")).not.toContain("**PASSED**");

    // Another laptop, on which the code is as it was before: what the server says is not true of it.
    const other = new Room(true);
    try {
      vi.stubEnv("HOME", other.home);
      const config = readFileSync(join(room.home, ".forge", "config.json"), "utf8");
      mkdirSync(join(other.home, ".forge"), { mode: 0o700 });
      writeFileSync(join(other.home, ".forge", "config.json"), config, { mode: 0o600 });
      saveLink(other.home, other.cwd, JSON.parse(config));
      other.repository(files);
      const { code, out } = await other.forge("proof T-001");
      expect([code, out]).toEqual([1, expect.stringMatching(/Proven at \w{7}, which is not here; 2 of its 2 files/)]);
    } finally {
      await other.close();
    }
  } finally {
    await room.close();
    vi.unstubAllEnvs();
  }
});
