import { ecosystems } from "../../../commons/code-index/languages.ts";
import type { Component } from "./components.ts";
import { compareRoles, findFrameworks } from "./frameworks.ts";

const maxPhrases = 5;

/** One line: `actix-web backend + react frontend`, `monorepo with 4 packages: fastify backend`, `rust library`. */
export function describeArchitecture(
  components: readonly Component[],
  main: Component | undefined,
  packages: number,
): string {
  if (!main) return "unknown (no known manifest)";
  const ordered = [main, ...components.filter((one) => one !== main)];
  const frameworks = ordered.flatMap(findFrameworks).sort(compareRoles);
  const phrases = [...new Set([...frameworks.map(({ label, role }) => `${label} ${role}`), ...describePlain(ordered)])];
  const some = phrases.slice(0, maxPhrases).join(" + ");
  const told = phrases.length > maxPhrases ? `${some} + ${phrases.length - maxPhrases} more` : some;
  return packages > 1 ? `monorepo with ${packages} packages: ${told}` : told;
}

/** The first package of each ecosystem without a known framework. */
function describePlain(components: readonly Component[]): string[] {
  return ecosystems.flatMap((ecosystem) => {
    const own = components.filter((one) => one.ecosystem === ecosystem);
    const [first] = own;
    if (!first || own.some((one) => findFrameworks(one).length > 0)) return [];
    const { type, kind } = own.find((one) => one.kind !== undefined) ?? first;
    return [`${type} ${kind ?? "package"}`];
  });
}
