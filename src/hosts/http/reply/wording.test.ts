import { describe, expect, test } from "vitest";
import * as z from "zod";
import { defineRoute } from "../../../kernel/definitions/route.ts";
import { wordForHttp } from "./wording.ts";

const shared = { summary: "For tests.", scope: "tickets:read", output: z.object({}), run: async () => ({}) } as const;
const one = { ...shared, names: "ticket", params: z.object({ id: z.string() }), query: z.object({}) } as const;

const routes = [
  defineRoute({
    ...shared,
    method: "GET",
    path: "/api/tickets",
    operation: "list_tickets",
    effect: "read",
    names: "none",
    params: z.object({}),
    query: z.object({ status: z.string().optional(), text: z.string().optional() }),
  }),
  defineRoute({ ...one, method: "GET", path: "/api/tickets/:id", operation: "get_ticket", effect: "read" }),
  defineRoute({
    ...one,
    method: "PATCH",
    path: "/api/tickets/:id",
    operation: ["update_ticket", "update_ticket_status"],
    effect: "set",
    body: z.strictObject({ status: z.string().optional(), title: z.string().optional() }),
  }),
];

const word = wordForHttp(routes, (tool, input) => `forge ${tool} ${Object.values(input).join(" ")}`.trim());

describe("what to do next is worded for HTTP clients", () => {
  test.each([
    ["a sentence as it is", "Send less.", "Send less."],
    ["a command", { command: "login", why: "to sign in" }, "Run `forge login` to sign in."],
    [
      "a tool as its request",
      { tool: "list_tickets", why: "to see all tickets" },
      "Send GET /api/tickets to see all tickets.",
    ],
    [
      "its input in the query",
      { tool: "list_tickets", input: { status: "READY", text: "a b" } },
      "Send GET /api/tickets?status=READY&text=a+b.",
    ],
    ["its id in the path", { tool: "get_ticket", input: { ticketId: "T 1/2" } }, "Send GET /api/tickets/T%201%2F2."],
    ["an id that is left open", { tool: "get_ticket" }, "Send GET /api/tickets/ID."],
    [
      "the rest in the body",
      { tool: "update_ticket_status", input: { ticketId: "T-1", status: "READY" }, why: "to start" },
      'Send PATCH /api/tickets/T-1 with {"status":"READY"} to start.',
    ],
    [
      "as a command, where the route cannot say all of it",
      { tool: "update_ticket", input: { ticketId: "T-1", label: "x" } },
      "Run `forge update_ticket T-1 x`.",
    ],
    ["as a command, where no route is its form", { tool: "claim_ticket" }, "Run `forge claim_ticket`."],
  ])("%s", (_what, action, words) => {
    expect(word(action)).toBe(words);
  });

  test("without commands, any tool can still be called from a shell", () => {
    expect(wordForHttp([])({ tool: "claim_ticket", input: { ticketId: "T-1", minutes: 5 } })).toBe(
      "Run `forge call claim_ticket ticketId=T-1 minutes:=5`.",
    );
  });
});
