import { ForgeError } from "../../../../kernel/errors.ts";
import { didYouMean } from "../../../../kernel/text/closest.ts";
import { quoteVisible, visible } from "../../../../kernel/text/visible.ts";

export function forkNotFound(name: string, near: readonly string[]): ForgeError {
  return new ForgeError("NOT_FOUND", `No fork in this project is named ${quoteVisible(name)}.`, {
    details: { fork: name },
    next: [...didYouMean(name, near), { tool: "fractary_forge_fork_list", why: "to see all forks" }],
  });
}

export function mergeConflict(name: string, conflicts: readonly string[]): ForgeError {
  return new ForgeError(
    "CONFLICT_ERROR",
    `${quoteVisible(name)} and its upstream changed the same parts: ${conflicts.slice(0, 10).join(", ")}. Nothing was changed.`,
    {
      details: { fork: name, conflicts: [...conflicts] },
      next: [
        { command: `registry merge ${name} --strategy manual`, why: "to write both versions with conflict markers" },
        { command: `registry merge ${name} --strategy local`, why: "to keep your version of these parts" },
      ],
    },
  );
}

export function baseMissing(name: string, upstream: string): ForgeError {
  return new ForgeError(
    "DEPENDENCY_ERROR",
    `The version that ${quoteVisible(name)} was forked from (${visible(upstream)}) is not available.`,
    {
      details: { fork: name, upstream },
      next: ["Install that version into your global registry, or name another one as the base."],
    },
  );
}
