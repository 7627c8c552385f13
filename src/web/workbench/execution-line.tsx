import type { ComponentChildren } from "preact";
import type { Execution } from "../data/types.ts";
import { Time, Worker } from "../parts/marks.tsx";
import { duration } from "../parts/words.ts";
import { hrefOf } from "../router.ts";

type LineProps = { execution: Execution; children?: ComponentChildren };

export function ExecutionLine({ execution, children }: LineProps) {
  const {
    execution_id: id,
    task_name: name,
    status,
    stage,
    branch,
    holder,
    started_at: start,
    ended_at: end,
  } = execution;
  return (
    <li class="pickable">
      {children}
      <a class="line" href={hrefOf(`execution/${id}`)}>
        <span class={`run-status r-${status}`}>{status.replace("_", " ")}</span>
        <span class="line-title">{name}</span>
        {status === "running" && holder !== undefined && <Worker holder={holder} />}
        <span class="muted">{status === "running" ? stage : (branch ?? "")}</span>
        <span class="muted">
          {end === undefined ? <Time at={start} /> : duration(Date.parse(end) - Date.parse(start))}
        </span>
      </a>
    </li>
  );
}
