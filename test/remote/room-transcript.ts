import { isRecord } from "../../src/kernel/json.ts";

/** What an answer says apart from when, where on the disk and in which call. */
export function normalised(value: unknown, root: string): unknown {
  if (typeof value === "string") return plainText(value, root);
  if (Array.isArray(value)) return value.map((item) => normalised(item, root));
  if (value === null || typeof value !== "object") return value;
  const entries = Object.entries(value).filter(([, part]) => part !== undefined);
  return Object.fromEntries(
    entries.map(([name, part]) => [
      plainText(name, root),
      (measured.has(name) && typeof part === "number") || madeUp.has(name) ? `<${name}>` : normalised(part, root),
    ]),
  );
}

/** Numbers that no two runs share. */
const measured = new Set(["at", "changedAt", "durationMs", "expiresInMs", "seq"]);
/** Names that are made up anew, and places in a list that tell nobody but the list anything. */
const madeUp = new Set(["approval", "cursor", "nextCursor"]);

const differing: [RegExp, string][] = [
  [/\d{4}-\d\d-\d\d[T ]\d\d:\d\d:\d\d(?:\.\d+)?(?:Z|[+-]\d\d:\d\d)?/g, "<time>"],
  [/\b\d{4}-\d\d-\d\d \d\d:\d\d\b/g, "<time>"],
  [/[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}/g, "<uuid>"],
  // The mark of a connection, and the number of a process.
  [/(?:(?<=forge-execute)\.\d+)?#[0-9a-f]{12}\b/g, "#<mark>"],
  [/\bexec_[0-9a-f]{12}\b/g, "exec_<id>"],
  [/boundary="[0-9a-f]{32}"/g, 'boundary="<boundary>"'],
  [/forge approve [0-9a-f]{8}/g, "forge approve <approval>"],
  [/--cursor=\d+/g, "--cursor=<cursor>"],
  // Taking over a ticket of a team permits less: others can change it at any time.
  [
    /(?<=, and change it)(?: and (?:any file but protected ones|the files that it lists))? from then on without asking(?: \(files: \[[^\]]*\]\))?/g,
    " <what it permits>",
  ],
];

function plainText(text: string, root: string): string {
  const json = parsedJson(text);
  if (json !== undefined) return `JSON ${JSON.stringify(sorted(normalised(json, root)))}`;
  return differing.reduce((said, [pattern, word]) => said.replaceAll(pattern, word), text.replaceAll(root, "<root>"));
}

/** Whoever reads JSON does not see in which order its fields come. */
function sorted(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(sorted);
  if (value === null || typeof value !== "object") return value;
  const entries = Object.entries(value).sort(([a], [b]) => (a < b ? -1 : 1));
  return Object.fromEntries(entries.map(([name, part]) => [name, sorted(part)]));
}

function parsedJson(text: string): unknown {
  if (!/^\s*[[{]/.test(text)) return undefined;
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

/** Where two transcripts part, in a line each: a whole diff of long answers is not to be read. */
export function differencesBetween(own: unknown, teams: unknown, place = ""): string[] {
  if (typeof own === "string" && typeof teams === "string") {
    const [ownLines, teamsLines] = [own.split("\n"), teams.split("\n")];
    const line = ownLines.findIndex((text, index) => text !== teamsLines[index]);
    if (own === teams) return [];
    const at = line < 0 ? ownLines.length : line;
    return [`${place} line ${at + 1}: ${parting(ownLines[at], teamsLines[at])}`];
  }
  if (Array.isArray(own) && Array.isArray(teams)) return differencesBetween({ ...own }, { ...teams }, place);
  if (!isRecord(own) || !isRecord(teams)) {
    return Object.is(own, teams) ? [] : [`${place}: ${parting(JSON.stringify(own), JSON.stringify(teams))}`];
  }
  const names = [...new Set([...Object.keys(own), ...Object.keys(teams)])];
  return names.flatMap((name) => differencesBetween(own[name], teams[name], `${place}/${name.slice(0, 80)}`));
}

/** Both from a little before where they part. */
function parting(own = "nothing", teams = "nothing"): string {
  let same = 0;
  while (same < own.length && own[same] === teams[same]) same++;
  const from = Math.max(0, same - 60);
  return `own ${JSON.stringify(own.slice(from, from + 200))}, team's ${JSON.stringify(teams.slice(from, from + 200))}`;
}
