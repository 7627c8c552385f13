import type { App } from "../../../commons/cli/app.ts";
import { type Column, table } from "../../../commons/cli/print/table.ts";
import type { Approval } from "../../../commons/guard/approvals.ts";
import { showLine } from "../../../commons/guard/question.ts";
import { personIn } from "../../../commons/ledger/model.ts";
import { defineCommand, type Output } from "../../../kernel/definitions/command.ts";
import { ForgeError } from "../../../kernel/errors.ts";
import { plain } from "../../../platform/terminal/text.ts";

const columns: Column<Approval>[] = [
  { title: "ID", cell: ({ id }) => id },
  { title: "WHO", cell: ({ caller }) => whoIs(caller), shrinks: true },
  { title: "LEFT", align: "right", cell: ({ expiresAt }) => `${Math.max(0, minutesUntil(expiresAt))} min` },
  { title: "WANTS TO", cell: ({ summary }) => showLine(summary) },
];

export const approve = defineCommand({
  name: "approve",
  summary: "Approve or deny a change an assistant may not make on its own",
  details:
    "An assistant that has read text by others, such as a ticket, may be following their instructions. If it then wants to " +
    "change something outside its task, the change waits here for you. An approval covers exactly the change shown, by that " +
    "assistant, once, within the hour. The answer is read from the terminal itself, so that no program can give it.",
  examples: [
    ["forge approve", "List the changes that are waiting."],
    ["forge approve 1f0c9a2e", "See a change, and approve it."],
    ["forge approve 1f0c9a2e --deny", "Deny it."],
  ],
  arguments: [{ name: "id", required: false, help: "The change's id, from the list or from the assistant." }],
  options: { deny: { type: "boolean", help: "Deny it instead." } },
  settings: ["project", "databaseUrl"],
  group: "more",
  async run({ person }: App, { positionals: [id], options }, out) {
    const waiting = await person.approvals();
    if (id === undefined) {
      out.data(waiting, () =>
        waiting.length === 0 ? "No changes are waiting for approval." : table(columns, waiting, out),
      );
      return 0;
    }
    const shown = waiting.find((approval) => approval.id === id);
    if (!shown) throw notWaiting(id);
    if (!options.deny) {
      out.note(describe(shown, out));
      const answer = await person.confirm("Approve exactly what is shown?", out.signal);
      if (answer === undefined) throw needsTerminal(id);
      if (!answer) {
        out.note("It is still waiting. Add --deny to deny it.");
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
    `${plain(whoIs(caller))} wants to:`,
    `  ${style.bold(plain(summary))}`,
    ...touches.map((touched) => `  touches  ${plain(touched)}`),
    `  sha256   ${sha256}`,
  ].join("\n");
}

/** The assistant's name, and the user it works for. */
function whoIs(caller: string): string {
  const [principal, agent]: unknown[] = JSON.parse(caller);
  const person = personIn(String(principal));
  return agent === "" ? person : `${agent} (${person})`;
}

function minutesUntil(time: number): number {
  return Math.ceil((time - Date.now()) / 60_000);
}

function notWaiting(id: string): ForgeError {
  return new ForgeError(
    "NOT_FOUND",
    `No change named ${id.slice(0, 64)} is waiting: it was already decided, or an hour has passed.`,
    { next: [{ command: "approve", why: "to list the changes that are waiting" }] },
  );
}

function needsTerminal(id: string): ForgeError {
  return new ForgeError("VALIDATION_ERROR", "Only the user can approve a change, and there is no terminal to ask on.", {
    next: [{ command: `approve ${id}`, why: "in a terminal" }],
  });
}
