import type { Rounds } from "./rounds.ts";

export type Unit = "ms" | "MB" | "bytes" | "calls/s" | "requests/s" | "transactions";

/** One line of the report: a figure of Forge and what it is compared with. */
export type Row = {
  id: string;
  what: string;
  unit: Unit;
  forge: number | undefined;
  against: string;
  other: number | undefined;
  ratio: number | undefined;
  /** The difference to the other figure, in its unit. */
  over?: number | undefined;
  /** The goal for the ratio; a row without one is for information. */
  goal?: Goal;
};

/** `atMost` and `atLeast` of the ratio, `atMostOver` of the difference. */
export type Goal =
  | { kind: "target" | "aim"; atMost: number }
  | { kind: "target"; atLeast: number }
  | { kind: "target"; atMostOver: number };

export type Comparison<Sample> = Pick<Row, "id" | "what" | "unit" | "goal"> & {
  of?: string;
  against: string;
  pick(sample: Sample): number | undefined;
};

export function compare<Sample>(rounds: Rounds<Sample>, { of = "forge", pick, ...row }: Comparison<Sample>): Row {
  return {
    ...row,
    forge: rounds.median(of, pick),
    other: rounds.median(row.against, pick),
    ratio: rounds.ratio(of, row.against, pick),
    over: rounds.over(of, row.against, pick),
  };
}

export function verdict({ goal, ratio, over }: Row): "pass" | "miss" | "not measured" | "for information" {
  if (ratio === undefined) return "not measured";
  if (!goal) return "for information";
  return isKept(goal, ratio, over ?? Number.POSITIVE_INFINITY) ? "pass" : "miss";
}

function isKept(goal: Goal, ratio: number, over: number): boolean {
  if ("atMostOver" in goal) return over <= goal.atMostOver;
  return "atMost" in goal ? ratio <= goal.atMost : ratio >= goal.atLeast;
}

/** Targets are promises; a missed aim is only reported. */
export function missedTargets(rows: readonly Row[]): Row[] {
  return rows.filter((row) => row.goal?.kind === "target" && verdict(row) === "miss");
}
