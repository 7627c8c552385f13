import { expect, test } from "vitest";
import { MemoryApp, run } from "../../../../test/harness/cli.ts";

function app(): MemoryApp {
  const made = new MemoryApp();
  made.schemas["create_ticket"] = {
    description: "Make one.",
    inputSchema: {
      type: "object",
      properties: {
        title: { type: "string", description: "What is to be done" },
        priority: { type: "string", enum: ["low", "high", "$(id)"] },
        kinds: { type: "array", items: { type: "string", enum: ["bug", "idea"] } },
        urgent: { type: "boolean" },
        place: { type: "object", properties: { file: { type: "string" } } },
      },
      required: ["title"],
    },
  };
  made.resourceTemplates = [
    { name: "t", title: "A ticket", description: "", mimeType: "text/plain", uriTemplate: "forge://tickets/{id}" },
  ];
  return made;
}

async function offered(line: string): Promise<string[]> {
  const { out, err, code } = await run(["__complete", "--", ...line.split(" ")], { app: app() });
  expect({ code, err }).toEqual({ code: 0, err: "" });
  return out
    .trimEnd()
    .split("\n")
    .map((answer) => answer.split("\t", 1)[0] ?? "");
}

test.each([
  ["ve", ["version", ":words"]],
  ["--proj", ["--project", ":words"]],
  ["--log-level debug ve", ["version", ":words"]],
  ["--json --json", [":words"]],
  ["call create_ticket --i", ["--input", ":words"]],
  ["call --input x", [":files"]],
  ["call --input=x", [":files"]],
  ["mcp --project x", [":folders"]],
  ["completion z", ["zsh", ":words"]],
  ["completion --shell f", ["fish", ":words"]],
  ["completion --shell=f", ["--shell=fish", ":words"]],
  ["completion zsh ", [":words"]],
  ["help lo", ["log", "login", "logout", ":words"]],
  ["call cr", ["create_ticket", ":words"]],
  ["call create_ticket ", ["title=", "priority=", "kinds=", "urgent=", "place.file=", ":words"]],
  ["call create_ticket title=x kinds=bug p", ["priority=", "place.file=", ":words"]],
  ["call create_ticket title=x ki", ["kinds=", ":words"]],
  ["call create_ticket kinds=bug ki", ["kinds=", ":words"]],
  ["call create_ticket title:=1 ti", [":words"]],
  ["call create_ticket priority=", ["priority=low", "priority=high", ":words"]],
  ["call create_ticket priority=h", ["priority=high", ":words"]],
  ["call create_ticket urgent=t", ["urgent=true", ":words"]],
  ["call create_ticket kinds=bug,i", ["kinds=bug,idea", ":words"]],
  ["call --json create_ticket urgent=f", ["urgent=false", ":words"]],
  ["call nothing x", [":words"]],
  ["resource forge://t", ["forge://tickets/", ":words"]],
  ["mcp --toolsets ti", ["tickets", ":words"]],
  ["mcp --toolsets=tickets,ti", ["--toolsets=tickets,tickets", ":words"]],
  ["up --profile x", [":words"]],
  ["mcp --profile me", ["memory", ":words"]],
  ["log --tool cr", ["create_ticket", ":words"]],
  ["log --since x", [":words"]],
  ["frobnicate x", [":words"]],
  ["--nonsense x", [":words"]],
  ["-- lo", ["log", "login", "logout", ":words"]],
])("forge %s<Tab>", async (line, expected) => {
  expect(await offered(line)).toEqual(expected);
});

test("an empty line offers every command but those for programs", async () => {
  const all = await offered("");
  expect(all).toEqual(expect.arrayContaining(["up", "mcp", "call", "help", ":words"]));
  expect(all).not.toContain("__complete");
});

test("each candidate comes with what it means, on one line", async () => {
  const made = app();
  made.prompts = [{ name: "p", title: "One\nTwo\tThree\u001b[31m", description: "", arguments: [] }];
  const { out } = await run(["__complete", "--", "prompt", ""], { app: made });
  expect(out).toBe("p\tOne\\nTwo\\tThree\\x1b[31m\n:words\n");
});

test("what a shell would not take as a plain word is never offered", async () => {
  expect(await offered("call create_ticket priority=")).not.toContain("priority=$(id)");
});

test("for a program that asks with --json", async () => {
  const { out } = await run("--json __complete -- ve", { app: app() });
  expect(JSON.parse(out)).toEqual({
    candidates: [{ value: "version", help: "Print the version of Forge" }],
    next: "words",
  });
});
