import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { type AnswerKind, bundleServer } from "../builds.ts";
import { BenchClient, type ServerCommand } from "../client.ts";
import type { Effort } from "../effort.ts";
import { median } from "../statistics.ts";
import type { Workshop } from "../workshop.ts";

/** One kind of request to one server; measures its p50. */
export type Subject = {
  name: string;
  server: ServerCommand;
  ask(client: BenchClient, index: number): Promise<unknown>;
};

export async function askMany(
  { server, ask }: Subject,
  { warmUpCalls, calls }: Pick<Effort, "warmUpCalls" | "calls">,
): Promise<number | undefined> {
  const client = new BenchClient(server);
  try {
    await client.greet();
    for (let index = 0; index < warmUpCalls; index++) await ask(client, index);
    const times: number[] = [];
    for (let index = 0; index < calls; index++) {
      const begun = performance.now();
      await ask(client, index);
      times.push(performance.now() - begun);
    }
    return median(times);
  } finally {
    await client.end();
  }
}

/** The floor: one tool that returns exactly Forge's answer. */
export async function readyAnswer(
  kind: AnswerKind,
  workshop: Workshop,
  forge: ServerCommand,
  ask: (client: BenchClient) => Promise<unknown>,
): Promise<Subject> {
  const file = join(workshop.folder, `${kind}-answer.json`);
  const client = new BenchClient(forge);
  try {
    await client.greet();
    writeFileSync(file, JSON.stringify(Object(await ask(client)).structuredContent));
  } finally {
    await client.end();
  }
  const program = await bundleServer(workshop.folder, "one-answer");
  return {
    name: `${kind}, ready`,
    server: { ...forge, name: "one-answer", args: [program, kind, file] },
    ask: (answerer, index) => answerer.call("answer", { id: String(index) }),
  };
}
