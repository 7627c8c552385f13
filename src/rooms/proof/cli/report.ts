import { commandFor } from "../../../commons/cli/command-for.ts";
import { printList } from "../../../commons/cli/print/list.ts";
import type { reportProof } from "../tools/report-proof.ts";
import { commandFacts } from "./shared.ts";

export const report = commandFor<typeof reportProof>({
  ...commandFacts,
  tool: "report_proof",
  name: "report",
  summary: "Compare completed tickets with their proof, by assistant",
  details:
    "For the latest tickets that were worked on: how many were completed, how many of these with proof, proven by the first " +
    "verification, reopened, checks whose proof has lapsed, and the median time from start to proof.",
  examples: [
    ["forge report", "A table."],
    ["forge report --json", "For a script."],
  ],
  options: { limit: { short: "n", help: "How many tickets to look at." } },
  print({ rows }, out) {
    printList(
      {
        columns: [
          { title: "WHO", cell: ({ who }) => who, shrinks: true },
          { title: "CLAIMED", cell: ({ claimed }) => String(claimed) },
          { title: "PROVEN", cell: ({ proven }) => String(proven) },
          { title: "FIRST TRY", cell: ({ firstTry }) => String(firstTry) },
          { title: "REOPENED", cell: ({ reopened }) => String(reopened) },
          { title: "LAPSED", cell: ({ lapsed }) => String(lapsed) },
          { title: "HOURS", cell: ({ hoursToProof }) => (hoursToProof === undefined ? "" : String(hoursToProof)) },
        ],
        rows,
        none: "No ticket has been worked on yet.",
        more: undefined,
        as: "table",
      },
      out,
    );
  },
});
