import type { App } from "../../../../commons/cli/app.ts";
import { commandFor } from "../../../../commons/cli/command-for.ts";
import { printList } from "../../../../commons/cli/print/list.ts";
import { localTime } from "../../../../commons/cli/print/local-time.ts";
import type { Column } from "../../../../commons/cli/print/table.ts";
import { type Command, defineGroup, type Output } from "../../../../kernel/definitions/command.ts";
import { plain } from "../../../../platform/terminal/text.ts";
import type { closeBuild } from "../../tools/projects/close-build.ts";
import type { listBuilds } from "../../tools/projects/list-builds.ts";
import type { showBuild } from "../../tools/projects/show-build.ts";
import type { startBuild } from "../../tools/projects/start-build.ts";
import { commandFacts } from "../shared.ts";

const build = defineGroup<App>({
  name: "build",
  summary: "Manage builds, which pin a project's contracts",
  details: "A build pins the contracts of a project as they are when it starts. What it has pinned never changes.",
  examples: [["forge build start --project shop", "Start a build; prints its id."]],
  group: "look",
});

type Build = {
  build_id: string;
  batch: number;
  status: string;
  pinned_at: string;
  closed_at?: string | undefined;
  contracts: number;
};

const ofProject = { flag: "project", value: "ID", help: "The project's id." };

const columns: Column<Build>[] = [
  { title: "NUMBER", align: "right", cell: ({ batch }) => String(batch) },
  { title: "STATUS", cell: ({ status }) => status },
  { title: "STARTED", cell: ({ pinned_at }) => localTime(pinned_at) },
  { title: "CONTRACTS", align: "right", cell: ({ contracts }) => String(contracts) },
  { title: "ID", cell: ({ build_id }) => build_id },
];

const buildStart = commandFor<typeof startBuild>({
  ...commandFacts,
  tool: "start_build",
  name: "build start",
  summary: "Start a build",
  details: "Pins the newest version of every contract of the project. Prints the build's id.",
  examples: [["forge build start --project shop", "Start a build."]],
  arguments: [],
  options: { project_id: ofProject },
  print: ({ build_id }, out) => out.print(plain(build_id)),
});

const buildList = commandFor<typeof listBuilds>({
  ...commandFacts,
  tool: "list_builds",
  name: "build list",
  summary: "List a project's builds",
  examples: [["forge build list --project shop", "List them, newest first."]],
  arguments: [],
  options: { project_id: ofProject },
  print: ({ builds }, out) => printList({ columns, rows: builds, none: "No builds yet." }, out),
});

const buildShow = commandFor<typeof showBuild>({
  ...commandFacts,
  tool: "show_build",
  name: "build show",
  summary: "Show a build",
  examples: [["forge build show BUILD-ID", "See when it was started and what it is for."]],
  arguments: [{ field: "build_id", name: "build", help: "The build's id." }],
  print: printBuild,
});

const buildClose = commandFor<typeof closeBuild>({
  ...commandFacts,
  tool: "close_build",
  name: "build close",
  summary: "Close a build",
  examples: [["forge build close BUILD-ID", "Mark it as finished."]],
  arguments: [{ field: "build_id", name: "build", help: "The build's id." }],
  print: printBuild,
});

function printBuild({ build_id, batch, status, pinned_at, closed_at, contracts }: Build, out: Output): void {
  out.print(`Build ${batch} (${plain(build_id)}): ${status}, ${contracts} contracts pinned ${localTime(pinned_at)}`);
  if (closed_at !== undefined) out.print(`Closed ${localTime(closed_at)}`);
}

export const buildCommands: Command<App>[] = [build, buildStart, buildList, buildShow, buildClose];
