import fc from "fast-check";
import { describe, expect, test } from "vitest";
import type { RunningProgram } from "../cli/program.ts";
import type { Json, WireMessage } from "./wire.ts";

type ListedTool = { name: string; inputSchema: { properties?: Json } };

const largestRefusal = 65_536;
const million = 1_000_000;
/** There are about a hundred tools, and all of them are checked in the same way. */
const runsPerTool = 15;
/** A huge argument is refused before anything knows which tool it is for. */
const sampledTools = 10;

/** Tests what is true for every tool and any input. `leaveOut` names tools that never answer, or end the server. */
export function describeTotality(
  name: string,
  start: () => Promise<RunningProgram> | RunningProgram,
  leaveOut: string[] = [],
): void {
  async function begin() {
    const program = await start();
    await program.initialize();
    const { result } = await program.request("tools/list");
    const tools = ((result?.["tools"] ?? []) as ListedTool[]).filter((tool) => !leaveOut.includes(tool.name));
    expect(tools.length).toBeGreaterThan(0);
    return { program, tools };
  }

  describe(name, () => {
    test("C17 any JSON value as arguments gets a valid answer of bounded size, and the server lives", async () => {
      const { program, tools } = await begin();
      for (const tool of tools) {
        await fc.assert(
          fc.asyncProperty(argumentsFor(tool), async (given) => {
            const reply = await program.request("tools/call", { name: tool.name, arguments: given });
            requireAnswer(reply, `${tool.name} ${JSON.stringify(given)}`);
          }),
          { numRuns: runsPerTool },
        );
      }
      expect(program.child.exitCode).toBeNull();
    });

    test("A10 a million elements in an argument of any tool are refused briefly", async () => {
      const { program, tools: all } = await begin();
      const tools = fc
        .sample(fc.shuffledSubarray(all, { minLength: Math.min(sampledTools, all.length), maxLength: sampledTools }), 1)
        .flat();
      const huge = [
        ["array", JSON.stringify(Array.from({ length: million }, () => 0))],
        ["record", `{${Array.from({ length: million }, (_, index) => `"${index}":0`).join()}}`],
      ];
      for (const { name: tool, inputSchema } of tools) {
        const names = [...Object.keys(inputSchema.properties ?? {}), "unknown"];
        // Each takes megabytes: one argument of each tool, another one for each kind.
        for (const [index, [kind, value]] of huge.entries()) {
          const argument = names[(tool.length + index) % names.length] ?? "unknown";
          const reply = await requestText(program, tool, `{${JSON.stringify(argument)}:${value}}`);
          requireRefusal(reply, `${tool}.${argument} as a huge ${kind}`);
        }
        requireRefusal(await requestText(program, tool, huge[1]?.[1] ?? ""), `${tool} with a million arguments`);
      }
    }, 120_000);

    test("C06 an unknown argument is refused by name, with what was expected", async () => {
      const { program, tools } = await begin();
      for (const { name: tool, inputSchema } of tools) {
        const { result } = await program.request("tools/call", { name: tool, arguments: { bogus_argument: 1 } });
        const text = JSON.stringify(result);
        expect(text).toContain("VALIDATION_ERROR");
        expect(text).toContain("bogus_argument");
        for (const expected of Object.keys(inputSchema.properties ?? {})) expect(text).toContain(expected);
      }
    });

    test("C06 names that could reach a prototype are unknown arguments like any other", async () => {
      const { program, tools } = await begin();
      for (const { name: tool } of tools) {
        for (const text of ['{"__proto__":{"polluted":1}}', '{"constructor":{"prototype":{"polluted":1}}}']) {
          const { result } = await requestText(program, tool, text);
          expect(JSON.stringify(result), `${tool} ${text}`).not.toContain("polluted");
        }
      }
    });
  });
}

/** Any value, and objects that are close to what the tool expects. */
function argumentsFor({ inputSchema }: ListedTool): fc.Arbitrary<unknown> {
  const names = [...Object.keys(inputSchema.properties ?? {}), "__proto__", "constructor", "extra"];
  const near = fc.array(fc.tuple(fc.constantFrom(...names), fc.jsonValue({ maxDepth: 3 })), { maxLength: 5 });
  return fc.oneof(
    fc.jsonValue(),
    near.map((entries) => Object.fromEntries(entries)),
  );
}

let nextId = 1_000_000;

/** A call whose arguments are given as text, for what cannot be written as an object. */
function requestText(program: RunningProgram, tool: string, args: string): Promise<WireMessage> {
  const id = nextId++;
  program.write(
    `{"jsonrpc":"2.0","id":${id},"method":"tools/call","params":{"name":${JSON.stringify(tool)},"arguments":${args}}}\n`,
  );
  return program.reply(id);
}

function requireAnswer(reply: WireMessage, what: string): void {
  const failed = reply.error !== undefined || reply.result?.["isError"] === true;
  expect(reply.error?.code ?? -32602, what).toBe(-32602);
  if (failed) expect(JSON.stringify(reply).length, what).toBeLessThan(largestRefusal);
}

function requireRefusal(reply: WireMessage, what: string): void {
  const failed = reply.error !== undefined || reply.result?.["isError"] === true;
  expect(failed, what).toBe(true);
  expect(JSON.stringify(reply).length, what).toBeLessThan(largestRefusal);
}
