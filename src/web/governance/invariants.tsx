import { readTool } from "../data/api.ts";
import { useLoaded } from "../data/use-loaded.ts";
import { Trend } from "../parts/trend.tsx";
import { plural } from "../parts/words.ts";

export type JudgedInvariant = {
  name: string;
  constraint: string;
  severity: string;
  value: number | null;
  expected: number;
  status: "held" | "broken" | "warning" | "waived" | "not_measured";
  message?: string;
};

type Point = { commit: string; at: string; value: number };

const maxCommits = 200;
const tones: Record<string, string> = { held: "passed", broken: "failed", warning: "running", waived: "running" };
const rules: Record<string, (expected: number) => string> = {
  monotonic_up: (expected) => (expected === 0 ? "must not fall" : `must not fall below ${expected}`),
  monotonic_down: (expected) => (expected === 0 ? "must not rise" : `must not rise above ${expected}`),
  equal: (expected) => `must be ${expected}`,
  non_zero: () => "must not be 0",
};

/** Each number with its rule and how it changed from commit to commit. */
export function Invariants({ invariants }: { invariants: JudgedInvariant[] }) {
  return (
    <ul class="tiles">
      {invariants.map((invariant) => (
        <InvariantTile key={invariant.name} invariant={invariant} />
      ))}
    </ul>
  );
}

function InvariantTile({
  invariant: { name, constraint, value, expected, status, message },
}: {
  invariant: JudgedInvariant;
}) {
  const { value: trend } = useLoaded(
    () => readTool<{ values: Point[] }>("get_invariant_trend", { name, limit: maxCommits }),
    [name],
  );
  const values = trend?.values.map((point) => point.value) ?? [];
  return (
    <li>
      <div class="tile-head">
        <b>{name.replaceAll("_", " ")}</b>
        <span class={`run-status r-${tones[status] ?? ""}`}>{status.replace("_", " ")}</span>
      </div>
      <div class="tile-value">{value ?? "–"}</div>
      <div class="muted">{message ?? rules[constraint]?.(expected)}</div>
      {values.length > 0 ? (
        <Trend values={values} label={`${name}: ${values.join(", ")}, over ${plural(values.length, "commit")}`} />
      ) : (
        <div class="muted small">Not measured at a commit yet</div>
      )}
    </li>
  );
}
