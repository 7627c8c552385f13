import { excerpt } from "../../../../kernel/text/excerpt.ts";
import { areLayered } from "../outline/files.ts";
import type { Homes } from "../outline/homes.ts";
import { compact } from "../outline/loose.ts";
import type { FileLine, Outline, OutlineCriterion } from "../outline/outline.ts";

import { endpointsIn, problemIn, solutionIn, testsIn } from "./read-parts.ts";
import type { Element } from "./tree.ts";
import { child, children, generic, text, texts } from "./walk.ts";
import { remainderElement } from "./write.ts";

/** Reads both forms: the exported file, and the short one with everything directly in `ticket`. */
export function readXml(ticket: Element, known: Homes): { outline: Outline; homes: Homes; warnings: string[] } {
  const metadata = child(ticket, "metadata") ?? ticket;
  const specification = child(ticket, "specification") ?? ticket;
  const implementation = child(ticket, "implementation") ?? ticket;
  const stack = child(metadata, "stack");
  const scope = child(specification, "scope") ?? specification;
  const files = filesIn(implementation);
  const criteria = criteriaIn(ticket);
  const outline: Outline = {
    title: text(metadata, "title"),
    facts: {
      id: text(metadata, "id") ?? ticket.attributes["id"],
      slug: text(metadata, "slug"),
      type: text(metadata, "type"),
      priority: text(metadata, "priority"),
      status: text(metadata, "status") ?? ticket.attributes["status"],
      qualityScore: text(metadata, "qualityScore"),
      createdAt: text(metadata, "createdAt"),
      updatedAt: text(metadata, "updatedAt"),
      assignee: text(metadata, "assignee"),
      repository: text(metadata, "repository"),
      branch: text(metadata, "branch"),
      language: stack && text(stack, "language"),
      framework: stack && text(stack, "framework"),
      packageManager: stack && text(stack, "packageManager"),
    },
    description: text(specification, "description") ?? text(ticket, "description"),
    problem: problemIn(specification, known.problem?.as),
    solution: solutionIn(specification, known.solution?.as),
    criteria,
    files,
    api: text(implementation, "apiChanges") ?? endpointsIn(implementation),
    dependencies: texts(child(implementation, "dependencies"), "dependency"),
    tests: testsIn(implementation),
    inScope: texts(scope, "inScope"),
    outOfScope: texts(scope, "outOfScope"),
    assumptions: texts(specification, "assumption"),
    designRefs: texts(specification, "designRef"),
    visualExpectations: generic(child(implementation, "visualExpectations")),
    designTokens: generic(child(ticket, "designTokens")),
    generationPreferences: generic(child(metadata, "generationPreferences")),
  };
  return { outline, homes: { ...defaults(ticket, outline), ...known }, warnings: notUnderstood(ticket) };
}

/** The exported form comes from a server, so its files and scope are in the server's places. */
function defaults(ticket: Element, { files }: Outline): Homes {
  if (!child(ticket, "metadata")) return {};
  return { files: areLayered(files ?? []) ? "layers" : "techSpec", inScope: "techSpec", outOfScope: "techSpec" };
}

function filesIn(implementation: Element): FileLine[] | undefined {
  const exported = children(child(implementation, "files"), "file").map((file) => ({
    path: file.text.trim(),
    action: file.attributes["action"],
    notes: file.attributes["notes"],
    layer: file.attributes["layer"],
  }));
  const short = children(child(implementation, "fileChanges"), "change").map((change) => ({
    path: change.attributes["path"] ?? "",
    action: change.attributes["action"],
    notes: change.text.trim() || undefined,
  }));
  const files = [...exported, ...short];
  return files.length > 0 ? files : undefined;
}

function criteriaIn(ticket: Element): OutlineCriterion[] | undefined {
  const all = (child(ticket, "acceptanceCriteria")?.children ?? []).filter(({ name }) =>
    ["criterion", "item"].includes(name),
  );
  const criteria = all.map((criterion) => ({
    id: criterion.attributes["id"],
    ...compact({
      given: text(criterion, "given"),
      when: text(criterion, "when"),
      outcome: text(criterion, "then"),
      notes: text(criterion, "notes"),
      text: text(criterion, "text") ?? (criterion.text.trim() || undefined),
    }),
  }));
  return criteria.length > 0 ? criteria : undefined;
}

const understood = new Set(
  `metadata specification implementation designTokens acceptanceCriteria ${remainderElement} id title type priority
  status qualityScore createdAt updatedAt assignee slug repository branch generationPreferences stack problemStatement solution scope
  inScope outOfScope description assumption designRef files apis dependencies testPlan visualExpectations fileChanges apiChanges`.split(
    /\s+/,
  ),
);

function notUnderstood(ticket: Element): string[] {
  const sections = ticket.children.filter(({ name }) => ["metadata", "specification", "implementation"].includes(name));
  return [ticket, ...sections]
    .flatMap((section) => section.children)
    .filter(({ name }) => !understood.has(name))
    .map(({ name, line }) => `<${excerpt(name)}> on line ${line} is not part of a ticket and was left out.`);
}
