import type { TicketView } from "../data/types.ts";

/** What the form edits, all as text: criteria one per line. */
export type EditedFields = {
  title: string;
  description: string;
  problemStatement: string;
  solution: string;
  acceptanceCriteria: string;
  priority: string;
  type: string;
  assignee: string;
  labels: string;
  dependsOn: string;
};

export const fieldNames: Record<keyof EditedFields, string> = {
  title: "Title",
  description: "Description",
  problemStatement: "Problem",
  solution: "Solution",
  acceptanceCriteria: "Acceptance criteria, one per line",
  priority: "Priority",
  type: "Type",
  assignee: "Assignee",
  labels: "Labels",
  dependsOn: "Depends on",
};

const names = Object.keys(fieldNames) as (keyof EditedFields)[];

type Editable = Pick<
  TicketView,
  | "title"
  | "description"
  | "problemStatement"
  | "solution"
  | "criteria"
  | "priority"
  | "type"
  | "assignee"
  | "labels"
  | "dependsOn"
>;

export function fieldsOf(ticket: Editable): EditedFields {
  const { title, description = "", problemStatement = "", solution = "", criteria, priority = "", type = "" } = ticket;
  const acceptanceCriteria = criteria.map(({ text }) => text).join("\n");
  return {
    title,
    description,
    problemStatement,
    solution,
    acceptanceCriteria,
    priority,
    type,
    assignee: ticket.assignee ?? "",
    labels: ticket.labels.join(" "),
    dependsOn: ticket.dependsOn.join(" "),
  };
}

/** The fields that differ, as the server takes them. */
export function toChanges(base: EditedFields, mine: EditedFields): Record<string, unknown> {
  const changed = names.filter((name) => mine[name] !== base[name]);
  return Object.fromEntries(changed.map((name) => [name, toValue(name, mine[name])]));
}

function toValue(name: keyof EditedFields, text: string): unknown {
  if (name === "assignee") return text.trim() === "" ? null : text.trim();
  if (name === "labels" || name === "dependsOn") return text.split(/[\s,]+/).filter((word) => word !== "");
  if (name !== "acceptanceCriteria") return text;
  return text
    .split("\n")
    .map((line) => line.trim())
    .filter((line) => line !== "");
}

/** Three-way, field by field: a change of one side is taken; different changes of both are a conflict. */
export function mergeFields(
  base: EditedFields,
  mine: EditedFields,
  theirs: EditedFields,
): { merged: EditedFields; conflicts: { field: keyof EditedFields; theirs: string }[] } {
  const merged = { ...mine };
  const conflicts: { field: keyof EditedFields; theirs: string }[] = [];
  for (const field of names) {
    if (theirs[field] === base[field] || theirs[field] === mine[field]) continue;
    if (mine[field] === base[field]) merged[field] = theirs[field];
    else conflicts.push({ field, theirs: theirs[field] });
  }
  return { merged, conflicts };
}
