import { commandFor } from "../../../../commons/cli/command-for.ts";
import { type Column, table } from "../../../../commons/cli/print/table.ts";
import type { Output } from "../../../../kernel/definitions/command.ts";
import { plain } from "../../../../platform/terminal/text.ts";
import type { runGovernanceCheck } from "../../tools/check/run-governance-check.ts";
import { commandFacts, readReports, reportOption } from "../shared.ts";

type Result = Parameters<NonNullable<Parameters<typeof commandFor<typeof runGovernanceCheck>>[0]["print"]>>[0];
type JudgedInvariant = Result["invariants"][number];

const maxShown = 50;
const marks: Record<JudgedInvariant["status"], "green" | "red" | "yellow" | "dim"> = {
  held: "green",
  broken: "red",
  warning: "yellow",
  waived: "yellow",
  not_measured: "dim",
};

const columns: Column<JudgedInvariant>[] = [
  { title: "INVARIANT", cell: ({ name }) => name },
  { title: "VALUE", align: "right", cell: ({ value }) => (value === null ? "-" : String(value)) },
  { title: "LIMIT", align: "right", cell: limitText },
  { title: "STATUS", cell: ({ status }) => status.replace("_", " "), paint: ({ status }) => marks[status] },
  { title: "FROM", cell: ({ source }) => source },
];

export const governanceCheck = commandFor<typeof runGovernanceCheck>({
  ...commandFacts,
  tool: "run_governance_check",
  name: "governance check",
  summary: "Check the project's rules",
  examples: [
    ["forge governance check", "Check the work tree against the recorded values."],
    ["forge governance check --since main", "Check against the rules and values of main."],
    ["forge governance check --report junit.xml", "Take the number of tests from a report."],
    ["forge governance check --sarif > governance.sarif", "Write the findings for code scanning."],
  ],
  arguments: [],
  options: { reports: reportOption },
  toInput: readReports,
  print(result, out) {
    if (result.sarif) out.print(JSON.stringify(result.sarif, undefined, 2));
    else printResult(result, out);
  },
  exitCode: ({ status }) => (status === "passed" ? 0 : 1),
});

function printResult(
  {
    invariants,
    violations,
    fixed_violations: fixed,
    syntax_errors: faults,
    expired_waivers: expired,
    status,
    layers,
  }: Result,
  out: Output,
): void {
  out.print(table(columns, invariants, out));
  const open = violations.filter((violation) => violation.status === "new");
  const lines = [
    ...open.map(
      ({ file, line, layer, rule, reason }) =>
        `${file}:${line}: ${layer} must not contain ${rule}${reason === "" ? "" : ` (${reason})`}`,
    ),
    ...faults.map(({ file, line, message }) => `${file}:${line}: ${message}`),
    // The table has no value to show for these.
    ...invariants.flatMap(({ name, value, message }) =>
      value === null && message !== undefined ? [`${name} ${message}`] : [],
    ),
    ...expired.map(({ rule, until, by }) => `The waiver of ${rule} by ${by} expired on ${until}.`),
  ];
  if (lines.length > 0) out.print("");
  for (const line of lines.slice(0, maxShown)) out.print(plain(line));
  if (lines.length > maxShown) out.print(`… and ${lines.length - maxShown} more; --json lists all.`);
  const known = violations.length - open.length;
  if (layers.length > 0)
    out.note(`Layers checked: ${layers.length}. Violations: ${open.length} new, ${known} known or waived.`);
  if (fixed.length > 0)
    out.note(`${fixed.length} known violations are fixed. Run \`forge governance record\` to take them off the list.`);
  out.note(status === "passed" ? out.style.green("Passed.") : out.style.red("Failed."));
}

function limitText({ constraint, expected }: JudgedInvariant): string {
  if (constraint === "non_zero") return "not 0";
  const sign = { monotonic_up: "≥ ", monotonic_down: "≤ ", equal: "= " }[constraint];
  return `${sign}${expected}`;
}
