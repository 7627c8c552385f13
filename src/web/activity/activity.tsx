import { useEffect, useState } from "preact/hooks";
import { request } from "../data/api.ts";
import { onEntry } from "../data/events.ts";
import { facts } from "../data/start.ts";
import type { LedgerEntry } from "../data/types.ts";
import { BarChart } from "../parts/bar-chart.tsx";
import { Time } from "../parts/marks.tsx";
import { Loading } from "../parts/page.tsx";
import { showProblem } from "../parts/toast.tsx";
import { duration } from "../parts/words.ts";
import { hrefOf } from "../router.ts";
import { RunningNow } from "../workbench/running-now.tsx";
import { summarizeTools } from "./summarize-tools.ts";

/** The page keeps this many entries, however many come. */
const maxEntries = 500;
const maxBars = 12;

export function Activity() {
  const [entries, setEntries] = useState<readonly LedgerEntry[] | undefined>();
  const [onlyChanges, setOnlyChanges] = useState(false);
  useEffect(() => {
    request<{ entries: LedgerEntry[] }>("GET", `/api/activity?limit=${maxEntries}`).then(
      (answer) => setEntries(answer.entries),
      showProblem,
    );
    return onEntry((entry) =>
      setEntries((before = []) => [...before.filter(({ id }) => id !== entry.id), entry].slice(-maxEntries)),
    );
  }, []);
  if (!entries) return <Loading />;
  const tools = summarizeTools(entries);
  const slowest = [...tools].sort((a, b) => b.median - a.median).slice(0, maxBars);
  const failing = tools
    .filter(({ failed }) => failed > 0)
    .sort((a, b) => b.failed - a.failed)
    .slice(0, maxBars);
  const shown = onlyChanges ? entries.filter(({ effect }) => effect !== "read" && effect !== "fetch") : entries;
  return (
    <div class="page">
      <h1>Activity</h1>
      {facts.value?.place === "project" && <RunningNow />}
      {tools.length > 0 && (
        <div class="charts">
          <section>
            <h2>Time per call</h2>
            <BarChart
              label="Median time of each operation, with the slowest call behind it"
              bars={slowest.map(({ name, median, longest, calls }) => ({
                ...{ name, value: median, behind: longest },
                text: `${duration(median)}, at most ${duration(longest)}, ${calls}×`,
              }))}
            />
          </section>
          <section>
            <h2>Failures</h2>
            {failing.length === 0 ? (
              <p class="muted">None among the latest {entries.length} calls.</p>
            ) : (
              <BarChart
                label="Failed calls of each operation"
                tone="bad"
                bars={failing.map(({ name, failed, calls }) => ({
                  ...{ name, value: failed, behind: calls },
                  text: `${failed} of ${calls}`,
                }))}
              />
            )}
          </section>
        </div>
      )}
      <section>
        <div class="page-head">
          <h2>Latest calls</h2>
          <label>
            <input
              type="checkbox"
              checked={onlyChanges}
              onChange={(event) => setOnlyChanges(event.currentTarget.checked)}
            />{" "}
            Only changes
          </label>
        </div>
        {shown.length === 0 && <p class="muted">No calls yet. Connect an assistant to see what it does.</p>}
        <ul class="lines" aria-live="off">
          {shown
            .slice(-200)
            .toReversed()
            .map((entry) => (
              <EntryLine key={entry.id} entry={entry} />
            ))}
        </ul>
      </section>
    </div>
  );
}

function EntryLine({ entry }: { entry: LedgerEntry }) {
  const { name, agent, principal, user, about, outcome, code, durationMs, at } = entry;
  const shownOutcome = outcome === "open" ? "running" : (code ?? outcome);
  const tone = outcome === "ok" ? "ok" : outcome === "open" ? "running" : "error";
  return (
    <li>
      <div class="line">
        <span class={`run-status r-${tone}`}>{shownOutcome}</span>
        <span class="line-title">
          <code>{name}</code> <About items={about} />
        </span>
        <span class="muted">
          {[user, agent].filter((part) => part !== undefined).join(", ") || principal.replace(/^local:/, "")}
        </span>
        <span class="muted">{outcome === "open" ? "" : duration(durationMs)}</span>
        <span class="muted">
          <Time at={at} />
        </span>
      </div>
    </li>
  );
}

const pagesOf: Record<string, string> = { ticket: "ticket", execution: "execution" };

function About({ items }: { items: string[] }) {
  const shown = items.filter((item) => !item.startsWith("team:")).slice(0, 3);
  return (
    <>
      {shown.map((item) => {
        const [kind = "", ...rest] = item.split(":");
        const id = rest.join(":");
        const page = Object.hasOwn(pagesOf, kind) ? pagesOf[kind] : undefined;
        return page === undefined ? (
          <span key={item} class="muted">
            {" "}
            {id}
          </span>
        ) : (
          <a key={item} href={hrefOf(`${page}/${encodeURIComponent(id)}`)}>
            {" "}
            {id}
          </a>
        );
      })}
    </>
  );
}
