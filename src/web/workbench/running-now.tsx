import { useEffect, useState } from "preact/hooks";
import { readTool } from "../data/api.ts";
import { onEntry } from "../data/events.ts";
import type { Execution } from "../data/types.ts";
import { ExecutionLine } from "./execution-line.tsx";

/** What assistants are working on at this moment. */
export function RunningNow() {
  const [running, setRunning] = useState<Execution[]>([]);
  useEffect(() => {
    const read = () =>
      readTool<{ executions: Execution[] }>("forge_list_executions", { status: ["running"], limit: 20 }).then(
        (page) => setRunning(page.executions),
        () => setRunning([]),
      );
    void read();
    return onEntry(({ effect, outcome }) => {
      if (effect !== "read" && outcome !== "open") void read();
    });
  }, []);
  return (
    <section>
      <h2>Now</h2>
      {running.length === 0 ? (
        <p class="muted">No execution is running.</p>
      ) : (
        <ul class="lines">
          {running.map((execution) => (
            <ExecutionLine key={execution.execution_id} execution={execution} />
          ))}
        </ul>
      )}
    </section>
  );
}
