import { isRecord } from "../../../../kernel/json.ts";
import type { Homes, Place } from "./homes.ts";
import { compact, lineOf, listOf, textOf } from "./loose.ts";
import type { OutlineCriterion } from "./outline.ts";

type CriteriaHome = NonNullable<Homes["criteria"]>;

export function outlineCriteria(
  places: [Place, unknown][],
): { value: OutlineCriterion[]; home: CriteriaHome } | undefined {
  for (const [place, value] of places) {
    const list = listOf(value);
    if (!list) continue;
    const ids = list.some((entry) => isRecord(entry) && textOf(entry["id"]) !== undefined);
    return { value: list.map(outlineCriterion), home: { in: place, as: list.some(isRecord) ? "parts" : "text", ids } };
  }
  return undefined;
}

function outlineCriterion(value: unknown): OutlineCriterion {
  if (!isRecord(value)) return { text: lineOf(value) };
  return {
    id: textOf(value["id"]),
    text: textOf(value["text"]),
    given: textOf(value["given"]),
    when: textOf(value["when"]),
    outcome: textOf(value["then"]),
    notes: textOf(value["notes"]) ?? textOf(value["implementationNotes"]),
  };
}

/** As the document has them: plain texts, or objects with the field names of their place. */
export function toDocumentCriteria(criteria: OutlineCriterion[], home: CriteriaHome): unknown[] {
  return criteria.map(({ id, text, given, when, outcome, notes }) => {
    const hasParts = given !== undefined || when !== undefined || outcome !== undefined || notes !== undefined;
    if (home.as === "text" && !hasParts) return text ?? "";
    const entries = Object.entries({ id: home.ids ? id : undefined, text, given, when });
    const notesName = home.in === "techSpec" ? "implementationNotes" : "notes";
    return compact(Object.fromEntries([...entries, ["then", outcome], [notesName, notes]])) ?? {};
  });
}

/** Where criteria belong if nothing is recorded. */
export function chooseCriteriaHome(criteria: OutlineCriterion[]): CriteriaHome {
  if (criteria.some(({ given, when, outcome, notes }) => (given ?? when ?? outcome ?? notes) !== undefined))
    return { in: "techSpec", as: "parts", ids: true };
  const counted = criteria.every(({ id }, index) => id === undefined || id === `AC-${index + 1}`);
  return { in: "ticket", as: counted ? "text" : "parts", ids: !counted };
}
