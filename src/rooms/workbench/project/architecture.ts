import { ecosystems } from "../../../commons/code-index/languages.ts";
import type { Component } from "./components.ts";
import { byRole, frameworksOf } from "./frameworks.ts";

const mostPhrases = 5;

/** One line: `actix-web backend + react frontend`, `monorepo with 4 packages: fastify backend`, `rust library`. */
export function architectureOf(
  components: readonly Component[],
  main: Component | undefined,
  packages: number,
): string {
  if (!main) return "no manifest that Forge knows";
  const ordered = [main, ...components.filter((one) => one !== main)];
  const frameworks = ordered.flatMap(frameworksOf).sort(byRole);
  const phrases = [
    ...new Set([...frameworks.map(({ label, role }) => `${label} ${role}`), ...withoutFramework(ordered)]),
  ];
  const some = phrases.slice(0, mostPhrases).join(" + ");
  const told = phrases.length > mostPhrases ? `${some} + ${phrases.length - mostPhrases} more` : some;
  return packages > 1 ? `monorepo with ${packages} packages: ${told}` : told;
}

/** Of each kind of package that no framework is known of, the first. */
function withoutFramework(components: readonly Component[]): string[] {
  return ecosystems.flatMap((ecosystem) => {
    const own = components.filter((one) => one.ecosystem === ecosystem);
    const [first] = own;
    if (!first || own.some((one) => frameworksOf(one).length > 0)) return [];
    const { type, kind } = own.find((one) => one.kind !== undefined) ?? first;
    return [`${type} ${kind ?? "package"}`];
  });
}
