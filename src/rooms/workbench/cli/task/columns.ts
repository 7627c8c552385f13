import type { Column } from "../../../../commons/cli/print/table.ts";
import type { Style } from "../../../../kernel/definitions/command.ts";
import type { TaskResult } from "../results.ts";
import { formatTaskName, taskColours } from "../shared.ts";

export const taskColumns: Column<TaskResult>[] = [
  { title: "TASK", cell: formatTaskName },
  { title: "STATUS", cell: ({ status }) => status, paint: ({ status }) => taskColours[status] },
  { title: "READY", cell: formatReadiness, paint: paintReadiness, shrinks: true },
  { title: "NAME", cell: ({ name }) => name },
];

function formatReadiness({ status, ready, waits_for: waits = [] }: TaskResult): string {
  if (status === "completed") return "";
  if (ready) return "ready";
  return formatWaits(waits);
}

function paintReadiness({ status, ready }: TaskResult): keyof Style | undefined {
  return status === "completed" ? undefined : ready ? "green" : "yellow";
}

/** A claim is listed among what a task waits for. */
function formatWaits(waits: readonly string[]): string {
  const claims = waits.filter((wait) => wait.startsWith("claimed by "));
  const others = waits.filter((wait) => !wait.startsWith("claimed by "));
  return [...(others.length === 0 ? [] : [`waits for ${others.join(", ")}`]), ...claims].join("; ");
}
