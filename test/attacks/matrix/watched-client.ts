import { Client, InMemoryTransport } from "@modelcontextprotocol/client";
import { connectHost } from "../../../src/hosts/mcp/stdio/connect-host.ts";
import { type PlantedProject, plantedWords } from "./planted.ts";

export type WatchedClient = {
  client: Client;
  /** Everything with words by others that was sent before the guard knew of a reader. */
  tooEarly: string[];
  /** Texts with a live link, image or invisible character, beside the structured part of a result. */
  live: string[];
  /** Whether words by others were sent at all. */
  hasRead(): boolean;
  /** Whether a change of something that is the user's is asked for. */
  isHeld(): Promise<boolean>;
};

let count = 0;

const carrier = /\]\(https|<img|\p{Cf}/u;

/** Every text of a message, names included. */
function listTexts(value: unknown): string[] {
  if (typeof value === "string") return [value];
  if (value === null || typeof value !== "object") return [];
  return Object.entries(value).flatMap(([name, part]) =>
    name === "structuredContent" ? [] : [name, ...listTexts(part)],
  );
}

/** A new assistant. Each message from the server is looked at before it arrives; what repeats `given` does not count. */
export async function connectWatched(
  { host, program }: PlantedProject,
  isTrusted: boolean,
  given: unknown,
): Promise<WatchedClient> {
  const name = `reader-${++count}`;
  const { guard } = await program.store();
  const words = isTrusted ? plantedWords.others : [...plantedWords.others, ...plantedWords.repository];
  const said = JSON.stringify(given ?? {});
  const foreign = words.filter((word) => !said.includes(word));
  const tooEarly: string[] = [];
  const live: string[] = [];
  let hasRead = false;
  const [near, far] = InMemoryTransport.createLinkedPair();
  const send = far.send.bind(far);
  far.send = async (message, options) => {
    const text = JSON.stringify(message);
    if (foreign.some((word) => text.includes(word))) {
      hasRead = true;
      if (!(await guard.hasReadUntrusted(program.principal(name)))) tooEarly.push(text.slice(0, 600));
      live.push(...listTexts(message).filter((shown) => carrier.test(shown)));
    }
    return send(message, options);
  };
  connectHost(host, far, () => undefined);
  const client = new Client({ name, version: "1" }, { versionNegotiation: { mode: { pin: "2026-07-28" } } });
  await client.connect(near);
  return {
    client,
    tooEarly,
    live,
    hasRead: () => hasRead,
    async isHeld() {
      const title = `Ours ${++count}`;
      const result = await client.callTool({ name: "update_ticket", arguments: { ticketId: "T-008", title } });
      return result.isError === true && JSON.stringify(result.content).includes("PERMISSION_DENIED");
    },
  };
}
