import { mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect } from "vitest";
import { eventually } from "../harness/cli/processes.ts";
import type { Room } from "./room.ts";
import { onBoth } from "./room-suite.ts";
import { serveOneTeamServer } from "./room-team.ts";

const server = serveOneTeamServer();

const prompts = ["forge_execute", "forge_review"] as const;

const slugged = {
  id: "aec_1",
  slug: "acme-1",
  title: "From elsewhere",
  status: "forged",
  techSpec: { fileChanges: [{ path: "a.ts", action: "modify" }], solution: { overview: "Do it" } },
};

/** One ticket in every status that a draft comes to in two steps. */
async function ticketInEach(room: Room) {
  const assistant = await room.connect();
  const { call } = assistant;
  for (const status of ["DRAFT", "READY", "VALIDATED", "CREATED", "DRIFTED", "ARCHIVED"]) {
    const first = status === "CREATED" || status === "DRIFTED" ? "READY" : status === "ARCHIVED" ? "DRAFT" : status;
    const { value } = await call("create_ticket", { title: `Logout that is ${status.toLowerCase()}`, status: first });
    if (first !== status) await call("update_ticket_status", { ticketId: value["ticketId"], status });
  }
  return assistant;
}

describe("the prompts say the same of the project's own tickets and of a team's", () => {
  onBoth(server, "what is offered", async (room) => {
    const { client } = await room.connect();
    const { prompts: offered } = await client.listPrompts();
    room.note("prompts", offered);
    expect(offered.map(({ name }) => name)).toEqual(prompts);
  });

  onBoth(server, "a ticket is given to work on where its gate is open", async (room) => {
    room.repository({ "README.md": "# Shop\n", "src/auth.ts": "export {};\n" });
    const assistant = await ticketInEach(room);
    for (const prompt of prompts) {
      for (let number = 1; number <= 6; number++) await assistant.prompt(prompt, `T-00${number}`);
      expect(await assistant.prompt(prompt, "t-2 Logout that is ready")).toContain(
        "<title>Logout that is ready</title>",
      );
      expect(await assistant.prompt(prompt, "T-001")).toContain("T-001 is DRAFT");
      expect(await assistant.prompt(prompt, "T-022")).toContain("Ticket T-022 not found.");
      for (const id of ["", " ", "../x", "T-1/..", "x".repeat(401)]) await assistant.prompt(prompt, id);
    }
  });

  onBoth(server, "work of somebody else is not taken up", async (room) => {
    const assistant = await ticketInEach(room);
    await assistant.call("update_ticket", { ticketId: "T-004", assignee: "grace" });
    expect(await assistant.prompt("forge_execute", "T-004")).toContain('"assignee\\":\\"me');
    await assistant.prompt("forge_review", "T-004");
  });

  onBoth(server, "all that a ticket says is in it, within bounds and with nothing hidden", async (room) => {
    const assistant = await room.connect();
    const { call } = assistant;
    await call("create_ticket", {
      title: "Everything </ticket> & more",
      description: `Hidden \u200b\u202e ${"long ".repeat(40_000)}`,
      problemStatement: "P",
      solution: "S\n\n```xml\n<a/>\n```",
      acceptanceCriteria: ["One\nline", "Two"],
      fileChanges: [{ path: "src/a.ts", action: "delete", notes: "Gone" }],
      apiChanges: "GET /x",
      testPlan: "T",
      assumptions: ["A"],
      inScope: ["I"],
      outOfScope: ["O"],
      type: "bug",
      priority: "urgent",
      assignee: "grace",
      status: "READY",
    });
    const questions = [{ question: "Which one?", category: "scope", blocking: true }, { question: "When?" }];
    await call("submit_review_questions", { ticketId: "T-001", questions });
    await room.forge(["questions", "T-001", "--answer", "Q-1=The first."]);
    for (const prompt of prompts) expect(await assistant.prompt(prompt, "T-001")).toContain("The first.");
  });

  onBoth(server, "the project's own guide is used, of which others may have written", async (room) => {
    const assistant = await ticketInEach(room);
    mkdirSync(join(room.cwd, ".forge", "guides"), { recursive: true });
    writeFileSync(join(room.cwd, ".forge", "guides", "dev-executor.md"), "Our own guide.\n");
    room.note("guide", await assistant.prompt("forge_execute", "T-002"));
    await assistant.call("update_ticket_status", { ticketId: "T-003", status: "READY" });
  });

  onBoth(server, "arguments are completed with tickets whose gate is open", async (room) => {
    const assistant = await ticketInEach(room);
    await room.forge("import tickets.json", { inputs: { "tickets.json": JSON.stringify(slugged) } });
    for (const prompt of prompts) {
      const typed = [
        "",
        "T-00",
        "t-00",
        "T-002",
        "T-002 Logout",
        "logout",
        "READY",
        "zzz",
        "aec",
        "acme",
        "elsewhere",
        "%",
      ];
      for (const value of typed) await assistant.complete({ prompt }, value);
    }
    expect(await assistant.complete({ prompt: "forge_execute" }, "logo")).toEqual([
      "T-004 Logout that is created",
      "T-003 Logout that is validated",
      "T-002 Logout that is ready",
    ]);
  });
});

describe("the resources say the same of the project's own tickets and of a team's", () => {
  onBoth(server, "tickets are read, with what happened to them", async (room) => {
    const assistant = await room.connect();
    expect(JSON.parse(await assistant.read("forge://tickets"))).toEqual({ tickets: [] });
    const { call } = assistant;
    await call("create_ticket", { title: "Add logout", acceptanceCriteria: ["Gone"], status: "READY" });
    await call("claim_ticket", { ticketId: "T-001" });
    await call("update_ticket", { ticketId: "T-001", title: "Add sign-out", acceptanceCriteria: ["Gone", "Said"] });
    await call("update_ticket_status", { ticketId: "T-001", status: "CREATED" });
    await call("submit_review_questions", { ticketId: "T-001", questions: [{ question: "Why now?" }] });
    await call("claim_ticket", { ticketId: "T-001", release: true });
    await room.forge("import tickets.json", { inputs: { "tickets.json": JSON.stringify(slugged) } });
    const { history } = JSON.parse(await assistant.read("forge://tickets/t-1")) as { history: { kind: string }[] };
    expect(history.map(({ kind }) => kind)).toEqual(
      expect.arrayContaining(["created", "claimed", "updated", "status", "questions", "released"]),
    );
    for (const id of ["T-001", "aec_1", "acme-1", "T-009", "..", "a b", ""])
      await assistant.read(`forge://tickets/${id}`);
    await assistant.read("forge://tickets");
  });

  onBoth(server, "a long list is cut, and says how to go on", async (room) => {
    const assistant = await room.connect();
    const many = Array.from({ length: 103 }, (_, index) => ({ title: `Ticket ${index}` }));
    await room.forge("import many.json", { inputs: { "many.json": JSON.stringify(many.slice(0, 60)) } });
    await room.forge("import many.json", { inputs: { "many.json": JSON.stringify(many.slice(60)) } });
    const page = JSON.parse(await assistant.read("forge://tickets")) as { tickets: unknown[]; more?: string };
    expect(page.tickets).toHaveLength(100);
    expect(page.more).toContain("list_tickets");
    await assistant.complete({ uri: "forge://tickets/{id}" }, "T-");
    await assistant.complete({ prompt: "forge_review" }, "Ticket");
  });

  onBoth(server, "ids are completed, of tickets in any status but the archive", async (room) => {
    const assistant = await ticketInEach(room);
    await room.forge("import tickets.json", { inputs: { "tickets.json": JSON.stringify(slugged) } });
    for (const typed of ["", "T-", "t-00", "T-006", "logout", "acme", "zzz", "x".repeat(300)])
      await assistant.complete({ uri: "forge://tickets/{id}" }, typed);
  });

  onBoth(server, "who subscribed hears of changes by others, of that ticket or of all", async (room) => {
    const assistant = await room.connect();
    const { call } = await room.connect("other");
    await call("create_ticket", { title: "First" });
    await call("create_ticket", { title: "Second" });
    await room.forge("import tickets.json", { inputs: { "tickets.json": JSON.stringify(slugged) } });
    const heard = new Set<string>();
    assistant.client.setNotificationHandler(
      "notifications/resources/updated",
      ({ params }) => void heard.add(params.uri),
    );
    let turn = 0;
    // Whoever subscribes is told only of what comes after, and when that begins is not said.
    const changed = async (id: string) => {
      const already = heard.size;
      await eventually(`a change of ${id}`, async () => {
        await room.retitle(id, `Turn ${turn++}`);
        return heard.size > already;
      });
      room.note(["heard", id], [...heard]);
    };
    const uris = ["forge://tickets", "forge://tickets/t-1", "forge://tickets/acme-1"];
    for (const uri of uris) await assistant.client.subscribeResource({ uri });
    await changed("T-002");
    expect([...heard]).toEqual(["forge://tickets"]);
    await changed("T-001");
    await changed("aec_1");
    expect([...heard]).toEqual(uris);
    for (const uri of ["forge://tickets/..", "forge://nothing"]) {
      const refused = await assistant.client.subscribeResource({ uri }).catch((error: unknown) => String(error));
      room.note(["subscribe", uri], refused);
    }
  });
});
