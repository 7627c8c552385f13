import { isAbsolute, join } from "node:path";
import type { Action } from "../../../kernel/action.ts";
import { isRecord } from "../../../kernel/json.ts";
import { visible } from "../../../kernel/text/visible.ts";
import { entryAt } from "../../../platform/files/entry-at.ts";
import { realPlace } from "../../../platform/files/real-place.ts";
import { isInside } from "../../../platform/git/run/locate-repository.ts";
import type { ConfigPlace } from "../../../platform/state/config-file.ts";
import { serverNameTaken } from "../errors.ts";
import type { Draft } from "../service/draft.ts";
import type { ClientFile } from "./clients.ts";
import { EntryFile } from "./entry-format.ts";
import { forgeLaunchOf, judgeEntry, type Launch, type LaunchWish } from "./launch.ts";

export const serverName = "forge";

/** What the user should know about it, if anything. */
export type Remark = Action | undefined;

export type WantedEntry = { file: ClientFile; launch: Launch; wish: LaunchWish };

/** Puts Forge's entry into a client's file, or brings the one that is there up to date. */
export function putEntry(draft: Draft, { file, launch, wish }: WantedEntry): Remark {
  const entries = new EntryFile(file.format, draft.name, { key: file.key, name: serverName });
  const text = draft.text ?? "";
  const existing = entries.read(text);
  const entry = file.entry(launch);
  if (existing === undefined) {
    const { text: added, splices } = entries.add(text, entry);
    draft.add(added, splices, !entries.hasContainer(text), draft.found.text);
    return undefined;
  }
  const started = launchIn(existing);
  if (started === "by-url") return describeAddress(draft.name, existing);
  const verdict = started && !isOfProject(started, draft.place) && judgeEntry(started, launch, wish);
  if (!verdict || verdict === "stranger") throw serverNameTaken(draft.name, serverName);
  if (verdict === "outdated") update(draft, entries, entry, launch);
  // What this copy of Forge is not from: a registry may have something else under its name.
  const isFromRegistry = !wish.npx && forgeLaunchOf(started)?.by === "npx";
  const custom = [
    ...(verdict === "own" ? ["args"] : []),
    ...(isFromRegistry ? ["npx"] : []),
    ...listCustomKeys(existing),
  ];
  return describeCustom(draft.name, custom);
}

/** Whether a project's file starts a program that the project itself brings: whoever wrote the one wrote the other, too. */
function isOfProject({ command, args }: Launch, { base, owner }: ConfigPlace): boolean {
  if (owner !== "project") return false;
  const root = realPlace(base);
  const words = [command, ...args];
  const program = words.slice(0, words.indexOf("mcp"));
  // Npx starts a package that is installed in the project before any other.
  const isPackage = program.length > 1 && program.some((word) => word.startsWith("forge-mcp"));
  if (isPackage && entryAt(join(root, "node_modules", "forge-mcp"))) return true;
  return program.some((word) => isAbsolute(word) && isInside(realPlace(word), root));
}

/** On this machine it is `forge up`. */
function describeAddress(name: string, entry: unknown): Remark {
  const address = addressIn(entry);
  const host = address !== undefined && URL.canParse(address) ? new URL(address).hostname : "";
  if (["127.0.0.1", "localhost", "[::1]"].includes(host))
    return `${name} connects to Forge by URL. It was not changed.`;
  return `${name} has a server named ${serverName} at ${visible(host || "an unknown address").slice(0, 200)}. It was not changed. If you did not write it, look at it before you approve the server.`;
}

function addressIn(entry: unknown): string | undefined {
  const { url, httpUrl, serverUrl }: Record<string, unknown> = isRecord(entry) ? entry : {};
  return [url, httpUrl, serverUrl].find((value) => typeof value === "string");
}

/** What entries have that decides nothing about what is started. */
const harmlessKeys = new Set(
  "command args type tools disabled enabled timeout startup_timeout_sec startup_timeout_ms tool_timeout_sec description".split(
    " ",
  ),
);

/** Keys that Forge does not write and that have a value: variables, a folder, what needs no question. */
function listCustomKeys(entry: unknown): string[] {
  const isEmpty = (value: unknown) =>
    value === false || value === null || value === "" || (typeof value === "object" && Object.keys(value).length === 0);
  const fields = Object.entries(isRecord(entry) ? entry : {});
  return fields.filter(([key, value]) => !harmlessKeys.has(key) && !isEmpty(value)).map(([key]) => key);
}

/** The file may have come with the project, and the user is about to approve the server by its name. */
function describeCustom(name: string, keys: readonly string[]): Remark {
  if (keys.length === 0) return undefined;
  const shown = visible(keys.slice(0, 10).join(", ")).slice(0, 200);
  return `${name} starts Forge with custom settings (${shown}), which were not changed. If you did not write them, look at them before you approve the server: they can have it run something else.`;
}

/** If nothing else was changed since, the entry is written again, so that it can still be undone to the byte. */
function update(draft: Draft, entries: EntryFile, entry: ReturnType<ClientFile["entry"]>, launch: Launch): void {
  const { original, earlier } = draft;
  if (original === undefined || !earlier) {
    draft.change(entries.change(draft.text ?? "", { command: launch.command, args: launch.args }));
    return;
  }
  const { text, splices } = entries.add(original, entry);
  draft.add(text, splices, earlier.createdContainer, earlier.createdFile ? undefined : original);
}

/** Removes Forge's entry. One that starts or connects to something else stays. */
export function dropEntry(draft: Draft, file: ClientFile, fresh: string): Remark {
  if (draft.text === undefined) return undefined;
  const entries = new EntryFile(file.format, draft.name, { key: file.key, name: serverName });
  const existing = entries.read(draft.text);
  if (existing === undefined) return undefined;
  const started = launchIn(existing);
  if (!started || started === "by-url" || !forgeLaunchOf(started))
    return `${draft.name} has a server named ${serverName} that Forge did not add. It was not changed.`;
  const { original } = draft;
  if (original !== undefined) draft.remove(original, true);
  else if (draft.text === fresh && !draft.earlier) draft.text = undefined;
  else {
    const rest = entries.remove(draft.text, draft.earlier?.createdContainer ?? false);
    draft.remove(rest, /^\uFEFF?\s*(?:\{\s*\}\s*)?$/.test(rest));
  }
  return undefined;
}

function launchIn(entry: unknown): Launch | "by-url" | undefined {
  if (!isRecord(entry)) return undefined;
  const { command, args = [] } = entry;
  // With both, it depends on the client which one counts.
  if (addressIn(entry) !== undefined) return command === undefined ? "by-url" : undefined;
  if (typeof command !== "string" || !Array.isArray(args)) return undefined;
  return { command, args: args.map(String) };
}
