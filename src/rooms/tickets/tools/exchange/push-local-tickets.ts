import * as z from "zod";
import { defineTool } from "../../../../kernel/definitions/tool.ts";
import { limits } from "../../model/limits.ts";
import type { TicketServices } from "../../service/tickets.ts";

const id = z.string().max(limits.line);
const moved = z.array(z.object({ id, newId: id })).max(1_000_000);

export const pushLocalTickets = defineTool({
  name: "push_local_tickets",
  title: "Copy local tickets to the team's server",
  description:
    "Copies every ticket of this project's own store to the server that you are signed in to. A ticket keeps its id if it is free there, and gets a new one otherwise. The local tickets stay; each records where it went, so running it again copies only new tickets.",
  effect: "set",
  surfaces: ["cli"],
  deadlineMs: 3_600_000,
  input: z.object({}),
  output: z.object({ server: z.string().max(2_000), team: z.string().max(limits.line), moved, before: moved }),
  async run(services: TicketServices, _input, call) {
    const { pushLocal } = await import("../../remote/push-local.ts");
    return pushLocal(services, call);
  },
});
