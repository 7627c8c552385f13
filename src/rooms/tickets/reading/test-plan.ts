import { isRecord } from "../../../kernel/json.ts";
import { field, type Loose, parseStructured } from "./loose.ts";
import { block, bullets, inline, joinParts, paragraphs, section } from "./plain-text.ts";

/** The test plan as text. */
export function readTestPlan(value: unknown): string | undefined {
  const plan = parseStructured(value);
  if (Array.isArray(plan)) return tests(plan);
  if (!isRecord(plan)) return block(plan);
  const known = paragraphs(
    block(field(plan, "summary")),
    section("Unit tests", tests(field(plan, "unitTests"))),
    section("Integration tests", tests(field(plan, "integrationTests"))),
    section("Edge cases", tests(field(plan, "edgeCases"))),
    section("Notes", block(field(plan, "testingNotes"))),
    section("Coverage goal", block(field(plan, "coverageGoal"))),
  );
  return known ?? block(plan);
}

function tests(value: unknown): string | undefined {
  const given = parseStructured(value);
  if (!Array.isArray(given)) return block(given);
  return bullets(given.map((test) => (isRecord(test) ? testText(test) : inline(test))));
}

/** `logs out (test/logout.test.ts): what it shows; setup: …; action: …` */
function testText(test: Loose): string | undefined {
  const name = inline(field(test, "testName", "name"));
  const file = inline(field(test, "testFile", "file"));
  const rest = joinParts("; ", [
    inline(field(test, "description")),
    ...["setup", "action", "assertion", "dependencies"].map((part) => {
      const text = inline(field(test, part));
      return text && `${part}: ${text}`;
    }),
  ]);
  const head = name && file ? `${name} (${file})` : (name ?? file);
  return joinParts(": ", [head, rest]) ?? inline(test);
}
