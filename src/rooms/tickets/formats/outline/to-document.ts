import { isRecord } from "../../../../kernel/json.ts";
import type { TicketDocument } from "../../model/ticket.ts";
import { chooseCriteriaHome, toDocumentCriteria } from "./criteria.ts";
import { areLayered, chooseHome, toDocumentFiles } from "./files.ts";
import type { Home, Homes, Place } from "./homes.ts";
import { compact, isCount } from "./loose.ts";
import {
  type Endpoint,
  type FactName,
  factPlaces,
  type Outline,
  type Solution,
  type Test,
  type Tests,
} from "./outline.ts";

/** The document that an outline describes, each part in its home. */
export function toDocument(outline: Outline, homes: Homes): TicketDocument {
  const document: TicketDocument = {};
  const set = (path: readonly string[], value: unknown) => setAt(document, path, value);
  const setIn = (place: Place, name: string, value: unknown) =>
    set(place === "techSpec" ? ["techSpec", name] : [name], value);

  setFacts(outline, homes, set);
  set(["description"], outline.description);
  setIn(choosePlace(homes.problem, outline.problem), "problemStatement", problemValue(outline.problem));
  setIn(choosePlace(homes.solution, outline.solution), "solution", solutionValue(outline.solution));
  if (outline.criteria) {
    const home = homes.criteria ?? chooseCriteriaHome(outline.criteria);
    setIn(home.in, "acceptanceCriteria", toDocumentCriteria(outline.criteria, home));
  }
  setFiles(outline, homes, set);
  setIn(choosePlace(homes.api, outline.api), "apiChanges", apiValue(outline.api));
  setIn(choosePlace(homes.tests, outline.tests), "testPlan", testsValue(outline.tests));
  setIn(homes.inScope ?? "ticket", "inScope", outline.inScope);
  setIn(homes.outOfScope ?? "ticket", "outOfScope", outline.outOfScope);
  set(["techSpec", "dependencies"], outline.dependencies);
  set(["assumptions"], outline.assumptions);
  set(["designRefs"], outline.designRefs);
  set(["techSpec", "visualExpectations"], outline.visualExpectations);
  set(["techSpec", "designTokens"], outline.designTokens);
  set(["generationPreferences"], outline.generationPreferences);
  return document;
}

type SetValue = (path: readonly string[], value: unknown) => void;

function setFacts({ title, facts }: Outline, homes: Homes, set: SetValue): void {
  for (const [name, path] of Object.entries(factPlaces)) {
    const value = facts[name as FactName];
    set(path, name === "qualityScore" && value !== undefined && isCount(value) ? Number(value) : value);
    if (name === "id") set(["title"], title);
  }
  set([homes.assignee ?? "assignee"], facts.assignee);
}

function setFiles({ files, solution }: Outline, homes: Homes, set: SetValue): void {
  if (!files) return;
  const home = chooseHome(files, homes.files ?? (areLayered(files) ? "layers" : "ticket"));
  const solutionIsText = typeof solution === "string" && homes.solution?.in === "techSpec";
  if (home === "ticket") set(["fileChanges"], toDocumentFiles(files, home));
  else if (home === "layers") set(["techSpec", "layeredFileChanges"], toDocumentFiles(files, home));
  else if (home === "solution" && !solutionIsText)
    set(["techSpec", "solution", "fileChanges"], toDocumentFiles(files, home));
  else set(["techSpec", "fileChanges"], toDocumentFiles(files, "techSpec"));
}

/** By default text goes to the top level, and parts go where servers keep them. */
function choosePlace(home: Home | undefined, value: unknown): Place {
  return home?.in ?? (typeof value === "string" ? "ticket" : "techSpec");
}

function problemValue(problem: Outline["problem"]): unknown {
  return typeof problem === "object" ? compact(problem) : problem;
}

function solutionValue(solution: Outline["solution"]): unknown {
  if (solution === undefined || typeof solution === "string") return solution;
  return compact({ overview: solution.overview, steps: stepsValue(solution) });
}

function stepsValue({ steps }: Solution): unknown {
  return steps?.map(({ description, file }, index) => compact({ order: index + 1, description, file }));
}

function apiValue(api: string | Endpoint[] | undefined): unknown {
  return Array.isArray(api) ? { endpoints: api.map((endpoint) => compact(endpoint) ?? {}) } : api;
}

function testsValue(tests: string | Tests | undefined): unknown {
  if (tests === undefined || typeof tests === "string") return tests;
  return compact({
    summary: tests.summary,
    unitTests: tests.unitTests?.map((test) => testValue(test, "unit")),
    integrationTests: tests.integrationTests?.map((test) => testValue(test, "integration")),
    edgeCases: tests.edgeCases?.map((test) =>
      test.name === undefined && test.file === undefined ? (test.description ?? "") : testValue(test, undefined),
    ),
  });
}

function testValue({ name, file, description }: Test, type: string | undefined): unknown {
  return compact({ type, description, testFile: file, testName: name }) ?? {};
}

function setAt(document: TicketDocument, path: readonly string[], value: unknown): void {
  if (value === undefined) return;
  let target = document;
  for (const key of path.slice(0, -1)) {
    const next = target[key];
    if (isRecord(next)) target = next;
    else {
      const made: TicketDocument = {};
      target[key] = made;
      target = made;
    }
  }
  const last = path.at(-1);
  if (last !== undefined) target[last] = value;
}
