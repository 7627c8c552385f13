import { commandFor } from "../../../commons/cli/command-for.ts";
import { localTime } from "../../../commons/cli/print/local-time.ts";
import { plain } from "../../../platform/terminal/text.ts";
import type { claimTicket } from "../tools/claim-ticket.ts";
import { completeTicket, ticketArgument, ticketSettings } from "./ticket-argument.ts";

export const claim = commandFor<typeof claimTicket>({
  tool: "claim_ticket",
  name: "claim",
  aliases: ["ticket claim"],
  summary: "Claim a ticket, so that no assistant changes it",
  details:
    "While you have the claim, assistants cannot change the ticket. It expires by itself; claim again to renew it. An unassigned ticket is assigned to you.",
  examples: [["forge claim T-001 --minutes 60", "Claim it for an hour."]],
  settings: ticketSettings,
  group: "tickets",
  arguments: [ticketArgument],
  options: { minutes: { help: "How long the claim lasts (default: 30)." }, release: false },
  complete: completeTicket,
  print({ ticketId, until = "" }, out) {
    out.print(`Claimed ${plain(ticketId)} until ${plain(localTime(until))}.`);
  },
});

export const release = commandFor<typeof claimTicket>({
  tool: "claim_ticket",
  name: "release",
  aliases: ["ticket release"],
  summary: "Release the claim on a ticket",
  details: "Ends your claim, or that of an assistant, so that others can change the ticket.",
  examples: [["forge release T-001", "Let others change it again."]],
  settings: ticketSettings,
  group: "tickets",
  arguments: [ticketArgument],
  only: true,
  fixed: { release: true },
  complete: completeTicket,
  print({ ticketId }, out) {
    out.print(`Released ${plain(ticketId)}.`);
  },
});
