import { commandFor } from "../../../../commons/cli/command-for.ts";
import { printList } from "../../../../commons/cli/print/list.ts";
import type { Column } from "../../../../commons/cli/print/table.ts";
import { plain, plainLines } from "../../../../platform/terminal/text.ts";
import { contractNames } from "../../model/contract-names.ts";
import type { forgeGetContract } from "../../tools/contracts/forge-get-contract.ts";
import type { forgeListContracts } from "../../tools/contracts/forge-list-contracts.ts";
import type { initGovernance } from "../../tools/contracts/init-governance.ts";
import type { lintContracts } from "../../tools/contracts/lint-contracts.ts";
import type { pushContracts } from "../../tools/contracts/push-contracts.ts";
import { commandFacts } from "../shared.ts";

export const governanceInit = commandFor<typeof initGovernance>({
  ...commandFacts,
  tool: "init_governance",
  name: "governance init",
  summary: "Create the project's contracts",
  examples: [
    ["forge governance init", "Create every contract that does not exist yet."],
    ["forge governance init stack boundaries", "Create only these."],
  ],
  arguments: [
    { field: "names", name: "name", rest: true, required: false, help: "Contracts to create (default: all)." },
  ],
  complete: async () => contractNames.map((value) => ({ value })),
  print({ written, kept }, out) {
    for (const file of written) out.print(`${out.style.green("created")}  ${plain(file)}`);
    if (written.length === 0) out.note("All contracts already exist. Nothing was changed.");
    else if (kept.length > 0) out.note(`${kept.length} files existed already and were left as they are.`);
    if (written.length > 0)
      out.note("Read them, correct what is wrong, and commit them. Then run `forge governance check`.");
  },
});

export const governanceShow = commandFor<typeof forgeGetContract>({
  ...commandFacts,
  tool: "forge_get_contract",
  name: "governance show",
  summary: "Show a contract",
  examples: [["forge governance show boundaries", "Read the layers and what is forbidden in them."]],
  arguments: [{ field: "name", help: "The contract's name." }],
  only: true,
  complete: async () => contractNames.map((value) => ({ value })),
  print: ({ content }, out) =>
    out.print(typeof content === "string" ? plainLines(content) : JSON.stringify(content, undefined, 2)),
});

type Entry = { name: string; filename: string; format: string; available: boolean };

const columns: Column<Entry>[] = [
  { title: "NAME", cell: ({ name }) => name },
  {
    title: "EXISTS",
    cell: ({ available }) => (available ? "yes" : "no"),
    paint: ({ available }) => (available ? "green" : "dim"),
  },
  { title: "FORMAT", cell: ({ format }) => format },
  { title: "FILE", cell: ({ filename }) => filename },
];

export const governanceList = commandFor<typeof forgeListContracts>({
  ...commandFacts,
  tool: "forge_list_contracts",
  name: "governance list",
  summary: "List the contracts",
  examples: [["forge governance list", "See which contracts the project has."]],
  print: ({ contracts }, out) => printList({ columns, rows: contracts, none: "No contracts." }, out),
});

export const governanceLint = commandFor<typeof lintContracts>({
  ...commandFacts,
  tool: "lint_contracts",
  name: "governance lint",
  summary: "Check contracts for mistakes",
  examples: [["forge governance lint", "Find what does not parse, or names something that does not exist."]],
  print({ problems }, out) {
    for (const { file, severity, message } of problems) {
      const mark = severity === "error" ? out.style.red("error") : out.style.yellow("warning");
      out.print(`${mark}  ${plain(file)}: ${plain(message)}`);
    }
    if (problems.length === 0) out.note("No problems found.");
  },
  exitCode: ({ problems }) => (problems.some(({ severity }) => severity === "error") ? 1 : 0),
});

export const governancePush = commandFor<typeof pushContracts>({
  ...commandFacts,
  tool: "push_contracts",
  name: "governance push",
  summary: "Share the contracts with your team",
  examples: [["forge governance push", "Save the contracts on your team's server."]],
  print({ pushed }, out) {
    for (const { name, version } of pushed) out.print(`${plain(name)}: version ${version}`);
    if (pushed.length === 0) out.note("There are no contracts to share. Create some with `forge governance init`.");
  },
});
