import { isRecord } from "../../../kernel/json.ts";
import { visible } from "../../../kernel/text/visible.ts";
import { idPattern, limits, priorities, ticketTypes } from "../model/limits.ts";
import { parseStatus, type Status } from "../model/status.ts";
import type { TicketDocument } from "../model/ticket.ts";
import { isoDate } from "./dates.ts";
import { field, type Loose, present, recordOf, textOf } from "./loose.ts";

/** The facts of a ticket in a document from another program, and warnings about what could not be understood. */
export function readFacts(document: TicketDocument) {
  const top: Loose = isRecord(document) ? document : {};
  const warnings: string[] = [];
  const reader = new FactReader(top, warnings);
  const status = reader.status();
  return {
    ...present({
      id: reader.id("id"),
      slug: reader.id("slug"),
      title: reader.title(),
      status,
      previousStatus: status === "ARCHIVED" ? reader.previousStatus() : undefined,
      type: reader.oneOf("type", ticketTypes),
      priority: reader.oneOf("priority", priorities),
      assignee: reader.person("assignedTo", "assignee"),
      createdAt: reader.date("createdAt"),
      updatedAt: reader.date("updatedAt"),
      createdBy: reader.person("createdBy", "createdByName"),
    }),
    warnings,
  };
}

class FactReader {
  readonly #document: Loose;
  readonly #warnings: string[];

  constructor(document: Loose, warnings: string[]) {
    this.#document = document;
    this.#warnings = warnings;
  }

  id(name: string): string | undefined {
    const text = this.#text(name)?.trim();
    return text === undefined || idPattern.test(text) ? text : this.#noteIgnored(name, text);
  }

  title(): string | undefined {
    const spec = recordOf(field(this.#document, "techSpec")) ?? {};
    const title = storable(this.#text("title") ?? textOf(field(spec, "title")))
      ?.trim()
      .split(/\s+/)
      .join(" ");
    if (title === undefined || title.length <= limits.title) return title;
    this.#warnings.push(`The title has ${title.length} characters and was cut to ${limits.title}.`);
    // Cutting can leave half a surrogate pair at the end.
    return `${title.slice(0, limits.title - 1).replace(/[\ud800-\udbff]$/, "")}…`;
  }

  /**
   * Servers that use `executing`, `forged` and `approved` have no status for drift; there `driftDetectedAt` marks it. On
   * older ones, and here, DRIFTED is a status, so a `READY` with such a date is a drift that was resolved.
   */
  status(): Status | undefined {
    const name = this.#text("status");
    const later = name !== undefined && ["executing", "forged", "approved"].includes(name.trim().toLowerCase());
    if (later && field(this.#document, "driftDetectedAt")) return "DRIFTED";
    return this.#statusNamed("status", name);
  }

  previousStatus(): Status | undefined {
    const before = this.#statusNamed("previousStatus", this.#text("previousStatus", "previous_status"));
    return before === "ARCHIVED" ? undefined : before;
  }

  oneOf<Word extends string>(name: string, words: readonly Word[]): Word | undefined {
    const text = this.#text(name);
    const given = text?.trim().toLowerCase();
    return words.find((word) => word === given) ?? this.#noteIgnored(name, text);
  }

  date(name: string): string | undefined {
    const text = this.#text(name);
    return isoDate(text) ?? this.#noteIgnored(name, text);
  }

  person(...names: string[]): string | undefined {
    const given = field(this.#document, ...names);
    const person = storable(textOf(isRecord(given) ? field(given, "id", "displayName", "email") : given))?.trim();
    return person === undefined || person.length <= limits.name ? person : this.#noteIgnored(names[0] ?? "", person);
  }

  #statusNamed(name: string, text: string | undefined): Status | undefined {
    return text === undefined ? undefined : (parseStatus(text) ?? this.#noteIgnored(name, text));
  }

  /** A value that is not text is ignored with a warning. */
  #text(...names: string[]): string | undefined {
    const value = field(this.#document, ...names);
    const text = textOf(value);
    if (value !== undefined && text === undefined) this.#warnings.push(`${names[0]} is not text and was ignored.`);
    return text;
  }

  #noteIgnored(name: string, text: string | undefined): undefined {
    if (text === undefined) return;
    const quoted = visible(text.slice(0, 64));
    this.#warnings.push(`${name} "${quoted}${text.length > 64 ? "…" : ""}" was not understood and was ignored.`);
  }
}

/** PostgreSQL cannot store text that contains NUL. */
function storable(text: string | undefined): string | undefined {
  return text?.replaceAll("\0", "\u{fffd}");
}
