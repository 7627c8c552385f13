import { readTool } from "../data/api.ts";
import { useLoaded } from "../data/use-loaded.ts";
import { BarChart } from "../parts/bar-chart.tsx";
import { Time } from "../parts/marks.tsx";
import { Loaded, Section } from "../parts/page.tsx";
import { Prose } from "../parts/prose.tsx";

type Failure = {
  title: string;
  category?: string;
  severity?: string;
  date?: string;
  agent?: string;
  what_happened?: string;
  root_cause?: string;
  lesson?: string;
  rule?: string;
  source: string;
  count?: number;
  files?: string[];
  first_at?: string;
  last_at?: string;
};

const maxBars = 8;
const parts = [
  ["What happened", "what_happened"],
  ["Cause", "root_cause"],
  ["Lesson", "lesson"],
  ["Rule", "rule"],
] as const;

/** Past mistakes with their lessons, and which of them keep coming back. */
export function FailureMuseum() {
  const museum = useLoaded(() => readTool<{ failures: Failure[] }>("get_failure_museum"), [], {
    concerns: ({ about }) => about.some((item) => item.startsWith("failure:")),
  });
  return (
    <Section title="Failure museum" note="Past mistakes and their lessons">
      <Loaded of={museum}>
        {({ failures }) => (
          <>
            {failures.length === 0 && <p class="muted">No failure is filed yet.</p>}
            <Recurrence failures={failures} />
            <ul class="notes">
              {failures.map((failure) => (
                <FailureLine key={`${failure.source} ${failure.title}`} failure={failure} />
              ))}
            </ul>
          </>
        )}
      </Loaded>
    </Section>
  );
}

function Recurrence({ failures }: { failures: Failure[] }) {
  const again = failures
    .flatMap(({ title, count = 1 }) => (count > 1 ? [{ title, count }] : []))
    .sort((a, b) => b.count - a.count)
    .slice(0, maxBars);
  if (again.length === 0) return null;
  return (
    <div class="recurrence">
      <h3>Came back</h3>
      <BarChart
        label="How often each failure happened"
        tone="bad"
        isLinear
        bars={again.map(({ title, count }) => ({ name: title, value: count, behind: 0, text: `${count}×` }))}
      />
    </div>
  );
}

function FailureLine({ failure }: { failure: Failure }) {
  const {
    title,
    category,
    severity = "",
    count = 1,
    date,
    first_at: first,
    last_at: last,
    files = [],
    agent,
  } = failure;
  return (
    <li>
      <details>
        <summary>
          <b>{title}</b>
          {count > 1 && <span class="count attention">{count} times</span>}
        </summary>
        <dl class="facts">
          {parts.map(([name, field]) => {
            const text = failure[field];
            return text === undefined ? null : (
              <div key={field}>
                <dt>{name}</dt>
                <dd>
                  <Prose text={text} />
                </dd>
              </div>
            );
          })}
          {files.length > 0 && (
            <div>
              <dt>Files</dt>
              <dd>
                <code>{files.join(", ")}</code>
              </dd>
            </div>
          )}
        </dl>
      </details>
      <div class="note-meta">
        {severity !== "" && <span class={`type ${severity === "critical" ? "bug" : ""}`}>{severity}</span>}
        {category !== undefined && <span class="type">{category.toLowerCase().replace("-", " ")}</span>}
        <span class="muted">
          {agent}
          {last === undefined ? (
            date !== undefined && `, ${date}`
          ) : (
            <>
              , last <Time at={last} />
              {first !== undefined && first !== last && (
                <>
                  , first <Time at={first} />
                </>
              )}
            </>
          )}
        </span>
      </div>
    </li>
  );
}
