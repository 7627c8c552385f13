import type { Line } from "./lines.ts";

/** The sections of a ticket, in the order of the export: each heading, and other names that people use. */
export const sections = {
  problem: ["Problem Statement", "Problem"],
  solution: ["Solution"],
  criteria: ["Acceptance Criteria"],
  files: ["File Changes", "Files"],
  api: ["API Endpoints", "API Changes", "API"],
  dependencies: ["Dependencies & Packages", "Dependencies"],
  tests: ["Test Plan", "Testing", "Tests"],
  scope: ["Scope"],
  inScope: ["In Scope"],
  outOfScope: ["Out of Scope"],
  assumptions: ["Assumptions"],
  designRefs: ["Design References", "Designs"],
  description: ["Description"],
} as const satisfies Record<string, readonly [string, ...string[]]>;

export type SectionName = keyof typeof sections;

/** The same for headings within a section. */
export const parts = {
  problem: {
    whyItMatters: ["Why It Matters"],
    context: ["Context"],
    assumptions: ["Assumptions"],
    constraints: ["Constraints"],
  },
  solution: { steps: ["Steps"] },
  tests: {
    unitTests: ["Unit Tests"],
    integrationTests: ["Integration Tests"],
    edgeCases: ["Edge Cases"],
  },
  scope: { inScope: ["In Scope"], outOfScope: ["Out of Scope"] },
} as const;

type Names = Record<string, readonly string[]>;

export function nameIn<T extends Names>(names: T, heading: string): keyof T | undefined {
  const wanted = heading.trim().toLowerCase();
  return Object.keys(names).find((name) => names[name]?.some((known) => known.toLowerCase() === wanted));
}

/** The text of a heading of exactly this level; undefined if the line is not one. */
export function headingOf(line: string, level: number): string | undefined {
  const marks = "#".repeat(level);
  if (!line.startsWith(`${marks} `) && !line.startsWith(`${marks}\t`)) return undefined;
  return line.slice(level).trim() || undefined;
}

export function isSectionHeading(line: string): boolean {
  const heading = headingOf(line, 2);
  return heading !== undefined && nameIn(sections, heading) !== undefined;
}

/** The lines before the first of the named headings, and those under each. Other headings are part of the text. */
export function splitParts<T extends Names>(lines: Line[], names: T): { lead: Line[]; parts: Map<keyof T, Line[]> } {
  const lead: Line[] = [];
  const found = new Map<keyof T, Line[]>();
  let target = lead;
  for (const line of lines) {
    const heading = line.fenced ? undefined : headingOf(line.text, 3);
    const name = heading === undefined ? undefined : nameIn(names, heading);
    if (name === undefined) target.push(line);
    else {
      target = found.get(name) ?? [];
      found.set(name, target);
    }
  }
  return { lead, parts: found };
}
