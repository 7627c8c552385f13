import type { OfferedToolset } from "../../../commons/cli/app.ts";
import { columnFor, definitions, sections, type Term } from "../../../commons/cli/print/help-layout.ts";
import type { Output } from "../../../kernel/definitions/command.ts";

type Offer = readonly OfferedToolset[];

/** `forge call` alone: every tool by toolset. */
export function listTools(offer: Offer, out: Output): void {
  const lists = offer.map(({ name, title, tools }) => ({ toolset: name, title, tools: tools.map(nameAndTitle) }));
  out.data(
    lists.filter(({ tools }) => tools.length > 0),
    (all) =>
      page(
        all.map(({ toolset, title, tools }) => [`${title} (${toolset}):`, tools.map(term)]),
        "Run `forge call TOOL --help` to see a tool's arguments.",
        out,
      ),
  );
}

export function listPrompts(offer: Offer, out: Output): void {
  const lists = offer.map(({ name, title, prompts }) => ({ toolset: name, title, prompts: prompts.map(nameAndTitle) }));
  out.data(
    lists.filter(({ prompts }) => prompts.length > 0),
    (all) =>
      all.length === 0
        ? "There are no prompts."
        : page(
            all.map(({ toolset, title, prompts }) => [`${title} (${toolset}):`, prompts.map(term)]),
            "Run `forge prompt NAME --help` to see a prompt's arguments.",
            out,
          ),
  );
}

export function listResources(offer: Offer, out: Output): void {
  const lists = offer.map(({ name, title, resources, resourceTemplates }) => ({
    toolset: name,
    title,
    resources: [
      ...resources.map(({ uri, title: text }) => ({ uri, title: text })),
      ...resourceTemplates.map(({ uriTemplate, title: text }) => ({ uri: uriTemplate, title: text })),
    ],
  }));
  out.data(
    lists.filter(({ resources }) => resources.length > 0),
    (all) =>
      page(
        all.map(({ toolset, title, resources }) => [
          `${title} (${toolset}):`,
          resources.map(({ uri, title: text }): Term => [uri, text]),
        ]),
        "Run `forge resource URI` to read one. Fill in the parts in braces.",
        out,
      ),
  );
}

function nameAndTitle({ name, title }: { name: string; title: string }) {
  return { name, title };
}

function term({ name, title }: { name: string; title: string }): Term {
  return [name, title];
}

function page(groups: [title: string, terms: Term[]][], hint: string, out: Output): string {
  const column = columnFor(groups.flatMap(([, terms]) => terms));
  return sections([...groups.map(([title, terms]) => definitions(title, terms, out, column)), [hint]]);
}
