import { readTool } from "../data/api.ts";
import { facts } from "../data/start.ts";
import type { TicketView, WorkRecord } from "../data/types.ts";
import { useLoaded } from "../data/use-loaded.ts";
import { Time } from "../parts/marks.tsx";
import { Section } from "../parts/page.tsx";
import { hrefOf } from "../router.ts";

type Task = { id: string; name: string; status: string };

const tones: Record<string, string> = { started: "running", merged: "passed", committed: "passed" };

/** The tasks and executions of a ticket; nothing where there are none. */
export function TicketWork({ ticket: { id, records = {} } }: { ticket: TicketView }) {
  const isProject = facts.value?.place === "project";
  const { value } = useLoaded(
    () =>
      isProject
        ? readTool<{ tasks?: Task[] }>("get_ticket", { ticketId: id })
        : Promise.resolve<{ tasks?: Task[] }>({}),
    [id],
    { concerns: ({ about }) => about.some((item) => item.startsWith("task:") || item.startsWith("execution:")) },
  );
  const tasks = value?.tasks ?? [];
  const work = records.work ?? [];
  return (
    <>
      {tasks.length > 0 && (
        <Section title="Tasks" note={<a href={hrefOf("tasks")}>Graph</a>}>
          <ul class="lines">
            {tasks.map(({ id: task, name, status }) => (
              <li key={task} class="line">
                <span class={`run-status r-${status}`}>{status.replace("_", " ")}</span>
                <span class="line-title">{name}</span>
                <span class="muted">{task}</span>
              </li>
            ))}
          </ul>
        </Section>
      )}
      {work.length > 0 && (
        <Section title="Executions">
          <ul class="lines">
            {work.toReversed().map((one) => (
              <li key={one.execution}>
                {isProject ? (
                  <a class="line" href={hrefOf(`execution/${encodeURIComponent(one.execution)}`)}>
                    <WorkFacts work={one} />
                  </a>
                ) : (
                  <div class="line">
                    <WorkFacts work={one} />
                  </div>
                )}
              </li>
            ))}
          </ul>
        </Section>
      )}
    </>
  );
}

function WorkFacts({ work: { status, branch, commit, tests, files = [], by, agent, at } }: { work: WorkRecord }) {
  return (
    <>
      <span class={`run-status r-${tones[status] ?? ""}`}>{status}</span>
      <span class="line-title">
        {branch ?? commit?.slice(0, 10)}{" "}
        <span class="muted">
          {files.length > 0 && `${files.length} files `}
          {tests && `${tests.passed} tests passed${tests.failed > 0 ? `, ${tests.failed} failed` : ""}`}
        </span>
      </span>
      <span class="muted">{agent ?? by}</span>
      <span class="muted">
        <Time at={at} />
      </span>
    </>
  );
}
