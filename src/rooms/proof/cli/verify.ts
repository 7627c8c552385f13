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
    "Runs every check in a clean work tree of the commit: the tip of the ticket's unmerged branch, else HEAD. The same checks " +
    "then run on the commit where the work started, with the test files from after it: a check that passes there too " +
    "proves nothing. The exit code is 0 if every criterion is proven or waived.",
  examples: [
    ["forge verify T-001", "Prove its criteria."],
    ["forge verify T-001 --here", "Try the checks on what is not committed yet; proves nothing."],
    ["forge verify T-001 --expect-green", "For checks that pass before and after, such as regression tests."],
  ],
  arguments: [ticketArgument],
  options: {
    timeout_s: {
      flag: "timeout",
      value: "SECONDS",
      help: "Stop the tests, or a command, after this (default: 20 minutes).",
    },
    commit: { value: "COMMIT", help: "Prove this commit." },
    here: { help: "Run the checks in this folder as it is; proves and records nothing." },
    base: { value: "COMMIT", help: "The commit before the change (default: where work started)." },
    expect_green: {
      flag: "expect-green",
      help: "Expect the checks to pass before and after; do not run them without the change.",
    },
  },
  print({ ticketId, commit, base, criteria, proven, passed, ms }, out) {
    printCriteria(criteria, out);
    if (commit === undefined) {
      const word = passed ? out.style.green("every check passed here") : out.style.red("not every check passed here");
      out.print(`${plain(ticketId)}: ${word}; nothing was recorded`);
      return out.note(`checks ${ms.head} ms`);
    }
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
  exitCode: ({ proven, passed }) => (proven || passed ? 0 : 1),
});

export const proof = commandFor<typeof showProof>({
  ...commandFacts,
  tool: "show_proof",
  name: "proof",
  aliases: ["ticket proof"],
  summary: "Show which criteria of a ticket are proven",
  details:
    "Proof lapses when the files it depends on change. The exit code is 0 if every criterion is proven or waived.",
  examples: [["forge proof T-001", "The state of each criterion, with its checks."]],
  arguments: [ticketArgument],
  print: ({ criteria }, out) => printCriteria(criteria, out),
  exitCode: ({ criteria }) => (criteria.every(({ state }) => state === "proven" || state === "waived") ? 0 : 1),
});
