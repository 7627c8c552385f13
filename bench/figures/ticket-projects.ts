import { join } from "node:path";
import type { Effort } from "../effort.ts";
import { makeTickets } from "../ticket-store.ts";
import type { Workshop } from "../workshop.ts";

export type TicketProject = { name: string; folder: string; tickets: number };
export type TicketProjects = { few: TicketProject; many: TicketProject };

/** Without git, whose time is measured elsewhere. */
export async function makeTicketProjects({ folder }: Workshop, { tickets }: Effort): Promise<TicketProjects> {
  const project = async (name: string, count: number): Promise<TicketProject> => ({
    name: `${count.toLocaleString("en")} tickets`,
    folder: await makeTickets(join(folder, name), count),
    tickets: count,
  });
  return { few: await project("few-tickets", tickets.few), many: await project("many-tickets", tickets.many) };
}
