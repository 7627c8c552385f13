import { commandFor } from "../../../commons/cli/command-for.ts";
import { plain } from "../../../platform/terminal/text.ts";
import type { forgeVerifyTicket } from "../tools/forge-verify-ticket.ts";
import type { showProof } from "../tools/show-proof.ts";
import { commandFacts, printCriteria, ticketArgument } from "./shared.ts";

export const verify = commandFor<typeof forgeVerifyTicket>({
  ...commandFacts,
  tool: "forge_verify_ticket",
  name: "verify",
  aliases: ["ticket verify"],
  summary: "Run a ticket's checks, and show what they prove",
  details:
    "Runs every check in a clean work tree of the commit: the tip of the ticket's open branch, else HEAD. The same checks " +
    "then run on the commit where the work started, with the test files from after it: a check that passes there too " +
    "proves nothing. The exit code is 0 if every criterion is proven or waived.",
  examples: [
    ["forge verify T-001", "Prove its criteria."],
    ["forge verify T-001 --expect-green", "For checks that are to pass before and after, such as regression tests."],
    ["forge verify T-001 --show", "Show what was proven before; run nothing."],
  ],
  common: true,
  arguments: [ticketArgument],
  options: {
    commit: { value: "COMMIT", help: "Prove this commit." },
    base: { value: "COMMIT", help: "The commit before the change (default: where work started)." },
    expect_green: {
      flag: "expect-green",
      help: "Checks are to pass before and after; they are not run without the change.",
    },
  },
  own: { show: { type: "boolean", help: "Show what was proven before; run nothing." } },
  toInput: ({ show: _, ...given }) => given as { ticketId: string },
  async instead({ ticketId }, out, { options, call }) {
    if (options["show"] !== true) return undefined;
    const { criteria } = await call<typeof showProof>("show_proof", { ticketId });
    if (out.json) out.data({ ticketId, criteria }, () => "");
    else printCriteria(criteria, out);
    return isDone(criteria) ? 0 : 1;
  },
  print({ ticketId, commit, base, criteria, proven, ms }, out) {
    printCriteria(criteria, out);
    const done = criteria.filter(({ state }) => state === "proven" || state === "waived").length;
    const word = proven ? out.style.green("proven") : out.style.yellow("not proven");
    out.print(`${plain(ticketId)}: ${word}, ${done} of ${criteria.length} criteria, at ${plain(commit.slice(0, 7))}`);
    const times = [
      `work trees ${ms.tree} ms`,
      `checks ${ms.head} ms`,
      ...(base ? [`without the change ${ms.base} ms`] : []),
    ];
    out.note(times.join(", "));
  },
  exitCode: ({ proven }) => (proven ? 0 : 1),
});

function isDone(criteria: readonly { state: string }[]): boolean {
  return criteria.every(({ state }) => state === "proven" || state === "waived");
}
