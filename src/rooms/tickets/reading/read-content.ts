import { isRecord } from "../../../kernel/json.ts";
import { canonicalId } from "../model/ids.ts";
import { idPattern, labelPattern, limits } from "../model/limits.ts";
import type { TicketContent, TicketDocument } from "../model/ticket.ts";
import { readApiChanges } from "./api-changes.ts";
import { readChangeRecord } from "./change-record.ts";
import { readCriteria } from "./criteria.ts";
import { isoDate } from "./dates.ts";
import { readFileChanges } from "./file-changes.ts";
import { field, type Loose, linesOf, present, recordOf, textOf } from "./loose.ts";
import { readProblem, readSolution } from "./narrative.ts";
import { readQuestions, readReviewSession } from "./questions.ts";
import { readTestPlan } from "./test-plan.ts";

/**
 * The content of a ticket in any current or legacy form: fields at the top level, else those in `techSpec`. What cannot be
 * understood is left out; it never throws.
 */
export function readContent(document: TicketDocument): TicketContent {
  const top: Loose = isRecord(document) ? document : {};
  const spec = recordOf(field(top, "techSpec")) ?? {};
  const either = (name: string, read: (value: unknown) => string | undefined) =>
    read(field(top, name)) ?? read(field(spec, name));
  const lines = (name: string) => {
    const own = linesOf(field(top, name), "text", "description", "title");
    return own.length > 0 ? own : linesOf(field(spec, name), "text", "description", "title");
  };
  return {
    ...present({
      description: textOf(field(top, "description")),
      problemStatement: either("problemStatement", readProblem),
      solution: either("solution", readSolution),
      apiChanges: either("apiChanges", readApiChanges),
      testPlan: either("testPlan", readTestPlan),
      reviewSession: readReviewSession(field(top, "reviewSession")),
      changeRecord: readChangeRecord(field(top, "changeRecord")),
      repository: repositoryOf(top),
      branch: textOf(field(top, "implementationBranch")),
      imported: readImported(field(top, "imported")),
    }),
    criteria: readCriteria(top, spec),
    fileChanges: readFileChanges(top, spec),
    designRefs: designsOf(top),
    assumptions: linesOf(field(top, "assumptions"), "text", "description", "title"),
    inScope: lines("inScope"),
    outOfScope: lines("outOfScope"),
    labels: labelsOf(top),
    dependsOn: dependenciesOf(top),
    questions: readQuestions(top, spec),
  };
}

/** What only the server sets, as the file had it. */
function readImported(value: unknown): TicketContent["imported"] {
  if (!isRecord(value)) return undefined;
  const said = present({
    author: textOf(field(value, "author"))?.slice(0, limits.name),
    createdAt: isoDate(textOf(field(value, "createdAt"))),
    updatedAt: isoDate(textOf(field(value, "updatedAt"))),
  });
  return Object.keys(said).length === 0 ? undefined : said;
}

/** Those that Forge could have set itself; another program's labels may have spaces, which become hyphens. */
function labelsOf(document: Loose): string[] {
  const words = linesOf(field(document, "labels"), "name", "title").map((label) =>
    label.trim().replaceAll(/\s+/g, "-"),
  );
  const usable = words.filter((label) => label.length <= limits.label && labelPattern.test(label));
  return [...new Set(usable)].slice(0, limits.labels);
}

/** As many as Forge sets itself: lists show them, and for each of them other tickets are looked up. */
function dependenciesOf(document: Loose): string[] {
  const ids = linesOf(field(document, "dependsOn"), "id").filter((id) => idPattern.test(id));
  return [...new Set(ids.map(canonicalId))].slice(0, limits.labels);
}

/** The URL comes first. */
function designsOf(document: Loose): string[] {
  const given = field(document, "designRefs", "designReferences");
  const designs = Array.isArray(given) ? given : [given];
  return designs.flatMap((design) => {
    if (!isRecord(design)) return linesOf(design);
    const [url, title] = [textOf(field(design, "url")), textOf(field(design, "title", "name"))];
    return url && title ? `${url} (${title})` : (url ?? title ?? []);
  });
}

function repositoryOf(document: Loose): string | undefined {
  const [first] = linesOf(field(document, "repositories"), "repositoryFullName", "fullName", "name");
  const context = recordOf(field(document, "repositoryContext")) ?? {};
  return textOf(field(context, "repositoryFullName")) ?? textOf(field(document, "repository")) ?? first;
}
