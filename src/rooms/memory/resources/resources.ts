import { defineResource, matchUri } from "../../../kernel/definitions/resource.ts";
import { escapeContent, escapeText } from "../../../kernel/text/escape-text.ts";
import { orderFailures } from "../bmad/museum.ts";
import { collectionNotFound, fileNotFound } from "../model/errors.ts";
import { type Collection, collections, toView } from "../model/memory.ts";
import type { MemoryServices } from "../model/services.ts";
import { noteForeignFailures, noteForeignMemories, noteProjectText } from "../recall/note-foreign.ts";

const maxMemories = 200;
const maxCompletions = 100;

const files = defineResource<MemoryServices>({
  uri: "bmad://files",
  name: "bmad-files",
  untrusted: "repository",
  title: "BMAD files",
  description: "The BMAD files of this project: context, decisions, learnings, sprint status.",
  mimeType: "application/json",
  async read({ bmad }) {
    const paths = await bmad.files();
    return json({ files: paths.map((path) => ({ path, uri: `bmad://files/${encodeURIComponent(path)}` })) });
  },
  watch: ({ bmad }, _uri, changed) => bmad.watchFiles(undefined, changed),
});

const fileUri = "bmad://files/{path}";

const file = defineResource<MemoryServices>({
  uri: fileUri,
  name: "bmad-file",
  title: "BMAD file",
  description: "One of the BMAD files, as it is.",
  mimeType: "text/plain",
  async read(services, { path = "" }, call) {
    const text = await services.bmad.readFile(path);
    if (text === undefined) throw fileNotFound(path);
    await noteProjectText(services, call);
    return { text: escapeText(text).text };
  },
  complete: {
    path: async (services, typed, call) => {
      const paths = await services.bmad.files();
      if (paths.length > 0) await noteProjectText(services, call);
      return paths.filter((path) => path.startsWith(typed)).slice(0, maxCompletions);
    },
  },
  watch: ({ bmad }, uri, changed) => bmad.watchFiles(matchUri(fileUri, uri)?.["path"], changed),
});

const memories = defineResource<MemoryServices>({
  uri: "forge://memories/{collection}",
  name: "memories",
  title: "Memories",
  description: `The newest ${maxMemories} memories of a collection: ${collections.join(", ")}.`,
  mimeType: "application/json",
  async read(services, { collection = "" }, call) {
    const { memories: found } = await services.memories.list({
      type: requireCollection(collection),
      limit: maxMemories,
    });
    await noteForeignMemories(services, call, found);
    return json({ memories: found.map(toView) });
  },
  complete: { collection: (_, typed) => collections.filter((name) => name.startsWith(typed)) },
  watch: ({ memories: all }, _uri, changed) => all.watch(changed),
});

const museum = defineResource<MemoryServices>({
  uri: "forge://failures",
  name: "failures",
  title: "Failure museum",
  description: "Past failures and their lessons, most critical first.",
  mimeType: "application/json",
  async read(services, _variables, call) {
    const { failures } = await services.bmad.museum();
    if (failures.length > 0) await noteProjectText(services, call);
    const filed = await services.failures.list();
    await noteForeignFailures(services, call, filed);
    return json({ failures: orderFailures([...filed, ...failures]) });
  },
  watch: ({ memories: all }, _uri, changed) => all.watch(changed),
});

export const resources = [files, file, memories, museum];

function json(value: unknown): { text: string } {
  return { text: JSON.stringify(escapeContent(value).value) };
}

function requireCollection(name: string): Collection {
  const found = collections.find((collection) => collection === name);
  if (!found) throw collectionNotFound(name);
  return found;
}
