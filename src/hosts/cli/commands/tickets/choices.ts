import type { NewQuestion, TicketDraft, TicketFilter } from "../../../../rooms/tickets/model.ts";

/** The model's own lists come with zod, which no start can afford; a test holds these to them. */

export const priorities = ["low", "medium", "high", "urgent"] as const satisfies NonNullable<
  TicketFilter["priority"]
>[];

export const ticketTypes = ["feature", "bug", "task"] as const satisfies NonNullable<TicketFilter["type"]>[];

export const questionCategories = ["scope", "acceptance", "technical", "intent", "risk"] as const satisfies NonNullable<
  NewQuestion["category"]
>[];

export const fileActions = ["create", "modify", "delete"] as const satisfies NonNullable<
  TicketDraft["fileChanges"]
>[number]["action"][];

/** An option's value as one of its choices, which the parser has seen to. */
export function choiceOf<const T extends string>(choices: readonly T[], value: string | undefined): T | undefined {
  return choices.find((choice) => choice === value);
}
