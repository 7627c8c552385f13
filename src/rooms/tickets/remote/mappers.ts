import { ForgeError } from "../../../kernel/errors.ts";
import { isRecord } from "../../../kernel/json.ts";
import type { TicketRecords } from "../model/records/schema.ts";
import { restoreShadowed } from "../model/shadowed-fields.ts";
import type { Ticket, TicketClaim, TicketDocument, TicketFacts, TicketPage, TicketSummary } from "../model/ticket.ts";
import { readFacts } from "../reading/facts.ts";
import { field, linesOf, present, textOf } from "../reading/loose.ts";
import { readContent } from "../reading/read-content.ts";
import { withoutFacts } from "../store/fact-columns.ts";
import { unexpectedAnswer } from "./errors.ts";

/** What a server sends, as tickets. It is read leniently: the server may be of another version or kind. */

/** Whether a server of this kind tracks who wrote a ticket; from others, such fields are the ticket's own text. */
type Authorship = "tracked" | "unknown";

export function ticketFromServer(sent: unknown, authorship: Authorship): Ticket {
  const document = documentIn(sent);
  const facts = factsIn(document, authorship);
  const rest = withoutFacts(restoreShadowed(document), facts);
  const claim = claimIn(document);
  const records = recordsIn(document, authorship);
  return { ...facts, ...readContent(document), document: rest, ...records, ...(claim && { claim }) };
}

function summaryFromServer(sent: unknown): TicketSummary {
  const document = documentIn(sent);
  const { createdBy: _, updatedBy: __, previousStatus: ___, ...facts } = factsIn(document, "tracked");
  const claim = claimIn(document);
  const labels = linesOf(document["labels"]);
  return {
    ...facts,
    ...(labels.length > 0 && { labels }),
    ...(document["unproven"] === true && { unproven: true as const }),
    ...(claim && { claim }),
  };
}

export function pageFromServer(sent: unknown): TicketPage {
  if (!isRecord(sent) || !Array.isArray(sent["tickets"])) throw unexpectedAnswer("a list of tickets");
  const nextCursor = textOf(sent["nextCursor"]);
  const { items: tickets, isComplete } = readEach(sent["tickets"], summaryFromServer);
  return { tickets, ...(nextCursor !== undefined && { nextCursor }), ...(!isComplete && { incomplete: true }) };
}

/** One entry that is not a ticket must not hide the others. */
export function readEach<T>(list: readonly unknown[], read: (sent: unknown) => T): { items: T[]; isComplete: boolean } {
  const items = list.flatMap((sent) => {
    try {
      return [read(sent)];
    } catch (error) {
      if (error instanceof ForgeError) return [];
      throw error;
    }
  });
  return { items, isComplete: items.length === list.length };
}

function factsIn(document: TicketDocument, authorship: Authorship): TicketFacts {
  const { warnings: _, id, title, status = "DRAFT", createdAt, updatedAt, ...others } = readFacts(document);
  if (id === undefined || title === undefined) throw unexpectedAnswer("a ticket");
  const changed = updatedAt ?? createdAt ?? new Date(0).toISOString();
  return {
    ...others,
    ...present({ updatedBy: textOf(field(document, "updatedBy")) }),
    id,
    title,
    status,
    createdAt: createdAt ?? changed,
    updatedAt: changed,
    revision: revisionIn(document) ?? Date.parse(changed),
    foreign: isForeign(document, authorship),
  };
}

/**
 * Everything on a server counts as written by others, unless the server tracked the author from the first word on. Who
 * created and who last changed a ticket does not tell who wrote in it in between.
 */
function isForeign(document: TicketDocument, authorship: Authorship): boolean {
  return authorship === "unknown" || document["authorship"] !== "tracked" || document["foreign"] !== false;
}

/** AEC servers have no revisions; there the time of the last change is used as one. */
function revisionIn(document: TicketDocument): number | undefined {
  const { revision } = document;
  return typeof revision === "number" && Number.isSafeInteger(revision) && revision >= 0 ? revision : undefined;
}

/** What a Forge server keeps beside the text; from other servers such fields are the ticket's own. */
function recordsIn({ records, blockedBy, unproven }: TicketDocument, authorship: Authorship) {
  if (authorship === "unknown") return {};
  return {
    ...(isRecord(records) && { records: records as TicketRecords }),
    ...(Array.isArray(blockedBy) && { blockedBy: linesOf(blockedBy) }),
    ...(unproven === true && { unproven: true as const }),
  };
}

function claimIn({ claim }: TicketDocument): TicketClaim | undefined {
  if (!isRecord(claim)) return undefined;
  const { holder, until } = claim;
  return typeof holder === "string" && typeof until === "string" ? { holder, until } : undefined;
}

function documentIn(sent: unknown): TicketDocument {
  if (isRecord(sent)) return sent;
  throw unexpectedAnswer("a ticket");
}
