import { defineResource, matchUri } from "../../../kernel/definitions/resource.ts";
import { visible, visibleJson } from "../../../kernel/text/visible.ts";
import { formatExecution, formatRecord } from "../executions/mappers.ts";
import { summarizeRecord } from "../executions/summary/summarize-record.ts";
import type { WorkbenchServices } from "../model/services.ts";

type ResourceServices = Pick<WorkbenchServices, "executions" | "guard">;

const maxExecutions = 100;
const oneUri = "forge://executions/{id}";

export function executionUri(id: string): string {
  return oneUri.replace("{id}", encodeURIComponent(id));
}

const executionList = defineResource<ResourceServices>({
  uri: "forge://executions",
  name: "executions",
  title: "Executions",
  description: `The newest ${maxExecutions} executions of tasks: task, status, branch, folder. The tool forge_list_executions filters and has the rest.`,
  mimeType: "application/json",
  untrusted: "repository",
  async read({ executions, guard }, _variables, call) {
    const { executions: found, total, warnings } = await executions.list({ limit: maxExecutions });
    await guard.noteWorkRead(
      call,
      found.map(({ id }) => id),
    );
    return toJson({ executions: found.map(formatExecution), total, ...(warnings.length > 0 && { warnings }) });
  },
  watch: ({ executions }, _uri, changed) => executions.watch(undefined, changed),
});

const execution = defineResource<ResourceServices>({
  uri: oneUri,
  name: "execution",
  title: "Execution",
  description: "One execution of a task: its timeline, files, test runs and issues.",
  mimeType: "application/json",
  untrusted: "repository",
  read: async ({ executions }, { id = "" }, call) =>
    toJson(summarizeRecord(formatRecord(await executions.get(call, id)))),
  complete: {
    id: async ({ executions }, typed) => {
      const { executions: found } = await executions.list({ limit: maxExecutions });
      return found.map(({ id }) => visible(id)).filter((id) => id.startsWith(typed));
    },
  },
  watch: ({ executions }, uri, changed) => executions.watch(matchUri(oneUri, uri)?.["id"] ?? "", changed),
});

export const resources = [executionList, execution];

function toJson(value: unknown): { text: string } {
  return { text: visibleJson(JSON.stringify(value)) };
}
