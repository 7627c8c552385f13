/** One event of a server's stream. */
export type ServerEvent = { id: string | undefined; event: string; data: string };

const maxEventLength = 1_048_576;

/**
 * Events out of a stream of bytes, as the standard for server-sent events has them: fields in lines, an empty line after
 * each event, comments passed over. An event that does not end within bounds ends the stream.
 */
export async function* readEvents(chunks: AsyncIterable<Uint8Array>): AsyncGenerator<ServerEvent> {
  const decoder = new TextDecoder();
  let rest = "";
  for await (const chunk of chunks) {
    rest += decoder.decode(chunk, { stream: true });
    // A lone return at the end may be half of a line's end.
    const whole = rest.endsWith("\r") ? rest.slice(0, -1) : rest;
    const blocks = whole.split(/\r\n\r\n|\n\n|\r\r/);
    rest = `${blocks.pop() ?? ""}${rest.slice(whole.length)}`;
    for (const block of blocks) {
      const event = eventOf(block);
      if (event) yield event;
    }
    if (rest.length > maxEventLength) return;
  }
}

function eventOf(block: string): ServerEvent | undefined {
  const data: string[] = [];
  let id: string | undefined;
  let event = "message";
  for (const line of block.split(/\r\n|\n|\r/)) {
    const colon = line.indexOf(":");
    const name = colon === -1 ? line : line.slice(0, colon);
    const value = colon === -1 ? "" : line.slice(colon + 1).replace(/^ /, "");
    if (name === "data") data.push(value);
    else if (name === "id") id = value;
    else if (name === "event") event = value;
  }
  return data.length === 0 ? undefined : { id, event, data: data.join("\n") };
}
