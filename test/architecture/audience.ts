import type { Source } from "./plan.ts";
import { textsOf } from "./syntax.ts";

/** Parts of a definition that may name tools and commands: they are written for one reader. */
const forOneReader = new Set([
  "description",
  "title",
  "summary",
  "details",
  "examples",
  "guidance",
  "help",
  "describe",
]);
/** Folders whose texts only one surface shows. */
const ofOneSurface = /(?:^|\/)(?:cli|prompts|resources|guides|notes)\/|\/clients\/texts\.ts$/;
/** The name of a command alone is how a ledger or a claim calls its owner, not an instruction. */
const isOnlyName = /^forge [a-z-]+(?: …)?$/;
const zones = /^(?:rooms|commons)\//;

/**
 * Names of commands and tools in texts of rooms that every surface shows: errors and results carry actions as data, and
 * each host words them.
 */
export function audienceBreaches(
  sources: Source[],
  names: { tools: readonly string[]; commands: readonly string[] },
): string[] {
  const tool = anyOf("", names.tools);
  const command = anyOf("forge ", names.commands);
  return sources
    .filter(({ path }) => zones.test(path) && !ofOneSurface.test(path))
    .flatMap(({ path, text }) =>
      textsOf(text)
        .filter(
          ({ value, keys }) =>
            /\s/.test(value) && !isOnlyName.test(value) && !keys.some((key) => forOneReader.has(key)),
        )
        .flatMap(({ value }) => {
          const found = tool.exec(value)?.[0] ?? command.exec(value)?.[0];
          return found === undefined
            ? []
            : [`${path} names ${found} in "${value.slice(0, 80)}": carry an action instead`];
        }),
    );
}

/** Without names, nothing matches; an empty group would match every text. */
function anyOf(prefix: string, names: readonly string[]): RegExp {
  return names.length === 0 ? /(?!)/ : new RegExp(`\\b${prefix}(?:${names.join("|")})\\b`);
}
