import { defineResource } from "../../../kernel/definitions/resource.ts";
import { definitionNotFound } from "../client/errors.ts";
import { groupsOf } from "../client/places/definition-groups.ts";
import type { Kind } from "../client/types.ts";
import { noteForeign } from "../model/foreign.ts";
import type { RegistryServices } from "../services.ts";

const maxListed = 1_000;
const maxCompletions = 100;

const definitions = defineResource<RegistryServices>({
  uri: "fractary://definitions",
  name: "definitions",
  title: "Agents and tools",
  description: `The first ${maxListed} agents and tools on this machine, with the address of each.`,
  mimeType: "application/json",
  async read({ library }, _variables, call) {
    const groups = groupsOf(await library.open().store.all());
    const all = [...groups.agent.list, ...groups.tool.list];
    const shown = all.slice(0, maxListed);
    await noteForeign(call, shown);
    const listed = shown.map(({ kind, name, version, description, source }) => ({
      uri: uriOf(kind, name),
      kind,
      name,
      version,
      description,
      source,
    }));
    return { text: JSON.stringify({ total: all.length, definitions: listed }) };
  },
});

function definitionResource(kind: Kind) {
  return defineResource<RegistryServices>({
    uri: `fractary://${kind}s/{name}`,
    name: kind,
    title: kind === "agent" ? "Agent" : "Tool",
    description: `The file of one ${kind}, as it is. A scoped name is written with %2F.`,
    mimeType: "text/plain",
    async read({ library }, { name = "" }, call) {
      const { resolver, store } = library.open();
      const found = await resolver.resolve(kind, { name }, call.signal);
      if (found.source === "stockyard") throw definitionNotFound(kind, name);
      await noteForeign(call, [found]);
      return { text: await store.text(found.path) };
    },
    complete: {
      name: async ({ library }, typed, call) => {
        const { list } = groupsOf(await library.open().store.all())[kind];
        await noteForeign(call, list);
        return complete(list, typed);
      },
    },
  });
}

const plugin = defineResource<RegistryServices>({
  uri: "fractary://plugins/{name}",
  name: "plugin",
  title: "Plugin manifest",
  description: "The manifest of one installed plugin, and what it contains.",
  mimeType: "application/json",
  untrusted: "others",
  async read({ library }, { name = "" }, call) {
    return { text: JSON.stringify(await library.open().plugins.info({ plugin: name }, call.signal)) };
  },
  complete: { name: async ({ library }, typed) => complete((await library.open().store.all()).plugins, typed) },
});

export const resources = [definitions, definitionResource("agent"), definitionResource("tool"), plugin];

function complete(items: readonly { name: string }[], typed: string): string[] {
  return [...new Set(items.map(({ name }) => name))].filter((name) => name.startsWith(typed)).slice(0, maxCompletions);
}

function uriOf(kind: Kind, name: string): string {
  return `fractary://${kind}s/${encodeURIComponent(name)}`;
}
