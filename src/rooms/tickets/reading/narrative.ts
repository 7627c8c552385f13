import { isRecord } from "../../../kernel/json.ts";
import { field, type Loose, parseStructured, recordOf, textOf } from "./loose.ts";
import { block, inline, joinParts, paragraphs, section } from "./plain-text.ts";

/** The problem as text, from a text or from its parts. */
export function readProblem(value: unknown): string | undefined {
  const problem = recordOf(value);
  if (!problem) return block(value);
  const known = paragraphs(
    block(field(problem, "narrative")),
    section("Why it matters", block(field(problem, "whyItMatters"))),
    section("Context", block(field(problem, "context"))),
    section("Assumptions", block(field(problem, "assumptions"))),
    section("Constraints", block(field(problem, "constraints"))),
  );
  return known ?? block(problem);
}

/** The solution as text. A list contains its steps; files in it are read as file changes. */
export function readSolution(value: unknown): string | undefined {
  const solution = parseStructured(value);
  if (Array.isArray(solution)) return numberSteps(solution);
  if (!isRecord(solution)) return block(solution);
  const steps = parseStructured(field(solution, "steps"));
  const known = paragraphs(
    block(field(solution, "overview")),
    section("Steps", Array.isArray(steps) ? numberSteps(steps) : block(steps)),
    section("Database changes", block(field(solution, "databaseChanges"))),
    section("Environment changes", block(field(solution, "environmentChanges"))),
  );
  if (known) return known;
  const { fileChanges: _, ...others } = solution;
  return block(others);
}

function numberSteps(steps: readonly unknown[]): string | undefined {
  const texts = sortSteps(steps).flatMap((step) => stepText(step) ?? []);
  return joinParts(
    "\n",
    texts.map((text, index) => `${index + 1}. ${text}`),
  );
}

/** By their numbers if each has one, else as listed. */
function sortSteps(steps: readonly unknown[]): readonly unknown[] {
  const ordered = steps.map((step) => ({ step, order: isRecord(step) ? field(step, "order") : undefined }));
  if (!ordered.every((item): item is { step: unknown; order: number } => typeof item.order === "number")) return steps;
  return ordered.sort((a, b) => a.order - b.order).map(({ step }) => step);
}

function stepText(step: unknown): string | undefined {
  if (!isRecord(step)) return inline(step);
  const description = inline(field(step, "description", "title", "text"));
  const place = describePlace(step);
  const head = description && place ? `${description} (${place})` : (description ?? place);
  if (!head) return inline(step);
  const snippet = textOf(field(step, "codeSnippet"));
  return snippet ? `${head}\n${indent(snippet)}` : head;
}

function describePlace(step: Loose): string | undefined {
  const lines = inline(field(step, "lineNumbers"));
  return joinParts(", ", [inline(field(step, "file")), lines && `lines ${lines}`]);
}

function indent(text: string): string {
  return `   ${text.replaceAll("\n", "\n   ")}`;
}
