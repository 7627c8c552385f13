import type { TrustItem, TrustState } from "../../../commons/trust/trust-editor.ts";
import type { Style } from "../../../kernel/definitions/command.ts";
import { plain } from "../../../platform/terminal/text.ts";

const colours: Record<TrustItem["status"], keyof Style> = { trusted: "green", changed: "red", new: "yellow" };

/** In a few words. */
export function summarizeTrust({ trusted, since, by, items }: TrustState, style: Style): string {
  if (since === undefined) return style.yellow("not trusted");
  const given = `on ${since.slice(0, 10)} by ${plain(by ?? "")}`;
  if (trusted) return `${style.green("trusted")} ${given}`;
  const count = items.filter(({ status }) => status !== "trusted").length;
  return `${style.red("changed")} since it was trusted ${given}: ${count} ${count === 1 ? "script" : "scripts"}`;
}

/** Everything that may run, and how it differs from what was trusted. */
export function describeTrust({ items, gone, refused, problem }: TrustState, style: Style): string {
  const lines = items.flatMap(({ id, runs, sha256, status }) => [
    `  ${style[colours[status]](status.padEnd(7))}  ${style.bold(plain(id))}`,
    `           runs    ${plain(runs)}`,
    `           sha256  ${sha256}`,
  ]);
  return [
    ...(items.length > 0
      ? ["Scripts and hooks:", ...lines]
      : ["This project has no scripts or hooks that Forge would run."]),
    ...gone.map((id) => `  ${style.dim("gone   ")}  ${plain(id)}`),
    ...refused.map(({ id, why }) => `  ${style.red("refused")}  ${plain(id)}: ${plain(why)}`),
    ...(problem === undefined ? [] : [`${style.red("Ignored:")} ${plain(problem)}`]),
  ].join("\n");
}
