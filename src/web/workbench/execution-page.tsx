import { Diff } from "../parts/diff.tsx";
import { showHidden } from "../parts/foreign-text.ts";
import { Loading, ProblemPage } from "../parts/page.tsx";
import { hrefOf } from "../router.ts";
import { ChangedFiles, ExecutionFacts, Issues, TestRuns, Timeline } from "./execution-parts.tsx";
import { useExecution } from "./use-execution.ts";

export function ExecutionPage({ id }: { id: string }) {
  const { record, patch, isCut, problem } = useExecution(id);
  if (problem !== undefined) return <ProblemPage text={problem} />;
  if (!record) return <Loading />;
  document.title = `${showHidden(record.task_name)} · Forge`;
  const isTicket = record.block_id === "tickets";
  return (
    <article class="page">
      <p class="crumbs">
        <a href={hrefOf("executions")}>Executions</a> /{" "}
        {isTicket ? <a href={hrefOf(`ticket/${record.task_id}`)}>{record.task_id}</a> : <span class="id">{id}</span>}
      </p>
      <h1>{record.task_name}</h1>
      <ExecutionFacts record={record} />
      <Timeline record={record} />
      <TestRuns record={record} />
      <Issues record={record} />
      <ChangedFiles record={record} />
      <section>
        <h2>Diff</h2>
        {patch === undefined ? <Loading /> : <Diff patch={patch} />}
        {isCut && <p class="muted">The diff is too large to be shown in full here.</p>}
      </section>
    </article>
  );
}
