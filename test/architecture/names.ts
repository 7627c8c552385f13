import type { Source } from "./plan.ts";
import { type Node, nodesOf } from "./syntax.ts";

/** Nouns that happen to end in -ing. */
const nouns = new Set(["Embedding", "Warning", "Setting", "Finding", "Ranking", "Wording", "Keyring", "Learning"]);
const typeNodes = new Set(["ClassDeclaration", "TSInterfaceDeclaration", "TSTypeAliasDeclaration"]);
/** An error is named after what is wrong: `blockedByTickets`. */
const isErrorFile = /(?:^|\/)errors\.ts$/;
const badBound = /^(?:most|longest|usual|largest|biggest|shortest|fewest)[A-Z]/;
/** Past and present participles alone, or with a preposition: `shown`, `wantedIn`. With a noun they describe it: `missingFile`. */
const participle =
  /^(?:[a-z]+(?:ed|ing)|broken|built|chosen|done|drawn|found|given|held|hidden|kept|known|left|made|said|seen|sent|shown|taken|told|written)(?:(?:At|By|For|From|In|Of|On|To|Up|With)(?:[A-Z]\w*)?)?$/;
/** Verbs, nouns and prepositions that look like one. */
const noParticiple = /^(?:during|embed|feed|heading|need|nothing|ping|seed|string)(?![a-z])/;

/** Types that are named after an activity, functions that are named after a state, and bounds that nobody would search for. */
export function nameBreaches(sources: Source[]): string[] {
  return sources.flatMap(({ path, text }) =>
    nodesOf(text).flatMap((node) => {
      const name = declaredName(node);
      if (name === undefined) return [];
      if (typeNodes.has(node.type) && isGerund(name))
        return [`${path}: ${name} is an activity; name the thing that does it`];
      if (isFunction(node) && participle.test(name) && !noParticiple.test(name) && !isErrorFile.test(path))
        return [`${path}: ${name} is a state; name the function by a verb and its object`];
      return badBound.test(name) && !isMethod(node) ? [`${path}: ${name} is a bound; call it max… or default…`] : [];
    }),
  );
}

function isGerund(name: string): boolean {
  const last = /[A-Z][a-z0-9]*$/.exec(name)?.[0] ?? name;
  return /[a-z]ing$/.test(last) && !nouns.has(last);
}

/** Functions, methods, and constants that are arrow functions. */
function isFunction(node: Node): boolean {
  if (node.type === "VariableDeclarator") return typeOf(node["init"]) === "ArrowFunctionExpression";
  return node.type === "FunctionDeclaration" || isMethod(node);
}

function isMethod({ type, kind }: Node): boolean {
  return type === "MethodDefinition" && kind === "method";
}

function typeOf(value: unknown): unknown {
  return typeof value === "object" && value !== null && "type" in value ? value.type : undefined;
}

function declaredName(node: Node): string | undefined {
  const isDeclaration =
    typeNodes.has(node.type) || node.type === "VariableDeclarator" || node.type === "FunctionDeclaration";
  if (isMethod(node)) return nameIn(node["key"]);
  return isDeclaration ? nameIn(node["id"]) : undefined;
}

function nameIn(id: unknown): string | undefined {
  if (typeof id !== "object" || id === null) return undefined;
  return "name" in id && typeof id.name === "string" ? id.name : undefined;
}
