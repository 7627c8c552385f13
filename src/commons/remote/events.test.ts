import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { readEvents, type ServerEvent } from "./events.ts";

async function read(pieces: Iterable<Uint8Array>): Promise<ServerEvent[]> {
  async function* chunks() {
    yield* pieces;
  }
  const events: ServerEvent[] = [];
  for await (const event of readEvents(chunks())) events.push(event);
  return events;
}

const stream =
  ': open\n\nid: 7\nevent: activity\ndata: {"a":"ü"}\n\n: still here\n\ndata: one\ndata:two\r\n\r\nid: 9\n\n';

describe("server-sent events", () => {
  it("are the same however their bytes are cut", async () => {
    const bytes = Buffer.from(stream);
    await fc.assert(
      fc.asyncProperty(fc.array(fc.nat(bytes.length), { maxLength: 12 }), async (cuts) => {
        const places = [0, ...cuts.sort((a, b) => a - b), bytes.length];
        const pieces = places.slice(1).map((end, index) => bytes.subarray(places[index] ?? 0, end));
        expect(await read(pieces)).toEqual([
          { id: "7", event: "activity", data: '{"a":"ü"}' },
          { id: undefined, event: "message", data: "one\ntwo" },
        ]);
      }),
    );
  });

  it("end where one does not end within bounds", async () => {
    const endless = function* () {
      for (let chunk = 0; chunk < 100; chunk++) yield Buffer.from("data: ".padEnd(100_000, "x"));
      throw new Error("read on after the bound");
    };
    expect(await read(endless())).toEqual([]);
  });
});
