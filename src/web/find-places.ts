import { readTool } from "./data/api.ts";
import { listDefinitions } from "./registry/load-definitions.ts";

/** Something that has a page of its own. */
export type NamedPlace = { title: string; hint: string; path: string };

const maxExecutions = 50;
const maxTasks = 200;

/** Executions, tasks, contracts and definitions of the project; what cannot be read is left out. */
export async function findPlaces(): Promise<NamedPlace[]> {
  const kinds: Promise<NamedPlace[]>[] = [
    readTool<{ executions: { execution_id: string; task_name: string; status: string }[] }>("forge_list_executions", {
      limit: maxExecutions,
    }).then(({ executions }) =>
      executions.map(({ execution_id: id, task_name: title, status }) => ({
        ...{ title, hint: `execution, ${status}`, path: `execution/${id}` },
      })),
    ),
    readTool<{ tasks: { name: string; status: string }[] }>("forge_get_tasks", { limit: maxTasks }).then(({ tasks }) =>
      tasks.map(({ name, status }) => ({ title: name, hint: `task, ${status.replace("_", " ")}`, path: "tasks" })),
    ),
    readTool<{ contracts: { name: string; available: boolean }[] }>("forge_list_contracts").then(({ contracts }) =>
      contracts
        .filter(({ available }) => available)
        .map(({ name }) => ({ title: name.replaceAll("_", " "), hint: "contract", path: `contract/${name}` })),
    ),
    listDefinitions().then(({ definitions }) =>
      definitions.map(({ kind, name }) => ({
        ...{ title: name, hint: kind, path: `definition/${kind}/${encodeURIComponent(name)}` },
      })),
    ),
  ];
  const found = await Promise.allSettled(kinds);
  return found.flatMap((outcome) => (outcome.status === "fulfilled" ? outcome.value : []));
}
