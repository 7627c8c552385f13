import type { ExecutionRecord } from "../data/types.ts";
import { Time, Worker } from "../parts/marks.tsx";
import { duration } from "../parts/words.ts";

/** An execution's parts, used on its own page and side by side. */

export function ExecutionFacts({ record }: { record: ExecutionRecord }) {
  const {
    status,
    stage,
    branch,
    holder,
    started_at: start,
    ended_at: end,
    commit_hash: commit,
    base_branch: base,
  } = record;
  return (
    <p class="page-head">
      <span class={`run-status r-${status}`}>{status}</span>
      {status === "running" && <span class="muted">{stage}</span>}
      {status === "running" && holder !== undefined && <Worker holder={holder} />}
      {branch !== undefined && (
        <span>
          <code>{branch}</code>
          {base !== undefined && <span class="muted"> from {base}</span>}
        </span>
      )}
      {commit !== undefined && (
        <span class="muted">
          commit <code>{commit.slice(0, 10)}</code>
        </span>
      )}
      <span class="muted">
        started <Time at={start} />
        {end !== undefined && `, took ${duration(Date.parse(end) - Date.parse(start))}`}
      </span>
    </p>
  );
}

export function Timeline({ record }: { record: ExecutionRecord }) {
  const start = Date.parse(record.started_at);
  return (
    <section>
      <h2>Timeline</h2>
      <ol class="timeline" aria-live="polite">
        {record.timeline.map(({ seq, at, kind, message }) => (
          <li key={seq} class={`k-${kind}`}>
            {message} <span class="muted">+{duration(Date.parse(at) - start)}</span>
          </li>
        ))}
      </ol>
    </section>
  );
}

export function TestRuns({ record }: { record: ExecutionRecord }) {
  if (record.tests.length === 0) return null;
  return (
    <section>
      <h2>Test runs</h2>
      <ul class="lines">
        {record.tests.map(({ run_id: id, status, passed, failed, skipped, duration: took }) => (
          <li key={id} class="page-head">
            <span class={`run-status r-${status}`}>{status}</span>
            <span>
              {passed} passed{failed > 0 && `, ${failed} failed`}
              {skipped > 0 && `, ${skipped} skipped`}
            </span>
            <span class="muted">{took}</span>
          </li>
        ))}
      </ul>
    </section>
  );
}

export function ChangedFiles({ record, alsoIn }: { record: ExecutionRecord; alsoIn?: ReadonlySet<string> }) {
  if (record.files.length === 0) return null;
  return (
    <section>
      <h2>Files</h2>
      <ul class="files">
        {record.files.map(({ path, action, lines_added: added, lines_removed: removed }) => (
          <li key={path}>
            <span class={`file-action ${action}`}>{action}</span> <code>{path}</code>{" "}
            <span class="added">+{added}</span> <span class="removed">−{removed}</span>
            {alsoIn?.has(path) && <span class="type bug">in both</span>}
          </li>
        ))}
      </ul>
    </section>
  );
}

export function Issues({ record }: { record: ExecutionRecord }) {
  if (record.issues.length === 0) return null;
  return (
    <section>
      <h2>Issues</h2>
      <ul>
        {record.issues.map(({ type, file, line, message }, index) => (
          <li key={index}>
            <span class="type bug">{type}</span>{" "}
            {file !== undefined && <code>{line === undefined ? file : `${file}:${line}`}</code>}
            <div class="prose">{message}</div>
          </li>
        ))}
      </ul>
    </section>
  );
}
