import { mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect } from "vitest";
import type { Reply } from "./room.ts";
import { onBoth } from "./room-suite.ts";
import { serveOneTeamServer } from "./room-team.ts";

const server = serveOneTeamServer();

const idsIn = ({ value }: Reply) => (value["tickets"] as { id: string }[]).map(({ id }) => id);

describe("what people expect of a tracker is the same for the project's own tickets and a team's", () => {
  onBoth(server, "labels, unassigned tickets, comments and what comes next", async (room) => {
    const { call } = await room.connect();
    for (const title of ["First", "Second", "Third"]) await call("create_ticket", { title, status: "READY" });
    await call("update_ticket", { ticketId: "T-001", labels: ["web"], priority: "low" });
    await call("update_ticket", { ticketId: "T-002", assignee: "grace" });
    expect(idsIn(await call("list_tickets", { label: "web" }))).toEqual(["T-001"]);
    expect(idsIn(await call("list_tickets", { assignee: "none" }))).toEqual(["T-003", "T-001"]);
    await call("comment_ticket", { ticketId: "T-001", text: "Waits for the design." });
    expect((await call("get_ticket_context", { ticketId: "T-001" })).value).toMatchObject({
      labels: ["web"],
      comments: [{ id: "M-1", text: "Waits for the design." }],
    });
    expect(idsIn(await call("next_ticket"))).toEqual(["T-001", "T-003"]);
  });

  onBoth(
    server,
    "commands set fields, comment, claim and release; statuses have the project's own words",
    async (room) => {
      mkdirSync(join(room.cwd, "Forge"));
      writeFileSync(join(room.cwd, "Forge/project.json"), '{"statuses":{"Doing":"CREATED","Up next":"READY"}}');
      for (const title of ["First", "Second"]) await room.forge(["create", title, "--status", "up next"]);
      await room.forge("ticket edit T-1 --priority high --label web --label api");
      await room.forge(["comment", "T-1", "Waits for the design."]);
      expect((await room.forge("list --plain --label web --status up-next")).code).toBe(1);
      expect((await room.forge(["list", "--plain", "--label", "web", "--status", "up next"])).out).toContain("Up next");
      expect((await room.forge("next")).out).toMatch(/T-001.*\n.*high priority.*\n.*T-002/s);
      await room.forge("claim T-1");
      expect((await room.forge("next")).out).not.toContain("T-001");
      await room.forge("release T-1");
      await room.forge("assign T-1 --none");
      expect((await room.forge("next")).out).toContain("T-001");
      expect((await room.forge("status T-1 doing")).out).toContain("from Up next to Doing");
      expect((await room.forge("show T-1")).out).toMatch(/Status: +Doing, can move to COMPLETE/);
      expect((await room.forge("show T-1 --json")).out).toContain('"CREATED"');
    },
  );

  onBoth(server, "a ticket that waits for another cannot be started", async (room) => {
    const { call } = await room.connect();
    for (const title of ["First", "Second"]) await call("create_ticket", { title, status: "READY" });
    await call("update_ticket", { ticketId: "T-001", dependsOn: ["T-002"] });
    expect(idsIn(await call("next_ticket"))).toEqual(["T-002"]);
    await call("update_ticket_status", { ticketId: "T-001", status: "CREATED" });
    await call("update_ticket", { ticketId: "T-002", dependsOn: ["T-001"] });
    expect((await call("get_ticket_context", { ticketId: "T-001" })).value).toMatchObject({
      status: "READY",
      blockedBy: ["T-002"],
    });
  });

  onBoth(server, "checks are bound, and completing without proof is marked", async (room) => {
    const { call } = await room.connect();
    await call("create_ticket", { title: "First", status: "READY", acceptanceCriteria: ["It works"] });
    await call("forge_bind_check", { ticketId: "T-001", criterion: "AC-1", look: "The page" });
    await call("forge_bind_check", { ticketId: "T-001", criterion: "AC-9", look: "The page" });
    await call("update_ticket_status", { ticketId: "T-001", status: "CREATED" });
    await call("update_ticket_status", { ticketId: "T-001", status: "COMPLETE" });
    expect((await call("get_ticket_context", { ticketId: "T-001" })).value).toMatchObject({
      status: "COMPLETE",
      unproven: true,
      proof: { "AC-1": "unproven: Nobody has looked yet." },
    });
  });
});
