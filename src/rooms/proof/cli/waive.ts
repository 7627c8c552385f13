import { commandFor } from "../../../commons/cli/command-for.ts";
import { plain } from "../../../platform/terminal/text.ts";
import type { showProof } from "../tools/show-proof.ts";
import type { waiveCriterion } from "../tools/waive-criterion.ts";
import { commandFacts, confirmAsPerson, ticketArgument } from "./shared.ts";

type Input = Parameters<typeof waiveCriterion.run>[1];

export const waive = commandFor<typeof waiveCriterion>({
  ...commandFacts,
  tool: "waive_criterion",
  name: "waive",
  aliases: ["ticket waive"],
  summary: "Waive a criterion until a date",
  details: "The ticket can then be completed without proof of it. Only a person can do this, on their own terminal.",
  examples: [['forge waive T-001 AC-2 --reason "No test device" --until 2030-01-31', "Waive it until then."]],
  arguments: [ticketArgument, { field: "criterion", required: true, help: "Its id, such as AC-1." }],
  options: { reason: { value: "TEXT" }, until: { value: "DATE" }, text: false },
  async toInput(given, { app, out, call, positionals: [id = "", criterion = ""] }) {
    // As it reads now: an assistant may have reworded it since the person last saw it, and may until they have answered.
    const { criteria } = await call<typeof showProof>("show_proof", { ticketId: id });
    const text = criteria.find((one) => one.id.toUpperCase() === criterion.toUpperCase())?.text ?? "";
    await confirmAsPerson(app, `Waive ${criterion} of ${id} ("${plain(text)}"): complete it without proof?`, out);
    return { ...(given as Input), text };
  },
  print: ({ ticketId, criterion, until }, out) =>
    out.print(`Waived ${plain(criterion)} of ${plain(ticketId)} until ${plain(until.slice(0, 10))}.`),
});
