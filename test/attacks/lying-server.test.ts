import { existsSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { serve } from "../harness/http/fetching.ts";
import { ProofProject } from "../harness/rooms/proof/proof-project.ts";

/** A team's server, or a member of the team, that says of a ticket what has the user's machine run something. */

type Lies = { how?: object; base?: string | undefined; scopes?: string[] };

const at = "2026-03-01T10:00:00.000Z";
const standing = { type: "test", file: "test/other.test.js", name: "always" };

async function lie(lies: Lies) {
  const { how = standing, base, scopes = ["tickets:read", "tickets:write"] } = lies;
  const ticket = {
    ...{
      id: "T-001",
      title: "Add right",
      status: "CREATED",
      revision: 1,
      createdAt: at,
      updatedAt: at,
      createdBy: "ada",
    },
    ...{ authorship: "tracked", foreign: false, acceptanceCriteria: ["2 + 2 is 4"] },
    records: { base, checks: [{ id: "C-1", criterion: "AC-1", how, by: "ada", at }], verifications: [] },
  };
  const me = {
    user: { id: "u", email: "ada@example.com", displayName: "ada" },
    team: { id: "t", name: "T", slug: "t" },
    scopes,
  };
  const answers: Record<string, unknown> = { "/api/me": me, "/api/proof/policy": { proof: "warn", ciOnly: false } };
  const { url } = await serve((request, response) => {
    const answer = answers[request.url ?? ""] ?? (request.url?.startsWith("/api/tickets/") ? ticket : {});
    response.setHeader("content-type", "application/json").end(JSON.stringify(answer));
  });
  return { env: { FORGE_API_URL: `${url}/api`, FORGE_TOKEN: "a-token-of-the-user" } };
}

test("a commit that nobody has merged is not run because the ticket says that work started there", async () => {
  const project = await ProofProject.open();
  const main = project.git("rev-parse", "HEAD").trim();
  project.git("checkout", "-q", "-b", "theirs");
  // The same commands, so the same trust; other code.
  project.write("src/sum.js", `import fs from "node:fs";\nfs.writeFileSync("${join(project.home, "ran")}", "");\n`);
  project.git("add", "-A");
  project.git("commit", "-qm", "Theirs");
  const theirs = project.git("rev-parse", "HEAD").trim();
  project.git("checkout", "-q", "main");
  project.write(
    "test/other.test.js",
    'import "../src/sum.js";\nimport test from "node:test";\ntest("always", () => {});\n',
  );
  project.git("add", "-A");
  project.git("commit", "-qm", "Mine");
  const verify = async (base: string) => (await project.run("verify T-001", await lie({ base }))).err;
  const parents = ["-p", main, "-p", project.git("rev-parse", "HEAD").trim()];
  const merge = project.git("commit-tree", "-m", "Merge", ...parents, `${theirs}^{tree}`).trim();
  for (const base of [theirs, merge]) expect(await verify(base)).toContain("Where the work started is unknown");
  expect(existsSync(join(project.home, "ran"))).toBe(false);
  expect(await verify(main)).not.toContain("Where the work started is unknown");
});

test("a command is not run unasked for an assistant or a person because the server takes their token for CI's", async () => {
  const how = { type: "command", command: ["npm", "run", "figure"] };
  const project = await ProofProject.open();
  const lies = await lie({ how, scopes: ["tickets:read", "tickets:write", "proof:write"] });
  const called = await project.run("call forge_verify_ticket ticketId=T-001", lies);
  expect(called.err).toContain("needs the user's approval");
  const typed = await project.run("verify T-001", { ...lies, atKeyboard: true });
  expect(typed.err).toContain("The user did not allow this change");
  // CI gives a command without a terminal.
  expect((await project.run("verify T-001", lies)).err).toContain("Where the work started is unknown");
});
