import type { TestType } from "../test-run.ts";

const marks: [TestType, RegExp][] = [
  ["e2e", /^(e2e|end-?to-?end|cypress|playwright|acceptance)$/],
  ["performance", /^(perf|performance|bench|benches|benchmark|benchmarks|load|stress)$/],
  ["integration", /^(integration|integrations|it|system)$/],
];

/** By folders and by the words of a file's name; what cannot be told is a unit test. */
export function detectTestType(path: string): TestType {
  const parts = path.split("/").flatMap((part) => [part, ...splitWords(part)].map((word) => word.toLowerCase()));
  return marks.find(([, mark]) => parts.some((part) => mark.test(part)))?.[0] ?? "unit";
}

/** `checkout.e2e-spec.ts`, `load_test.go` and `OrderIT.java` alike. */
function splitWords(name: string): string[] {
  return name.replace(/([a-z0-9])([A-Z])/g, "$1 $2").split(/[^A-Za-z0-9]+/);
}
