import type { App } from "../../../commons/cli/app.ts";
import { type Column, table } from "../../../commons/cli/table.ts";
import type { Approval } from "../../../commons/guard/approvals.ts";
import { defineCommand, type Output } from "../../../kernel/command.ts";
import { ForgeError } from "../../../kernel/errors.ts";
import { plain } from "../../../platform/terminal/text.ts";

const columns: Column<Approval>[] = [
  { title: "ID", cell: ({ id }) => id },
  { title: "WHO", cell: ({ caller }) => whoIs(caller), shrinks: true },
  { title: "LEFT", align: "right", cell: ({ expiresAt }) => `${Math.max(0, minutesUntil(expiresAt))} min` },
  { title: "WANTS TO", cell: ({ summary }) => summary },
];

export const approve = defineCommand({
  name: "approve",
  summary: "Allow or refuse a change that waits for a person",
  details:
    "An assistant that has read text others wrote (a ticket, say) may have been talked into something. A change outside " +
    "what its task declares then waits here for a person. An approval is for exactly the change shown, by that assistant, " +
    "once, within the hour.",
  examples: [
    ["forge approve", "List what waits."],
    ["forge approve 1f0c9a2e", "Look at one, and allow it."],
    ["forge approve 1f0c9a2e --deny", "Refuse it."],
  ],
  arguments: [{ name: "id", required: false, help: "The change's id, from the list or from the assistant." }],
  options: {
    deny: { type: "boolean", help: "Refuse it instead." },
    yes: { type: "boolean", short: "y", help: "Do not ask." },
  },
  settings: ["project", "databaseUrl"],
  group: "more",
  async run({ person }: App, { positionals: [id], options }, out) {
    const waiting = await person.approvals();
    if (id === undefined) {
      out.data(waiting, () => (waiting.length === 0 ? "Nothing waits." : table(columns, waiting, out)));
      return 0;
    }
    const shown = waiting.find((approval) => approval.id === id);
    if (!shown) throw nothingWaits(id);
    if (!options.deny && !options.yes) {
      out.note(describe(shown, out));
      const answer = await person.confirm("Allow exactly this, once?", out.signal);
      if (answer === undefined) throw nobodyToAsk(id);
      if (!answer) {
        out.note("It still waits; `--deny` refuses it.");
        return 1;
      }
    }
    const decision = options.deny ? "denied" : "approved";
    await person.decide(shown, decision);
    out.data({ ...shown, decision }, () =>
      decision === "approved" ? "Approved. The assistant can make the same call again." : "Denied.",
    );
    return 0;
  },
});

function describe({ caller, summary, touches, sha256 }: Approval, { style }: Output): string {
  return [
    `${plain(whoIs(caller))} has read text that others wrote, and wants to:`,
    `  ${style.bold(plain(summary))}`,
    ...touches.map((touched) => `  touches  ${plain(touched)}`),
    `  sha256   ${sha256}`,
  ].join("\n");
}

/** The assistant's name for itself, and whom it speaks for. */
function whoIs(caller: string): string {
  const [principal, agent]: unknown[] = JSON.parse(caller);
  return agent === "" ? String(principal) : `${agent} (${principal})`;
}

function minutesUntil(time: number): number {
  return Math.ceil((time - Date.now()) / 60_000);
}

function nothingWaits(id: string): ForgeError {
  return new ForgeError(
    "NOT_FOUND",
    `No change named ${id.slice(0, 64)} waits: it was decided, or an hour has passed.`,
    {
      next: ["`forge approve` lists what waits."],
    },
  );
}

function nobodyToAsk(id: string): ForgeError {
  return new ForgeError("VALIDATION_ERROR", "A change is approved by a person, and there is no terminal to ask on.", {
    next: [
      `Run \`forge approve ${id}\` in a terminal.`,
      "Ask the person who is responsible; `forge approve` lists what waits, `forge approve --help` how it is done without a terminal.",
    ],
  });
}
