import { localTime } from "../../../../commons/cli/print/local-time.ts";
import { type Column, table } from "../../../../commons/cli/print/table.ts";
import { personIn } from "../../../../commons/ledger/model.ts";
import { outcomeColours } from "../../../../commons/ledger/outcome-colours.ts";
import type { CallRecord } from "../../../../kernel/calls/call.ts";
import type { Output } from "../../../../kernel/definitions/command.ts";

/** As in `forge log`, without what is the same on every line: the day and the ticket. */
const columns: Column<CallRecord>[] = [
  { title: "WHEN", width: 8, cell: ({ at }) => localTime(at).slice(-8) },
  { title: "OUTCOME", width: 11, cell: ({ outcome }) => outcome, paint: ({ outcome }) => outcomeColours[outcome] },
  { title: "TOOK", width: 8, align: "right", cell: ({ durationMs }) => `${Math.round(durationMs)} ms` },
  { title: "WHAT", width: 24, cell: ({ kind, name }) => (kind === "tool" ? name : `${kind} ${name}`), shrinks: true },
  {
    title: "WHO",
    cell: ({ agent, principal, code, evidence }) =>
      [agent ?? personIn(principal), code, ...evidence].filter(Boolean).join(" "),
  },
];

export function callLine(entry: CallRecord, out: Output): string {
  return table(columns, [entry], out, { header: false });
}
