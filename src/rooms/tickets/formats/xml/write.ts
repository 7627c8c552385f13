import type { Endpoint, Outline, Problem, Solution, Test, Tests } from "../outline/outline.ts";
import { element, leaf, leaves, type Markup, verbatim } from "./markup.ts";

export const remainderElement = "forge:remainder";

/** The exported file: `ticket` of version 1.0, without empty elements. `remainder` comes last; other tools ignore it. */
export function writeXml(outline: Outline, remainder: string | undefined): string {
  const ticket = element("ticket", { version: "1.0" }, [
    ...element("metadata", {}, metadata(outline)),
    ...element("specification", {}, specification(outline)),
    ...element("implementation", {}, implementation(outline)),
    ...verbatim("designTokens", stringOrUndefined(outline.designTokens)),
    ...element("acceptanceCriteria", {}, criteria(outline)),
    ...verbatim(remainderElement, remainder, { "xmlns:forge": "urn:forge:ticket" }),
  ]);
  return `${['<?xml version="1.0" encoding="UTF-8"?>', ...ticket].join("\n")}\n`;
}

function metadata({ title, facts }: Outline): Markup[] {
  const { language, framework, packageManager } = facts;
  return [
    ...leaf("id", facts.id),
    ...leaf("title", title ?? "(untitled)"),
    ...leaf("type", facts.type),
    ...leaf("priority", facts.priority),
    ...leaf("status", facts.status),
    ...leaf("qualityScore", facts.qualityScore),
    ...leaf("createdAt", facts.createdAt),
    ...leaf("repository", facts.repository),
    ...leaf("branch", facts.branch),
    ...element("stack", {}, [
      ...leaf("language", language),
      ...leaf("framework", framework),
      ...leaf("packageManager", packageManager),
    ]),
    ...leaf("slug", facts.slug),
    ...leaf("assignee", facts.assignee),
    ...leaf("updatedAt", facts.updatedAt),
  ];
}

function specification(outline: Outline): Markup[] {
  return [
    ...problemStatement(outline.problem),
    ...solution(outline.solution),
    ...element("scope", {}, [...leaves("inScope", outline.inScope), ...leaves("outOfScope", outline.outOfScope)]),
    ...verbatim("description", outline.description),
    ...leaves("assumption", outline.assumptions),
    ...leaves("designRef", outline.designRefs),
  ];
}

function problemStatement(problem: string | Problem | undefined): Markup[] {
  const parts = typeof problem === "string" ? { narrative: problem } : (problem ?? {});
  return element("problemStatement", {}, [
    ...verbatim("narrative", parts.narrative),
    ...leaf("whyItMatters", parts.whyItMatters),
    ...leaf("context", parts.context),
    ...leaves("assumption", parts.assumptions),
    ...leaves("constraint", parts.constraints),
  ]);
}

function solution(value: string | Solution | undefined): Markup[] {
  const parts: Solution = typeof value === "string" ? { overview: value } : (value ?? {});
  const steps = (parts.steps ?? []).flatMap(({ description, file }, index) =>
    element("step", { order: String(index + 1) }, [...leaf("description", description), ...leaf("file", file)]),
  );
  return element("solution", {}, [...verbatim("overview", parts.overview), ...steps]);
}

function implementation({ files, api, dependencies, tests, visualExpectations }: Outline): Markup[] {
  const fileLines = (files ?? []).flatMap(({ path, action, layer, notes }) =>
    leaf("file", path, { action, layer, notes }),
  );
  return [
    ...element("files", {}, fileLines),
    ...(typeof api === "string" ? verbatim("apis", api) : element("apis", {}, (api ?? []).flatMap(endpoint))),
    ...element("dependencies", {}, leaves("dependency", dependencies)),
    ...(typeof tests === "string" ? verbatim("testPlan", tests) : testPlan(tests ?? {})),
    ...verbatim("visualExpectations", stringOrUndefined(visualExpectations)),
  ];
}

function endpoint(value: Endpoint): Markup[] {
  const { method, route, authentication, status } = value;
  const inside = [
    ...leaf("description", value.description),
    ...leaf("requestDto", value.requestDto),
    ...leaf("responseDto", value.responseDto),
  ];
  const lines = element("endpoint", { method, route, auth: authentication, status }, inside);
  return lines.length > 0 ? lines : ["<endpoint/>"];
}

function testPlan(tests: Tests): Markup[] {
  return element("testPlan", {}, [
    ...leaf("summary", tests.summary),
    ...element(
      "unitTests",
      {},
      (tests.unitTests ?? []).flatMap((test) => testLines(test, "unit")),
    ),
    ...element(
      "integrationTests",
      {},
      (tests.integrationTests ?? []).flatMap((test) => testLines(test, "integration")),
    ),
    ...element(
      "edgeCases",
      {},
      (tests.edgeCases ?? []).flatMap((test) => testLines(test, "edge-case")),
    ),
  ]);
}

function testLines({ name, file, description }: Test, type: string): Markup[] {
  return element("test", { type }, [...leaf("name", name), ...leaf("file", file), ...leaf("description", description)]);
}

function criteria({ criteria }: Outline): Markup[] {
  return (criteria ?? []).flatMap(({ id = "", text, given, when, outcome, notes }, index) => {
    const attributes = { id: id || `AC-${index + 1}` };
    const parts = [...leaf("given", given), ...leaf("when", when), ...leaf("then", outcome), ...leaf("notes", notes)];
    if (parts.length === 0) return leaf("criterion", text ?? "", attributes);
    return element("criterion", attributes, [...parts, ...leaf("text", text)]);
  });
}

function stringOrUndefined(value: unknown): string | undefined {
  return typeof value === "string" ? value : undefined;
}
