import { describe, expect } from "vitest";
import { onBoth } from "./room-suite.ts";
import { serveOneTeamServer } from "./room-team.ts";

const server = serveOneTeamServer();

const formats = ["json", "xml", "markdown"] as const;

/** Of another program, with fields of its own and with those that Forge keeps beside a ticket. */
const foreign = {
  id: "aec_1",
  slug: "acme-1",
  title: "From elsewhere",
  status: "forged",
  type: "bug",
  priority: "high",
  assignedTo: "grace",
  createdBy: "linus",
  createdAt: "2025-01-02T03:04:05.000Z",
  updatedAt: "2025-02-03T04:05:06.000Z",
  description: "Read \u200b me",
  acceptanceCriteria: ["Given a\nWhen b\nThen c", { given: "x", when: "y", then: "z" }],
  techSpec: {
    problemStatement: { narrative: "Broken", assumptions: ["A"] },
    solution: { overview: "Do it", steps: [{ order: 1, description: "First" }] },
    fileChanges: [{ path: "a.ts", action: "modify", layer: "backend" }],
    apiChanges: { endpoints: [{ method: "GET", route: "/x" }] },
    inScope: ["This"],
  },
  questions: [{ id: `own-${"id".repeat(30)}`, question: "Why?", answer: "Because." }],
  reviewSession: { qaItems: [{ question: "Who?", answer: "Me." }], submittedAt: "2025-01-03T00:00:00.000Z" },
  custom: { kept: [1, null, "x", { deep: true }] },
  empty: {},
  nothing: null,
};

const own = { revision: 77, foreign: "no", authorship: "mine", claim: "nobody's", updatedBy: "torvalds", stale: "old" };

describe("tickets come in and go out the same, into the project's own store and to a team's", () => {
  onBoth(server, "in each format, and back as the same", async (room) => {
    await room.forge(["create", "Add logout", "--criterion", "Gone", "--file", "create:src/a.ts", "--solution", "S"]);
    await room.forge(["questions", "T-001", "--ask", "For guests?"]);
    await room.forge("import acme.json", { inputs: { "acme.json": JSON.stringify(foreign) } });
    await room.forge("show aec_1 --json --history");
    for (const id of ["T-001", "acme-1"]) {
      for (const format of formats) {
        const { out } = await room.forge(["export", id, "--format", format]);
        const input = { inputs: { [`again.${format}`]: out } };
        const { code } = await room.forge(["import", `again.${format}`, "--format", format], input);
        expect(code).toBe(1);
        for (const how of ["skip", "replace", "new-id"])
          await room.forge(["import", `again.${format}`, "--format", format, "--on-existing", how, "--json"], input);
      }
      await room.forge(["show", id, "--json"]);
    }
    const { tickets } = await room.json<{ tickets: { id: string }[] }>("list --all");
    expect(tickets).toHaveLength(8);
    for (const { id } of tickets) await room.forge(["export", id, "--format", "json"]);
  });

  onBoth(server, "fields of the same name as Forge's own", async (room) => {
    const odd = { ...foreign, ...own };
    await room.forge("import odd.json", { inputs: { "odd.json": JSON.stringify(odd) } });
    await room.forge("show aec_1 --json");
    await room.forge("export aec_1");
    await room.forge("edit aec_1", { edits: [(text) => text.replace("From elsewhere", "From here")] });
    await room.forge("export aec_1");
    const assistant = await room.connect();
    await assistant.call("get_ticket_context", { ticketId: "acme-1" });
    await assistant.call("update_ticket", { ticketId: "acme-1", description: "New" });
    await room.forge("export aec_1");
  });

  onBoth(server, "several files, standard input, all or none", async (room) => {
    const inputs = {
      "a.json": JSON.stringify([{ title: "One" }, { title: "Two", status: "delivered" }]),
      "b.md": "# Three\n\n## Description\n\nText\n",
      "c.xml": "<ticket><title>Four</title></ticket>",
      "-": JSON.stringify({ title: "Five", id: "T-009" }),
      "half.json": JSON.stringify([{ title: "Six" }, { title: "Seven", id: "T-009" }]),
      "bad.json": '[{"title": "Eight"},]',
      "untitled.json": JSON.stringify([{ title: "Nine" }, { description: "No title" }]),
      "none.json": "[]",
      "empty.md": "",
      "bad.xml": "<ticket><title>Ten</ticket>",
      "number.json": "42",
      "status.json": JSON.stringify({ title: "Eleven", status: "nowhere", priority: "extreme", type: "epic" }),
      "id.json": JSON.stringify({ title: "Twelve", id: "../../x" }),
      "long.json": JSON.stringify({ title: "x".repeat(500), ["k".repeat(300)]: 1 }),
      "proto.json": '{"title": "Proto", "__proto__": {"a": 1}, "constructor": 2}',
      "deep.json": `{"title": "Deep", "a": ${"[".repeat(70)}${"]".repeat(70)}}`,
    };
    await room.forge("import a.json b.md c.xml -", { inputs });
    for (const file of Object.keys(inputs).filter((name) => name !== "-" && !/^[abc]\./.test(name)))
      await room.forge(["import", file], { inputs });
    await room.forge("import half.json --on-existing new-id --json", { inputs });
    await room.forge("import nowhere.json --json", { inputs: { "nowhere.json": "" } });
    await room.forge("list --all --json");
  });

  onBoth(server, "replaced where it is there, unless somebody is on it", async (room) => {
    await room.forge("import acme.json", { inputs: { "acme.json": JSON.stringify(foreign) } });
    const { call } = await room.connect();
    await call("claim_ticket", { ticketId: "aec_1" });
    const inputs = { "new.json": JSON.stringify({ ...foreign, title: "Written anew", status: "DRAFT" }) };
    await room.forge("import new.json --on-existing replace", { inputs });
    await room.forge("import new.json --on-existing replace", { inputs, atKeyboard: false });
    await room.forge("import new.json --on-existing replace --json", { inputs });
    await room.forge("show acme-1 --history");
  });

  onBoth(server, "many at once, and out into files", async (room) => {
    const many = Array.from({ length: 99 }, (_, index) => ({ title: `Ticket ${index}`, description: "d".repeat(500) }));
    expect((await room.forge("import many.json", { inputs: { "many.json": JSON.stringify(many) } })).code).toBe(0);
    const { written } = await room.forge("export --all --output out --format markdown");
    expect(Object.keys(written)).toHaveLength(99);
    await room.forge("export T-001 T-002");
    await room.forge("export T-001 --output T-001.xml");
    await room.forge("export T-001 T-999");
    await room.forge("export --all --json");
    await room.forge("export");
  });

  onBoth(server, "a ticket as large as tickets can be", async (room) => {
    const large = {
      title: "Large",
      description: "d".repeat(262_000),
      solution: "s".repeat(262_000),
      notes: "n".repeat(500_000),
    };
    const { code } = await room.forge("import large.json", { inputs: { "large.json": JSON.stringify(large) } });
    expect(code).toBe(0);
    await room.forge("show T-001 --json");
    await room.forge("edit T-001", { edits: [(text) => text.replace("# Large", "# Larger")] });
    await room.forge("status T-001 ready");
    const larger = { title: "Too large", notes: "n".repeat(1_048_577) };
    expect((await room.forge("import x.json", { inputs: { "x.json": JSON.stringify(larger) } })).code).toBe(1);
    const wide = Array.from({ length: 60 }, (_, index) => ({ title: `Wide ${index}`, notes: "語".repeat(6_000) }));
    expect((await room.forge("import w.json", { inputs: { "w.json": JSON.stringify(wide) } })).code).toBe(0);
  });
});
