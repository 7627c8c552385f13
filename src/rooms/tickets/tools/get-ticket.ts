import * as z from "zod";
import { defineTool } from "../../../kernel/definitions/tool.ts";
import { aboutTicket } from "../model/ids.ts";
import { ticketViewWithHistory } from "../model/ticket/ticket-view.ts";
import { toCriterionState, toView } from "../model/ticket/to-view.ts";
import { ticketId } from "../model/ticket-fields.ts";
import { readProof } from "../service/ports/require-proof.ts";
import { settleWork } from "../service/ports/settle-work.ts";
import type { TicketServices } from "../service/tickets.ts";

export const getTicket = defineTool({
  name: "get_ticket",
  title: "Show a ticket",
  description: "A ticket in full: its text, its status and allowed moves, its questions, and who has claimed it.",
  effect: "read",
  surfaces: ["cli"],
  input: z.object({ ticketId, history: z.boolean().optional().describe("Also show its history, oldest event first") }),
  output: ticketViewWithHistory,
  about: aboutTicket,
  async run(services: TicketServices, { ticketId: given, history = false }, call) {
    const { tickets, workbench } = services;
    const ticket = await settleWork(services, call, await tickets.get(given, { partly: true }));
    const tasks = (await (await workbench())?.tasksOf(call, ticket.id)) ?? [];
    const proof = await readProof(services, ticket, call);
    return {
      ...toView(ticket),
      ...(proof && { proof: proof.map(toCriterionState) }),
      ...(tasks.length > 0 && { tasks }),
      ...(history && { history: await tickets.history(ticket.id) }),
    };
  },
});
