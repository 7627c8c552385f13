import type { Effort } from "../effort.ts";
import type { Row } from "../row.ts";
import type { Workshop } from "../workshop.ts";
import { measureTicketList } from "./ticket-list.ts";
import { makeTicketProjects } from "./ticket-projects.ts";
import { measureTicketReads } from "./ticket-reads.ts";

/** Filling the larger store takes most of the time, so everything that needs it is measured here. */
export async function measureTickets(workshop: Workshop, effort: Effort): Promise<{ rows: Row[]; samples: object }> {
  const projects = await makeTicketProjects(workshop, effort);
  const reads = await measureTicketReads(workshop, projects, effort);
  const list = await measureTicketList(workshop, projects, effort);
  return { rows: [...reads.rows, ...list.rows], samples: { reads: reads.samples, list: list.samples } };
}
