import { describe, expect, test } from "vitest";
import * as z from "zod";
import { definePrompt } from "../../src/kernel/definitions/prompt.ts";
import { defineResource } from "../../src/kernel/definitions/resource.ts";
import type { Toolset } from "../../src/kernel/definitions/toolset.ts";
import type { Principal } from "../../src/kernel/principal.ts";
import { connectClient, eras } from "../harness/mcp/client.ts";
import { makeHost } from "../harness/mcp/fixture-host.ts";

const token = `ghp_${"a1".repeat(18)}`;

const completions = {
  many: (_services: object, typed: string) => Array.from({ length: 250 }, (_, index) => `${typed}${index}`),
  leaking: () => [token],
  failing: (): string[] => {
    throw new Error(`cannot read /home/ann/x with ${token}`);
  },
};

const toolset: Toolset<object> = {
  name: "typing",
  title: "Typing",
  guidance: "These exist to be completed.",
  tools: [],
  prompts: [
    definePrompt({
      name: "type",
      title: "Type",
      description: "Has an argument of every temper.",
      args: z.object({ many: z.string().max(10), leaking: z.string().max(10), failing: z.string().max(10) }),
      complete: completions,
      run: async () => [],
    }),
  ],
  resources: [
    defineResource<object>({
      uri: "forge://typed/{many}",
      name: "typed",
      title: "Typed",
      description: "Has a variable.",
      mimeType: "text/plain",
      read: async () => ({ text: "" }),
      complete: { many: completions.many },
    }),
  ],
};

const prompt = { type: "ref/prompt", name: "type" } as const;
const template = { type: "ref/resource", uri: "forge://typed/{many}" } as const;

describe.each(eras)("completion (%s)", (era) => {
  async function start(scopes: Principal["scopes"] = "all") {
    const principal = (): Principal => ({ kind: "user", id: "user:bob", name: "Bob", scopes });
    const { host, records, logged } = makeHost([toolset], {}, { principal });
    const client = await connectClient(host, era);
    const complete = (name: string, ref: typeof prompt | typeof template = prompt) =>
      client.complete({ ref, argument: { name, value: "v" } });
    return { complete, records, logged };
  }

  test("at most a hundred values go out, with how many there are", async () => {
    const { complete, records } = await start();
    for (const ref of [prompt, template]) {
      const { completion } = await complete("many", ref);
      expect(completion.values).toHaveLength(100);
      expect(completion).toMatchObject({ total: 250, hasMore: true });
    }
    // What is typed while choosing is not a call that anyone looks for later.
    expect(records).toEqual([]);
  });

  test("G04 what a completer throws stays inside, and its secrets out of the log", async () => {
    const { complete, records, logged } = await start();
    const refused = await complete("failing").catch((error: unknown) => error);
    expect(refused).toMatchObject({ code: -32603, data: { code: "INTERNAL_ERROR" } });
    expect(`${refused} ${JSON.stringify(refused)}`).not.toMatch(/home|ghp_/);
    expect(logged.join()).toContain("/home/ann");
    expect(logged.join()).not.toContain(token);
    expect(records).toMatchObject([{ outcome: "error", code: "INTERNAL_ERROR" }]);
    expect((await complete("leaking")).completion.values).toEqual(["[redacted github-token]"]);
  });

  test("a caller without the scope gets none", async () => {
    const { complete, records } = await start(["tickets:read"]);
    await expect(complete("many")).rejects.toMatchObject({ data: { code: "PERMISSION_DENIED" } });
    expect(records).toMatchObject([{ outcome: "error", code: "PERMISSION_DENIED" }]);
  });

  test("an argument without a completer has no values, whatever it is called", async () => {
    const { complete } = await start();
    for (const name of ["nonsense", "constructor", "__proto__"]) {
      expect((await complete(name)).completion).toMatchObject({ values: [], total: 0, hasMore: false });
    }
  });
});
