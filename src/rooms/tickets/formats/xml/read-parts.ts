import { compact } from "../outline/loose.ts";
import type { Endpoint, Problem, Solution, Test, Tests } from "../outline/outline.ts";
import type { Element } from "./tree.ts";
import { child, children, text, texts } from "./walk.ts";

type Form = "text" | "parts" | undefined;

/** As text if it is text, or if the document has text and no other part was added. */
export function problemIn(specification: Element, form: Form): string | Problem | undefined {
  const element = child(specification, "problemStatement");
  if (!element) return undefined;
  if (element.children.length === 0) return element.text.trim() || undefined;
  const problem = compact({
    narrative: text(element, "narrative"),
    whyItMatters: text(element, "whyItMatters"),
    context: text(element, "context"),
    assumptions: texts(element, "assumption"),
    constraints: texts(element, "constraint"),
  });
  return form === "text" && Object.keys(problem ?? {}).join() === "narrative" ? problem?.narrative : problem;
}

export function solutionIn(specification: Element, form: Form): string | Solution | undefined {
  const element = child(specification, "solution");
  if (!element) return undefined;
  if (element.children.length === 0) return element.text.trim() || undefined;
  const steps = children(element, "step").map((step) =>
    step.children.length > 0
      ? { description: text(step, "description"), file: text(step, "file") }
      : { description: step.text.trim() },
  );
  const solution = compact({ overview: text(element, "overview"), steps: steps.length > 0 ? steps : undefined });
  return form === "text" && Object.keys(solution ?? {}).join() === "overview" ? solution?.overview : solution;
}

export function endpointsIn(implementation: Element): string | Endpoint[] | undefined {
  const element = child(implementation, "apis");
  if (!element) return undefined;
  const endpoints = children(element, "endpoint").map((endpoint) => ({
    method: endpoint.attributes["method"],
    route: endpoint.attributes["route"],
    authentication: endpoint.attributes["auth"],
    status: endpoint.attributes["status"],
    description: text(endpoint, "description"),
    requestDto: text(endpoint, "requestDto"),
    responseDto: text(endpoint, "responseDto"),
  }));
  return endpoints.length > 0 ? endpoints : element.text.trim() || undefined;
}

export function testsIn(implementation: Element): string | Tests | undefined {
  const element = child(implementation, "testPlan");
  if (!element) return undefined;
  if (element.children.length === 0) return element.text.trim() || undefined;
  return compact({
    summary: text(element, "summary"),
    unitTests: testList(element, "unitTests"),
    integrationTests: testList(element, "integrationTests"),
    edgeCases: testList(element, "edgeCases"),
  });
}

function testList(plan: Element, name: string): Test[] | undefined {
  const tests = (child(plan, name)?.children ?? []).map((test) =>
    test.children.length > 0
      ? { name: text(test, "name"), file: text(test, "file"), description: text(test, "description") }
      : { description: test.text.trim() },
  );
  return tests.length > 0 ? tests : undefined;
}
