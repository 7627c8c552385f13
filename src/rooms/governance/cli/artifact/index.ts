import type { App } from "../../../../commons/cli/app.ts";
import { commandFor } from "../../../../commons/cli/command-for.ts";
import { printList } from "../../../../commons/cli/print/list.ts";
import type { Column } from "../../../../commons/cli/print/table.ts";
import { type Command, defineGroup } from "../../../../kernel/definitions/command.ts";
import type { forgeClearArtifacts } from "../../tools/artifacts/forge-clear-artifacts.ts";
import type { forgeGetArtifact } from "../../tools/artifacts/forge-get-artifact.ts";
import type { forgeListArtifacts } from "../../tools/artifacts/forge-list-artifacts.ts";
import type { restoreArtifacts } from "../../tools/artifacts/restore-artifacts.ts";
import { commandFacts } from "../shared.ts";

const artifact = defineGroup<App>({
  name: "artifact",
  summary: "Manage stored artifacts",
  details:
    "Assistants store intermediate results as artifacts, by project, type and key. They expire, by default after a day.",
  examples: [["forge artifact list shop", "List the artifacts of the project shop."]],
  group: "look",
});

const ofProject = { field: "project_id", name: "project", help: "The project's id." };
const ofType = { flag: "type", value: "TYPE", help: "Only artifacts of this type." };

type Entry = { artifact_type: string; key: string; size_chars: number; ttl_remaining_seconds: number | null };

const columns: Column<Entry>[] = [
  { title: "TYPE", cell: ({ artifact_type }) => artifact_type },
  { title: "SIZE", align: "right", cell: ({ size_chars }) => String(size_chars) },
  {
    title: "EXPIRES IN",
    align: "right",
    cell: ({ ttl_remaining_seconds: left }) => (left === null ? "never" : duration(left)),
  },
  { title: "KEY", cell: ({ key }) => key },
];

const artifactList = commandFor<typeof forgeListArtifacts>({
  ...commandFacts,
  tool: "forge_list_artifacts",
  name: "artifact list",
  summary: "List a project's artifacts",
  examples: [["forge artifact list shop --type phase", "List those of one type."]],
  arguments: [ofProject],
  options: { artifact_type: ofType, limit: { short: "n", help: "How many at most (default: 100)." } },
  print: ({ artifacts, next_cursor }, out, { again }) =>
    printList(
      {
        columns,
        rows: artifacts,
        none: "No artifacts.",
        more: next_cursor === undefined ? undefined : again({ cursor: next_cursor }),
      },
      out,
    ),
});

const artifactShow = commandFor<typeof forgeGetArtifact>({
  ...commandFacts,
  tool: "forge_get_artifact",
  name: "artifact show",
  summary: "Show an artifact",
  examples: [["forge artifact show shop phase plan-1", "Print its content."]],
  arguments: [
    ofProject,
    { field: "artifact_type", name: "type", help: "Its type." },
    { field: "key", help: "Its key." },
  ],
  print: ({ content }, out) => out.print(JSON.stringify(content, undefined, 2)),
});

const artifactClear = commandFor<typeof forgeClearArtifacts>({
  ...commandFacts,
  tool: "forge_clear_artifacts",
  name: "artifact clear",
  summary: "Clear a project's artifacts",
  details: "They can be restored for a day.",
  examples: [["forge artifact clear shop --type scout", "Clear those of one type."]],
  arguments: [ofProject],
  options: { artifact_type: ofType },
  print: ({ cleared_disk, cleared_memory }, out) => out.print(`Cleared ${cleared_disk + cleared_memory}.`),
});

const artifactRestore = commandFor<typeof restoreArtifacts>({
  ...commandFacts,
  tool: "restore_artifacts",
  name: "artifact restore",
  summary: "Restore cleared artifacts",
  examples: [["forge artifact restore shop", "Bring back what was cleared less than a day ago."]],
  arguments: [ofProject],
  options: { artifact_type: ofType },
  print: ({ restored }, out) => out.print(`Restored ${restored}.`),
});

export const artifactCommands: Command<App>[] = [artifact, artifactList, artifactShow, artifactClear, artifactRestore];

function duration(seconds: number): string {
  if (seconds < 120) return `${seconds} s`;
  return seconds < 7_200 ? `${Math.round(seconds / 60)} min` : `${Math.round(seconds / 3_600)} h`;
}
