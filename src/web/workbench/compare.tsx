import { Diff } from "../parts/diff.tsx";
import { Loading, ProblemPage } from "../parts/page.tsx";
import { hrefOf, query } from "../router.ts";
import { ChangedFiles, ExecutionFacts, Issues, TestRuns, Timeline } from "./execution-parts.tsx";
import { useExecution } from "./use-execution.ts";

/** Two executions side by side, with the files that both changed marked. */
export function Compare() {
  const [a, b] = [query.value.get("a") ?? "", query.value.get("b") ?? ""];
  const [one, other] = [useExecution(a), useExecution(b)];
  const problem = one.problem ?? other.problem;
  if (problem !== undefined) return <ProblemPage text={problem} />;
  if (!one.record || !other.record) return <Loading />;
  const pathsOf = (record: { files: { path: string }[] }) => new Set(record.files.map(({ path }) => path));
  const sides = [
    { shown: one, record: one.record, alsoIn: pathsOf(other.record) },
    { shown: other, record: other.record, alsoIn: pathsOf(one.record) },
  ];
  return (
    <div class="page">
      <p class="crumbs">
        <a href={hrefOf("executions")}>Executions</a> / Compare
      </p>
      <div class="pair">
        {sides.map(({ shown, record, alsoIn }) => (
          <section key={record.execution_id}>
            <h2>
              <a href={hrefOf(`execution/${record.execution_id}`)}>{record.task_name}</a>
            </h2>
            <ExecutionFacts record={record} />
            <TestRuns record={record} />
            <ChangedFiles record={record} alsoIn={alsoIn} />
            <Issues record={record} />
            <Timeline record={record} />
            {shown.patch !== undefined && <Diff patch={shown.patch} />}
          </section>
        ))}
      </div>
    </div>
  );
}
