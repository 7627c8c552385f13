import { once } from "node:events";
import { connect } from "node:net";
import { expect, onTestFinished, test, vi } from "vitest";
import * as z from "zod";
import { openRouteApp } from "../../../../test/harness/http/route-app.ts";
import { defineRoute } from "../../../kernel/definitions/route.ts";
import { listen } from "./listen.ts";

/** A server with one route that never answers by itself, and a client that has asked it. */
async function askForever(heeding: boolean) {
  let begun = () => {};
  const isRunning = new Promise<void>((resolve) => {
    begun = resolve;
  });
  const forever = defineRoute({
    method: "GET",
    path: "/forever",
    summary: "Waits.",
    scope: "public",
    effect: "read",
    names: "none",
    params: z.object({}),
    query: z.object({}),
    output: z.object({}),
    async run(_services: object, _input, call) {
      begun();
      if (heeding) await once(call.signal, "abort");
      else await new Promise(() => {});
      return {};
    },
  });
  const { app, records } = openRouteApp([forever]);
  const listening = await listen(app, { host: "127.0.0.1", port: 0 }, false);
  onTestFinished(() => listening.close());
  const socket = connect(Number(new URL(listening.url).port), "127.0.0.1");
  socket.write("GET /forever HTTP/1.1\r\nHost: localhost\r\n\r\n");
  await isRunning;
  return { socket, records };
}

test.each([
  ["that looks at its signal", true],
  ["that does not", false],
])("a request %s ends when its client closes the connection", async (_which, heeding) => {
  const { socket, records } = await askForever(heeding);
  expect(records).toEqual([]);
  socket.destroy();
  await vi.waitFor(() => expect(records).toMatchObject([{ name: "GET /forever", outcome: "cancelled" }]));
});
