import { fork } from "node:child_process";
import { once } from "node:events";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, it, onTestFinished } from "vitest";
import { listen } from "../../src/hosts/http/serve/listen.ts";
import { localPrincipal } from "../../src/kernel/principal.ts";
import { bundleProgram } from "../harness/cli/bundle-program.ts";
import { failureOf } from "../harness/http/fetching.ts";
import { openServerWithPeople } from "../harness/http/team-server.ts";
import { by } from "../harness/rooms/tickets/tickets.ts";
import { Laptop } from "./laptop.ts";

it("a program that was killed does not keep its ticket from the next one on that machine, and only from that", async () => {
  const folder = mkdtempSync(join(tmpdir(), "forge-held-"));
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
  const { app, token, end } = await openServerWithPeople({ file: join(folder, ".forge", "forge.db") });
  const listening = await listen(app, { host: "127.0.0.1", port: 0 }, false);
  onTestFinished(async () => {
    end();
    await listening.close();
  });
  const api = `${listening.url}/api`;
  const [laptop, another] = [new Laptop(), new Laptop()];
  const tickets = laptop.tickets(laptop.server(api, { token }));
  await tickets.create(by(), { title: "Held" });
  const worker = await bundleProgram(new URL("./claim-keeper-worker.ts", import.meta.url));
  const child = fork(worker, [api, laptop.home, token, "T-001"], { execArgv: [] });
  onTestFinished(() => void child.kill("SIGKILL"));
  expect((await once(child, "message"))[0]).toBe("held");
  const me = localPrincipal("ada", "forge");
  expect(await failureOf(tickets.hold("T-001", me))).toMatchObject({ code: "CONFLICT_ERROR" });

  const ended = once(child, "exit");
  child.kill("SIGKILL");
  await ended;
  const elsewhere = another.tickets(another.server(api, { token }));
  expect(await failureOf(elsewhere.hold("T-001", me))).toMatchObject({ code: "CONFLICT_ERROR" });
  const { claim: before } = await tickets.get("T-001");
  await tickets.hold("T-001", me);
  const { claim: after } = await tickets.get("T-001");
  expect(after?.holder).not.toBe(before?.holder);
  await tickets.stop();
  expect(await elsewhere.get("T-001")).not.toHaveProperty("claim");
});
