import { useEffect, useState } from "preact/hooks";
import { readTool } from "../data/api.ts";
import { onEntry } from "../data/events.ts";
import type { Execution } from "../data/types.ts";
import { Loading } from "../parts/page.tsx";
import { showProblem } from "../parts/toast.tsx";
import { navigate } from "../router.ts";
import { ExecutionLine } from "./execution-line.tsx";

type Page = { executions: Execution[]; total: number; next_cursor?: string };

const pageSize = 50;

export function Executions() {
  const [page, setPage] = useState<Page | undefined>();
  const [picked, setPicked] = useState<readonly string[]>([]);
  useEffect(() => {
    const read = () => readTool<Page>("forge_list_executions", { limit: pageSize }).then(setPage, showProblem);
    void read();
    return onEntry(({ effect, outcome, about }) => {
      const isOurs = about.some((item) => item.startsWith("execution:") || item.startsWith("task:"));
      if (isOurs && effect !== "read" && outcome !== "open") void read();
    });
  }, []);
  if (!page) return <Loading />;
  const pick = (id: string) =>
    setPicked((before) => (before.includes(id) ? before.filter((known) => known !== id) : [...before, id].slice(-2)));
  const more = async () => {
    const next = await readTool<Page>("forge_list_executions", { limit: pageSize, cursor: page.next_cursor });
    setPage({ ...next, executions: [...page.executions, ...next.executions] });
  };
  return (
    <div class="page">
      <div class="page-head">
        <h1>Executions</h1>
        <span class="muted">{page.total}</span>
        <span class="space" />
        <button
          type="button"
          disabled={picked.length !== 2}
          onClick={() => navigate(`compare?a=${picked[0]}&b=${picked[1]}`)}
        >
          Compare two
        </button>
      </div>
      {page.executions.length === 0 && (
        <p class="empty">No executions yet. When an assistant executes a task, its timeline appears here.</p>
      )}
      {page.executions.length > 0 && (
        <section>
          <ul class="lines">
            {page.executions.map((execution) => (
              <ExecutionLine key={execution.execution_id} execution={execution}>
                <input
                  type="checkbox"
                  aria-label={`Compare ${execution.task_name}`}
                  checked={picked.includes(execution.execution_id)}
                  onChange={() => pick(execution.execution_id)}
                />
              </ExecutionLine>
            ))}
          </ul>
          {page.next_cursor !== undefined && (
            <button type="button" onClick={() => void more().catch(showProblem)}>
              Show more
            </button>
          )}
        </section>
      )}
    </div>
  );
}
