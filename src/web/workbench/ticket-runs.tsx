import { useEffect, useState } from "preact/hooks";
import { readTool } from "../data/api.ts";
import { onEntry } from "../data/events.ts";
import type { Execution } from "../data/types.ts";
import { ExecutionLine } from "./execution-line.tsx";

/** The executions of a ticket; nothing where there are none. */
export function TicketRuns({ id }: { id: string }) {
  const [executions, setExecutions] = useState<Execution[]>([]);
  useEffect(() => {
    const read = () =>
      readTool<{ executions: Execution[] }>("forge_list_executions", {
        block_id: "tickets",
        task_id: id,
        limit: 20,
      }).then(
        (page) => setExecutions(page.executions),
        () => setExecutions([]),
      );
    void read();
    return onEntry(({ about, effect, outcome }) => {
      const isOurs = about.some((item) => item.startsWith("execution:") || item === `ticket:${id}`);
      if (isOurs && effect !== "read" && outcome !== "open") void read();
    });
  }, [id]);
  if (executions.length === 0) return null;
  return (
    <section>
      <h2>Executions</h2>
      <ul class="lines">
        {executions.map((execution) => (
          <ExecutionLine key={execution.execution_id} execution={execution} />
        ))}
      </ul>
    </section>
  );
}
