import type * as z from "zod";
import type { App } from "../../../../commons/cli/app.ts";
import { commandFor } from "../../../../commons/cli/command-for.ts";
import { printList } from "../../../../commons/cli/print/list.ts";
import { localTime } from "../../../../commons/cli/print/local-time.ts";
import type { Column } from "../../../../commons/cli/print/table.ts";
import { type Command, defineGroup } from "../../../../kernel/definitions/command.ts";
import { plainLines } from "../../../../platform/terminal/text.ts";
import { limits } from "../../model/limits.ts";
import type { diffContract } from "../../tools/projects/diff-contract.ts";
import type { getContractHistory } from "../../tools/projects/get-contract-history.ts";
import type { getContractVersion } from "../../tools/projects/get-contract-version.ts";
import type { putProjectContract } from "../../tools/projects/put-project-contract.ts";
import { commandFacts } from "../shared.ts";

const ofType = { field: "contract_type", name: "type", help: "The contract's type." };
const ofProject = { flag: "project", value: "ID", help: "The project's id." };

const contract = defineGroup<App>({
  name: "project contract",
  summary: "Manage a project's contracts",
  examples: [["forge project contract put stack stack.md --project shop", "Save a contract."]],
  group: "look",
});

const contractPut = commandFor<typeof putProjectContract>({
  ...commandFacts,
  tool: "put_project_contract",
  name: "project contract put",
  summary: "Save a project's contract",
  examples: [
    ["forge project contract put stack stack.md --project shop", "Save a new version from a file; `-` is stdin."],
  ],
  arguments: [ofType, { field: "content", name: "file", help: "The file with its text; `-` is standard input." }],
  options: { project_id: ofProject },
  async toInput(given, { app, out }) {
    const content = await app.files.read(String(given["content"]), out.signal, limits.contract);
    // What is missing or wrong is said by the tool.
    return { ...given, content } as z.input<(typeof putProjectContract)["input"]>;
  },
  print: ({ contract_type, version }, out) => out.print(`Saved ${contract_type}, version ${version}.`),
});

const contractGet = commandFor<typeof getContractVersion>({
  ...commandFacts,
  tool: "get_contract_version",
  name: "project contract get",
  summary: "Show a project's contract",
  examples: [
    ["forge project contract get stack --project shop", "Print the newest version."],
    ["forge project contract get stack --project shop --at 2", "Print version 2."],
  ],
  arguments: [ofType],
  options: { project_id: ofProject, version: { flag: "at", help: "The version (default: the newest)." } },
  print: ({ content }, out) => out.print(plainLines(content)),
});

type Version = { version: number; size_chars: number; created_at: string; created_by: string };

const columns: Column<Version>[] = [
  { title: "VERSION", align: "right", cell: ({ version }) => String(version) },
  { title: "SIZE", align: "right", cell: ({ size_chars }) => String(size_chars) },
  { title: "SAVED", cell: ({ created_at }) => localTime(created_at) },
  { title: "BY", cell: ({ created_by }) => created_by },
];

const contractHistory = commandFor<typeof getContractHistory>({
  ...commandFacts,
  tool: "get_contract_history",
  name: "project contract history",
  summary: "List the versions of a project's contract",
  examples: [["forge project contract history stack --project shop", "List them, newest first."]],
  arguments: [ofType],
  options: { project_id: ofProject },
  print: ({ versions }, out) => printList({ columns, rows: versions, none: "No versions." }, out),
});

const contractDiff = commandFor<typeof diffContract>({
  ...commandFacts,
  tool: "diff_contract",
  name: "project contract diff",
  summary: "Compare versions of a project's contract",
  examples: [["forge project contract diff stack --project shop", "See what the newest version changed."]],
  arguments: [ofType],
  options: { project_id: ofProject },
  print: ({ diff }, out) => out.print(plainLines(diff)),
});

export const contractCommands: Command<App>[] = [contract, contractPut, contractGet, contractHistory, contractDiff];
