import type { App } from "../../../../commons/cli/app.ts";
import { commandFor } from "../../../../commons/cli/command-for.ts";
import { printList } from "../../../../commons/cli/print/list.ts";
import { localTime } from "../../../../commons/cli/print/local-time.ts";
import type { Column } from "../../../../commons/cli/print/table.ts";
import type { Output } from "../../../../kernel/definitions/command.ts";
import { plain } from "../../../../platform/terminal/text.ts";
import { needsPerson } from "../../check/errors.ts";
import type { getInvariantTrend } from "../../tools/check/get-invariant-trend.ts";
import type { installGovernanceHook } from "../../tools/check/install-governance-hook.ts";
import type { listWaivers } from "../../tools/check/list-waivers.ts";
import type { recordInvariants } from "../../tools/check/record-invariants.ts";
import type { waiveRule } from "../../tools/check/waive-rule.ts";
import { commandFacts, readReports, reportOption } from "../shared.ts";

export const governanceRecord = commandFor<typeof recordInvariants>({
  ...commandFacts,
  tool: "record_invariants",
  name: "governance record",
  summary: "Record the invariants' values",
  examples: [["forge governance record", "Make today's values the ones that later checks compare with."]],
  options: { accept_worse: {}, reports: reportOption },
  toInput: readReports,
  instead: async ({ accept_worse: acceptsWorse }, out, { app }) =>
    acceptsWorse ? askPerson("Record values that are worse than before?", app, out) : undefined,
  print({ recorded, dropped }, out) {
    for (const { name, before, after } of recorded) out.print(`${name}: ${before ?? "none"} → ${after}`);
    if (recorded.length === 0) out.note("Every value is recorded already.");
    if (dropped > 0) out.note(`${dropped} fixed violations were taken off the list of known ones.`);
  },
});

export const governanceWaive = commandFor<typeof waiveRule>({
  ...commandFacts,
  tool: "waive_rule",
  name: "governance waive",
  summary: "Allow a rule to be broken until a date",
  examples: [
    [
      'forge governance waive boundary:web --reason "Moves" --until 2027-03-31',
      "Allow one file to violate a layer for now.",
    ],
  ],
  arguments: [{ field: "rule", help: "An invariant's name, or boundary:LAYER." }],
  options: { file: { value: "PATH" }, reason: { value: "TEXT" }, until: { value: "DATE" } },
  instead: ({ rule, file, reason, until }, out, { app }) => {
    const where = file === undefined ? "" : ` in ${plain(file)}`;
    return askPerson(`Allow ${plain(rule)} to be broken${where} until ${until}? (${plain(reason)})`, app, out);
  },
  print: ({ rule, until }, out) => out.print(`Waived ${plain(rule)} until ${until}.`),
});

/** An exit code where the answer is no; undefined to go on. */
async function askPerson(question: string, { person }: App, out: Output): Promise<number | undefined> {
  const answer = await person.confirm(question, out.signal);
  if (answer === undefined) throw needsPerson();
  if (answer) return undefined;
  out.note("Nothing was changed.");
  return 1;
}

type Waiver = { rule: string; file?: string | undefined; reason: string; by: string; until: string; expired: boolean };

const waiverColumns: Column<Waiver>[] = [
  { title: "RULE", cell: ({ rule, file }) => (file === undefined ? rule : `${rule} in ${file}`) },
  { title: "UNTIL", cell: ({ until, expired }) => (expired ? `${until} (expired)` : until) },
  { title: "BY", cell: ({ by }) => by },
  { title: "REASON", cell: ({ reason }) => reason, shrinks: true },
];

export const governanceWaivers = commandFor<typeof listWaivers>({
  ...commandFacts,
  tool: "list_waivers",
  name: "governance waivers",
  summary: "List the rules that may be broken for now",
  examples: [["forge governance waivers", "Who allowed what, and until when."]],
  print: ({ waivers }, out) => printList({ columns: waiverColumns, rows: waivers, none: "No rule is waived." }, out),
});

type Point = { commit: string; at: string; value: number };

const columns: Column<Point>[] = [
  { title: "COMMIT", cell: ({ commit }) => commit.slice(0, 10) },
  { title: "MEASURED", cell: ({ at }) => localTime(at) },
  { title: "VALUE", align: "right", cell: ({ value }) => String(value) },
];
const bars = "▁▂▃▄▅▆▇█";

export const governanceTrend = commandFor<typeof getInvariantTrend>({
  ...commandFacts,
  tool: "get_invariant_trend",
  name: "governance trend",
  summary: "Show how an invariant's value changed",
  examples: [["forge governance trend backend_test_count", "See its value by commit."]],
  arguments: [{ field: "name", help: "The invariant's name." }],
  options: { limit: { short: "n" } },
  print({ values, name }, out) {
    printList(
      {
        columns,
        rows: values,
        none: `No value of ${plain(name)} is recorded yet. Checks of committed files record them.`,
      },
      out,
    );
    if (out.width !== undefined && values.length > 1) out.print(`\n${drawLine(values.map(({ value }) => value))}`);
  },
});

/** The values as bars of one character. */
function drawLine(values: readonly number[]): string {
  const [low, high] = [Math.min(...values), Math.max(...values)];
  const step = high === low ? 0 : (bars.length - 1) / (high - low);
  return values.map((value) => bars[Math.round((value - low) * step)] ?? "").join("");
}

export const governanceHook = commandFor<typeof installGovernanceHook>({
  ...commandFacts,
  tool: "install_governance_hook",
  name: "governance install-hook",
  summary: "Check the rules before each push",
  examples: [
    ["forge governance install-hook", "Install the pre-push hook."],
    ["forge governance install-hook --github-actions", "Write a GitHub Actions job."],
  ],
  print({ path, installed, snippet }, out) {
    if (snippet !== undefined) out.print(snippet.trimEnd());
    else out.print(installed ? `Installed ${plain(path ?? "")}.` : `${plain(path ?? "")} is installed already.`);
  },
});
