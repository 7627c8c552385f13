import type { App } from "../../../../commons/cli/app.ts";
import { commandFor } from "../../../../commons/cli/command-for.ts";
import { printList } from "../../../../commons/cli/print/list.ts";
import { localTime } from "../../../../commons/cli/print/local-time.ts";
import type { Column } from "../../../../commons/cli/print/table.ts";
import { type Command, defineGroup } from "../../../../kernel/definitions/command.ts";
import { plain } from "../../../../platform/terminal/text.ts";
import type { createProject } from "../../tools/projects/create-project.ts";
import type { forgeGetProjectContext } from "../../tools/projects/forge-get-project-context.ts";
import type { listProjects } from "../../tools/projects/list-projects.ts";
import { commandFacts } from "../shared.ts";
import { contractCommands } from "./contract.ts";

const project = defineGroup<App>({
  name: "project",
  summary: "Manage projects and their contracts",
  details:
    "A project has contracts with versions, and builds that pin them. It is stored in this folder, or on your team's server.",
  examples: [
    ["forge project create Shop --id shop", "Create a project."],
    ["forge project contract put stack stack.md --project shop", "Save a contract."],
  ],
  group: "look",
});

const projectCreate = commandFor<typeof createProject>({
  ...commandFacts,
  tool: "create_project",
  name: "project create",
  summary: "Create a project",
  details: "Prints the id of the new project.",
  examples: [["forge project create Shop --id shop", "Create a project with an id of your choice."]],
  arguments: [{ field: "name", help: "Its name." }],
  options: { id: { value: "ID" } },
  print: ({ id }, out) => out.print(plain(id)),
});

const columns: Column<{ id: string; name: string; status: string }>[] = [
  { title: "ID", cell: ({ id }) => id },
  { title: "STATUS", cell: ({ status }) => status },
  { title: "NAME", cell: ({ name }) => name },
];

const projectList = commandFor<typeof listProjects>({
  ...commandFacts,
  tool: "list_projects",
  name: "project list",
  summary: "List projects",
  examples: [["forge project list", "List all projects."]],
  print: ({ projects }, out) =>
    printList({ columns, rows: projects, none: "No projects yet. Create one with `forge project create NAME`." }, out),
});

const projectShow = commandFor<typeof forgeGetProjectContext>({
  ...commandFacts,
  tool: "forge_get_project_context",
  name: "project show",
  summary: "Show a project",
  examples: [["forge project show shop", "See its contracts and how many builds it has."]],
  arguments: [{ field: "project_id", name: "project", required: true, help: "The project's id." }],
  only: true,
  print({ project: { id, name, status }, contracts, build_count, latest_batch }, out) {
    out.print(`${out.style.bold(plain(name))} (${plain(id)}, ${plain(status)})`);
    for (const { contract_type, version, size_chars, updated_at } of contracts)
      out.print(`  ${contract_type}: version ${version}, ${size_chars} characters, ${localTime(updated_at)}`);
    out.print(build_count === 0 ? "No builds." : `${build_count} builds; the newest is number ${latest_batch}.`);
  },
});

export const projectCommands: Command<App>[] = [project, projectCreate, projectList, projectShow, ...contractCommands];
