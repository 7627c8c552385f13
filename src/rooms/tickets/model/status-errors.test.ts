import { expect, test } from "vitest";
import { startTicketServer } from "../../../../test/harness/rooms/tickets/ticket-server.ts";
import { by } from "../../../../test/harness/rooms/tickets/tickets.ts";
import type { Action } from "../../../kernel/action.ts";
import type { ForgeError } from "../../../kernel/errors.ts";
import { allowedMoves, findWay, type Status, statuses } from "./status.ts";

/** Every operation that a status can stand in the way of. */
const attempts: [string, Record<string, unknown>][] = [
  ["start_ticket", { gate: "execute" }],
  ["start_ticket", { gate: "review" }],
  ["complete_ticket", {}],
  ["claim_ticket", {}],
  ...statuses.map((status): [string, Record<string, unknown>] => ["update_ticket_status", { status }]),
];

const everyCase = statuses.flatMap((status) => attempts.map(([tool, input]) => [status, tool, input] as const));

test("every suggestion of every error, from every status, is accepted", async () => {
  const { command, tickets } = await startTicketServer();
  let followed = 0;
  for (const [status, tool, input] of everyCase) {
    const id = await ticketIn(tickets, status);
    const error = await command(tool, { ticketId: id, ...input }).then(
      () => undefined,
      (thrown: ForgeError) => thrown,
    );
    for (const action of error?.next ?? []) {
      const what = `${status}, ${tool} ${JSON.stringify(input)}: ${JSON.stringify(action)}`;
      if (!isCall(action)) continue;
      followed++;
      await expect(command(action.tool, action.input ?? {}), what).resolves.toBeDefined();
    }
    // What a gate suggests leads through it.
    if (error && tool === "start_ticket") await command(tool, { ticketId: id, ...input });
  }
  expect(followed).toBeGreaterThan(20);
});

function isCall(action: Action): action is Extract<Action, { tool: string }> {
  return typeof action !== "string" && "tool" in action;
}

type Tickets = Awaited<ReturnType<typeof startTicketServer>>["tickets"];

/** A new ticket, moved to the status by allowed moves. */
async function ticketIn(tickets: Tickets, status: Status): Promise<string> {
  const { id } = await tickets.create(by(), { title: "Add logout" });
  const way = status === "ARCHIVED" ? [status] : findWay("DRAFT", [status], undefined);
  for (const step of way)
    if (step === "COMPLETE")
      await tickets.complete(by(), id, { proof: "unproven", filesChanged: [] }, { correct: false });
    else await tickets.move(by(), id, step);
  expect((await tickets.get(id)).status).toBe(status);
  // So that whoever asks can go on with it.
  await tickets.update(by(), id, { assignee: null });
  return id;
}

test("a way is made of allowed moves, and there is one from every status", () => {
  for (const from of statuses) {
    const way = findWay(from, ["READY", "VALIDATED"], "COMPLETE");
    expect(["READY", "VALIDATED"]).toContain(way.at(-1) ?? from);
    way.reduce((at, to) => {
      expect(allowedMoves(at, "COMPLETE")).toContain(to);
      return to;
    }, from);
  }
});
