import * as fc from "fast-check";
import { describe, expect, it } from "vitest";
import { withoutColours } from "../../../../../test/harness/cli/cli.ts";
import { ticketView } from "../../../../../test/harness/rooms/tickets/ticket-view.ts";
import { colourStyle, noStyle, stripEscapes } from "../../../../platform/terminal/style.ts";
import { widthOf } from "../../../../platform/terminal/text.ts";
import { statuses } from "../../model/status.ts";
import type { TicketView } from "../../model/ticket/ticket-view.ts";
import type { TicketSummary } from "../../model/ticket.ts";
import { frame } from "./frame.ts";
import { keysIn } from "./keys.ts";
import { press } from "./press.ts";
import { initialState, type ListState, openTicket, replacePage, resize } from "./state.ts";

/** A ticket in a list. */
function summary(overrides: Partial<TicketView> = {}): TicketSummary {
  const { id, title, status, assignee, claim, createdAt, updatedAt, revision, foreign } = ticketView(overrides);
  const facts = { id, title, status, createdAt, updatedAt, revision, foreign };
  return { ...facts, ...(assignee !== undefined && { assignee }), ...(claim && { claim }) };
}

const hostileText = fc.string({
  unit: fc.constantFrom("日", "\x1b[2J", "\n", "\t", "\u202e", "e", "\u0301", "😀", " ", "\ud83d", "word"),
  maxLength: 100,
});

const tickets = fc.array(
  fc.record({
    id: fc.oneof(fc.constant("T-001"), fc.stringMatching(/^[A-Za-z0-9][A-Za-z0-9_-]{0,99}$/)),
    title: hostileText,
    status: fc.constantFrom(...statuses),
    assignee: hostileText,
    claim: fc.option(fc.constant({ holder: "x", until: "2026-11-01" }), { nil: undefined }),
  }),
  { maxLength: 30 },
);

const keys = fc.array(
  fc.constantFrom(
    "j",
    "k",
    "\x1b[5~",
    "\x1b[6~",
    "\x1b[H",
    "\x1b[F",
    "/",
    "日",
    "\r",
    "\x1b",
    "s",
    "a",
    "x",
    "?",
    "n",
    "m",
    "A",
  ),
);
const sizes = fc.record({ columns: fc.integer({ min: 20, max: 200 }), rows: fc.integer({ min: 1, max: 60 }) });

describe("frame", () => {
  it("fills the screen exactly and stays narrower than it, whatever the tickets, keys and sizes", () => {
    fc.assert(
      fc.property(
        tickets,
        keys,
        sizes,
        sizes,
        hostileText,
        fc.boolean(),
        (found, pressed, size, later, text, isOpen) => {
          const all = found.map(({ claim, ...facts }) => summary({ ...facts, ...(claim && { claim }) }));
          let state = replacePage(initialState({}, size), { tickets: all });
          if (isOpen) state = openTicket(state, "T-001", text);
          state = pressed.flatMap(keysIn).reduce<ListState>((now, key) => press(now, key).state, state);
          for (const now of [state, resize(state, later)]) {
            const lines = frame(now, colourStyle);
            expect(lines).toHaveLength(now.size.rows);
            for (const line of lines) {
              expect(widthOf(withoutColours(line))).toBeLessThan(now.size.columns);
              expect(stripEscapes(line, colourStyle)).toBe(line);
            }
            expect(now.tickets.length === 0 || now.tickets[now.selected]).toBeTruthy();
          }
        },
      ),
      { numRuns: 500 },
    );
  });

  it("always has the selected ticket on the screen", () => {
    const all = Array.from({ length: 50 }, (_, index) => summary({ id: `T-${index}` }));
    fc.assert(
      fc.property(keys, sizes, (pressed, size) => {
        const first = replacePage(initialState({}, size), { tickets: all });
        const moved = pressed.filter((key) => !"/x?nmA".includes(key)).flatMap(keysIn);
        const state = moved.reduce<ListState>((now, key) => press(now, key).state, first);
        if (size.rows > 2) expect(frame(state, noStyle).filter((line) => line.startsWith("> "))).toHaveLength(1);
      }),
    );
  });

  it("marks claimed tickets, and shows id, status, assignee and title", () => {
    const claim = { holder: "claude", until: "2026-11-02T00:00:00Z" };
    const state = replacePage(initialState({}, { columns: 80, rows: 4 }), {
      tickets: [summary({ assignee: "ada", claim }), summary({ id: "T-002", title: "日本語" })],
    });
    expect(frame(state, noStyle).slice(0, 3)).toEqual([
      "Tickets 2",
      "> T-001*  READY  ada  Keep people signed in",
      "  T-002   READY       日本語",
    ]);
  });

  it("says how to start where there is nothing, and that nothing matches where a filter is set", () => {
    const empty = replacePage(initialState({}, { columns: 80, rows: 10 }), { tickets: [] });
    expect(frame(empty, noStyle).join("\n")).toContain("Press n to create one.");
    const narrowed = replacePage(initialState({ text: "x" }, { columns: 80, rows: 10 }), { tickets: [] });
    expect(frame(narrowed, noStyle).join("\n")).toContain("No matching tickets.");
  });
});
