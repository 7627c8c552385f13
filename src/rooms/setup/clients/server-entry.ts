import type { Action } from "../../../kernel/action.ts";
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
  if (started === "by-url") return `${draft.name} connects to Forge by URL. It was not changed.`;
  const verdict = started && judgeEntry(started, launch, wish);
  if (verdict === "right") return undefined;
  if (verdict === "own") return `${draft.name} starts Forge with custom options. It was not changed.`;
  if (verdict !== "outdated") throw serverNameTaken(draft.name, serverName);
  update(draft, entries, entry, launch);
  return undefined;
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
  if (typeof entry !== "object" || entry === null) return undefined;
  const { command, args = [], url, httpUrl, serverUrl }: Record<string, unknown> = { ...entry };
  if ([url, httpUrl, serverUrl].some((value) => typeof value === "string")) return "by-url";
  if (typeof command !== "string" || !Array.isArray(args)) return undefined;
  return { command, args: args.map(String) };
}
