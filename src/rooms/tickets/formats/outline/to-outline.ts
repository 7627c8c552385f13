import { isRecord } from "../../../../kernel/json.ts";
import type { TicketDocument } from "../../model/ticket.ts";
import { outlineCriteria } from "./criteria.ts";
import { outlineFiles } from "./files.ts";
import type { Home, Homes, Place } from "./homes.ts";
import { compact, linesOf, listOf, objectOr, textOf } from "./loose.ts";
import type { Solution, Step, Test, Tests } from "./outline.ts";
import { type Endpoint, type FactName, type Facts, factPlaces, type Outline, type Problem } from "./outline.ts";

/** What can be shown of a document, and where each part was found. The top level wins over `techSpec`, as on reading. */
export function toOutline(document: TicketDocument): { outline: Outline; homes: Homes } {
  const techSpec = objectOr(document["techSpec"]);
  const both = (name: string): [Place, unknown][] => [
    ["ticket", document[name]],
    ["techSpec", techSpec[name]],
  ];
  const problem = findValue(both("problemStatement"), problemParts);
  const solution = findValue(both("solution"), solutionParts);
  const criteria = outlineCriteria(both("acceptanceCriteria"));
  const files = outlineFiles(document, techSpec);
  const api = findValue(both("apiChanges"), endpoints);
  const tests = findValue(both("testPlan"), testParts);
  const inScope = linesIn(both("inScope"));
  const outOfScope = linesIn(both("outOfScope"));
  const assignee = Object.hasOwn(document, "assignedTo") ? "assignedTo" : "assignee";
  return {
    outline: {
      title: textOf(document["title"]),
      facts: { ...factsOf(document), assignee: textOf(document[assignee]) },
      description: textOf(document["description"]),
      problem: problem?.value,
      solution: solution?.value,
      criteria: criteria?.value,
      files: files?.value,
      api: api?.value,
      dependencies: linesOf(techSpec["dependencies"]),
      tests: tests?.value,
      inScope: inScope?.value,
      outOfScope: outOfScope?.value,
      assumptions: linesOf(document["assumptions"]),
      designRefs: linesOf(document["designRefs"]),
      visualExpectations: textOf(techSpec["visualExpectations"]),
      designTokens: textOf(techSpec["designTokens"]),
    },
    homes: {
      problem: problem?.home,
      solution: solution?.home,
      criteria: criteria?.home,
      files: files?.home,
      api: api?.home,
      tests: tests?.home,
      inScope: inScope?.home,
      outOfScope: outOfScope?.home,
      assignee,
    },
  };
}

function factsOf(document: TicketDocument): Facts {
  const names = Object.keys(factPlaces) as (keyof typeof factPlaces)[];
  return Object.fromEntries(
    names.map((name): [FactName, string | undefined] => {
      let value: unknown = document;
      for (const key of factPlaces[name]) value = objectOr(value)[key];
      return [name, name === "qualityScore" && typeof value === "number" ? String(value) : textOf(value)];
    }),
  );
}

function findValue<T>(
  places: [Place, unknown][],
  partsOf: (value: unknown) => T | undefined,
): { value: string | T; home: Home } | undefined {
  for (const [place, value] of places) {
    const text = textOf(value);
    if (text !== undefined) return { value: text, home: { in: place, as: "text" } };
    const parts = partsOf(value);
    if (parts !== undefined) return { value: parts, home: { in: place, as: "parts" } };
  }
  return undefined;
}

function linesIn(places: [Place, unknown][]): { value: string[]; home: Place } | undefined {
  for (const [home, found] of places) {
    const value = linesOf(found);
    if (value) return { value, home };
  }
  return undefined;
}

function problemParts(value: unknown): Problem | undefined {
  const problem = objectOr(value);
  return compact({
    narrative: textOf(problem["narrative"]),
    whyItMatters: textOf(problem["whyItMatters"]),
    context: textOf(problem["context"]),
    assumptions: linesOf(problem["assumptions"]),
    constraints: linesOf(problem["constraints"]),
  });
}

function solutionParts(value: unknown): Solution | undefined {
  const solution = objectOr(value);
  return compact({ overview: textOf(solution["overview"]), steps: listOf(solution["steps"])?.map(step) });
}

function step(value: unknown): Step {
  if (!isRecord(value)) return { description: typeof value === "string" ? value : JSON.stringify(value) };
  return { description: textOf(value["description"]), file: textOf(value["file"]) };
}

function endpoints(value: unknown): Endpoint[] | undefined {
  return listOf(objectOr(value)["endpoints"])?.map((entry) => {
    const endpoint = objectOr(entry);
    return {
      method: textOf(endpoint["method"]),
      route: textOf(endpoint["route"]),
      authentication: textOf(endpoint["authentication"]),
      status: textOf(endpoint["status"]),
      description: textOf(endpoint["description"]),
      requestDto: textOf(endpoint["requestDto"]),
      responseDto: textOf(endpoint["responseDto"]),
    };
  });
}

function testParts(value: unknown): Tests | undefined {
  const plan = objectOr(value);
  return compact({
    summary: textOf(plan["summary"]),
    unitTests: listOf(plan["unitTests"])?.map(test),
    integrationTests: listOf(plan["integrationTests"])?.map(test),
    edgeCases: listOf(plan["edgeCases"])?.map(test),
  });
}

function test(value: unknown): Test {
  if (!isRecord(value)) return { description: typeof value === "string" ? value : JSON.stringify(value) };
  return {
    name: textOf(value["testName"]),
    file: textOf(value["testFile"]),
    description: textOf(value["description"]),
  };
}
