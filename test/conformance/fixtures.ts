import { setTimeout as pause } from "node:timers/promises";
import * as z from "zod";
import type { Question } from "../../src/kernel/calls/call.ts";
import { definePrompt } from "../../src/kernel/definitions/prompt.ts";
import { defineResource } from "../../src/kernel/definitions/resource.ts";
import { defineTool } from "../../src/kernel/definitions/tool.ts";
import type { Toolset } from "../../src/kernel/definitions/toolset.ts";

/** What the fixtures can do to their server: change a list while it runs. */
export type FixtureServices = { toggle(list: "tools" | "prompts"): void };

const anything = z.record(z.string(), z.unknown());
const nothing = z.object({});
/** A 1×1 PNG and a WAV of silence. */
const png = "iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mP8z8BQDwAEhQGAhKmMIQAAAABJRU5ErkJggg==";
const wav = "UklGRiQAAABXQVZFZm10IBAAAAABAAEAQB8AAEAfAAABAAgAZGF0YQAAAAA=";

type Block = Record<string, unknown>;

const text = (words: string): Block => ({ type: "text", text: words });
const image: Block = { type: "image", data: png, mimeType: "image/png" };
const embedded = (uri: string, words: string): Block => ({
  type: "resource",
  resource: { uri, mimeType: "text/plain", text: words },
});

/** A tool whose answer is content blocks. */
function contentTool(name: string, blocks: Block[]) {
  return defineTool({
    name,
    title: name,
    description: `Answers with fixed content, for the suite's scenario of the same name.`,
    effect: "read",
    input: nothing,
    output: anything,
    run: async () => ({}),
    content: () => blocks,
  });
}

/** A tool that asks the other end and says what it was told. */
function askingTool(
  name: string,
  rounds: ((input: Record<string, string>) => Record<string, Question>)[],
  say: (answers: Record<string, unknown>) => string,
  input: z.ZodObject = nothing,
) {
  return defineTool({
    name,
    title: name,
    description: "Asks the client for input, for the suite's scenario of the same name.",
    effect: "read",
    input,
    output: anything,
    async run(_services: FixtureServices, given, call) {
      let answers: Record<string, unknown> = {};
      for (const round of rounds) answers = { ...answers, ...(await call.ask(round(given as Record<string, string>))) };
      return { said: say(answers) };
    },
    content: (output) => [text(String((output as { said: string }).said))],
  });
}

const form = (message: string, properties: Record<string, unknown>, required = Object.keys(properties)): Question => ({
  ask: "person",
  message,
  schema: { type: "object", properties, required },
});

const contentOf = (answer: unknown) => JSON.stringify((answer as { content?: unknown })?.content ?? {});
const actionOf = (answer: unknown) => String((answer as { action?: unknown })?.action);
const told = (key: string) => (answers: Record<string, unknown>) =>
  `User response: action=${actionOf(answers[key])}, content=${contentOf(answers[key])}`;

const name = { name: { type: "string", description: "Your name" } };

export const fixtures: Toolset<FixtureServices> = {
  name: "fixtures",
  title: "Fixtures",
  guidance: "These tools exist for the conformance suite.",
  tools: [
    contentTool("test_simple_text", [text("This is a simple text response for testing.")]),
    contentTool("test_image_content", [image]),
    contentTool("test_audio_content", [{ type: "audio", data: wav, mimeType: "audio/wav" }]),
    contentTool("test_embedded_resource", [
      embedded("test://embedded-resource", "This is an embedded resource content."),
    ]),
    contentTool("test_multiple_content_types", [
      text("Multiple content types test:"),
      image,
      embedded("test://mixed-content-resource", '{"test":"data","value":123}'),
    ]),
    contentTool("test_streaming_elicitation", [text("done")]),
    defineTool({
      name: "test_error_handling",
      title: "Fails",
      description: "Always fails.",
      effect: "read",
      input: nothing,
      output: anything,
      async run() {
        throw new Error("This tool intentionally returns an error for testing");
      },
    }),
    defineTool({
      name: "test_tool_with_progress",
      title: "Progress",
      description: "Reports progress.",
      effect: "read",
      input: nothing,
      output: anything,
      async run(_services, _input, call) {
        for (const progress of [0, 50, 100]) {
          call.report({ progress, total: 100, message: `${progress} of 100` });
          await pause(120);
        }
        return {};
      },
      content: () => [text("done")],
    }),
    ...["test_tool_with_logging", "test_logging_tool"].map((toolName) =>
      defineTool({
        name: toolName,
        title: "Logs",
        description: "Sends log messages.",
        effect: "read",
        input: nothing,
        output: anything,
        async run(_services, _input, call) {
          for (const message of ["Tool execution started", "Tool processing data", "Tool execution completed"]) {
            call.log("info", message);
            await pause(50);
          }
          return {};
        },
        content: () => [text("done")],
      }),
    ),
    ...(["tools", "prompts"] as const).map((list) =>
      defineTool({
        name: `test_trigger_${list.slice(0, -1)}_change`,
        title: "Changes a list",
        description: `Changes the list of ${list}.`,
        effect: "set",
        input: nothing,
        output: anything,
        async run(services: FixtureServices) {
          services.toggle(list);
          return {};
        },
        content: () => [text("changed")],
      }),
    ),
    askingTool(
      "test_sampling",
      [({ prompt = "" }) => ({ answer: { ask: "model", prompt, maxTokens: 100 } })],
      ({ answer }) => `LLM response: ${(answer as { content?: { text?: string } })?.content?.text}`,
      z.object({ prompt: z.string().max(1000) }),
    ),
    askingTool(
      "test_elicitation",
      [
        ({ message = "" }) => ({
          answer: form(message, { username: { type: "string" }, email: { type: "string", format: "email" } }),
        }),
      ],
      told("answer"),
      z.object({ message: z.string().max(1000) }),
    ),
    askingTool(
      "test_elicitation_sep1034_defaults",
      [
        () => ({
          answer: form("Please review", {
            name: { type: "string", default: "John Doe" },
            age: { type: "integer", default: 30 },
            score: { type: "number", default: 95.5 },
            status: { type: "string", enum: ["active", "inactive", "pending"], default: "active" },
            verified: { type: "boolean", default: true },
          }),
        }),
      ],
      told("answer"),
    ),
    askingTool(
      "test_elicitation_sep1330_enums",
      [
        () => {
          const titled = [1, 2, 3].map((n) => ({ const: `value${n}`, title: `Title ${n}` }));
          const plain = ["option1", "option2", "option3"];
          return {
            answer: form("Choose", {
              untitledSingle: { type: "string", enum: plain },
              titledSingle: { type: "string", oneOf: titled },
              legacyEnum: { type: "string", enum: plain, enumNames: ["One", "Two", "Three"] },
              untitledMulti: { type: "array", items: { type: "string", enum: plain } },
              titledMulti: { type: "array", items: { anyOf: titled } },
            }),
          };
        },
      ],
      told("answer"),
    ),
    askingTool(
      "test_missing_capability",
      [() => ({ answer: { ask: "model", prompt: "Hello", maxTokens: 10 } })],
      () => "never",
    ),
    askingTool(
      "test_input_required_result_elicitation",
      [() => ({ user_name: form("What is your name?", name) })],
      told("user_name"),
    ),
    askingTool(
      "test_input_required_result_sampling",
      [() => ({ capital_question: { ask: "model", prompt: "What is the capital of France?", maxTokens: 100 } })],
      ({ capital_question: answer }) => `LLM response: ${JSON.stringify(answer)}`,
    ),
    askingTool(
      "test_input_required_result_list_roots",
      [() => ({ client_roots: { ask: "roots" } })],
      ({ client_roots: answer }) => `Roots: ${JSON.stringify(answer)}`,
    ),
    askingTool(
      "test_input_required_result_request_state",
      [() => ({ confirm: form("Please confirm", { ok: { type: "boolean" } }) })],
      () => "state-ok",
    ),
    askingTool(
      "test_input_required_result_multiple_inputs",
      [
        () => ({
          user_name: form("What is your name?", name),
          greeting: { ask: "model", prompt: "Write a greeting", maxTokens: 50 },
          client_roots: { ask: "roots" },
        }),
      ],
      (answers) => JSON.stringify(answers),
    ),
    askingTool(
      "test_input_required_result_multi_round",
      [
        () => ({ step1: form("Step 1: what is your name?", name) }),
        () => ({ step2: form("Step 2: what is your favourite colour?", { color: { type: "string" } }) }),
      ],
      (answers) => JSON.stringify(answers),
    ),
    askingTool(
      "test_input_required_result_tampered_state",
      [() => ({ confirm: form("Please confirm", { ok: { type: "boolean" } }) })],
      () => "state-ok",
    ),
    defineTool({
      name: "test_input_required_result_capabilities",
      title: "Asks within capabilities",
      description: "Asks only what the client can put.",
      effect: "read",
      input: nothing,
      output: anything,
      async run(_services, _input, call) {
        const questions: Record<string, Question> = {
          user_name: form("What is your name?", name),
          greeting: { ask: "model", prompt: "Write a greeting", maxTokens: 50 },
        };
        const possible = Object.entries(questions).filter(([, { ask }]) => call.canAsk(ask));
        return { said: JSON.stringify(await call.ask(Object.fromEntries(possible))) };
      },
      content: (output) => [text(String(output["said"]))],
    }),
  ],
  prompts: [
    definePrompt({
      name: "test_simple_prompt",
      title: "Simple",
      description: "A prompt without arguments.",
      args: nothing,
      run: async () => [{ role: "user", content: { type: "text", text: "This is a simple prompt for testing." } }],
    }),
    definePrompt({
      name: "test_prompt_with_arguments",
      title: "Arguments",
      description: "A prompt with two arguments.",
      args: z.object({
        arg1: z.string().max(100).describe("First test argument"),
        arg2: z.string().max(100).describe("Second test argument"),
      }),
      complete: { arg1: (_services, typed) => ["test", "testing", "paris"].filter((value) => value.startsWith(typed)) },
      run: async (_services, { arg1, arg2 }) => [
        { role: "user", content: { type: "text", text: `Prompt with arguments: arg1='${arg1}', arg2='${arg2}'` } },
      ],
    }),
    definePrompt({
      name: "test_prompt_with_embedded_resource",
      title: "Embedded resource",
      description: "A prompt with a resource in it.",
      args: z.object({ resourceUri: z.string().max(1000).describe("URI of the resource to embed") }),
      run: async (_services, { resourceUri }) => [
        {
          role: "user",
          content: { type: "resource", resource: { uri: resourceUri, mimeType: "text/plain", text: "Embedded" } },
        },
        { role: "user", content: { type: "text", text: "Please process the embedded resource above." } },
      ],
    }),
    definePrompt({
      name: "test_prompt_with_image",
      title: "Image",
      description: "A prompt with an image in it.",
      args: nothing,
      run: async () => [
        { role: "user", content: { type: "image", data: png, mimeType: "image/png" } },
        { role: "user", content: { type: "text", text: "Please analyze the image above." } },
      ],
    }),
    definePrompt({
      name: "test_input_required_result_prompt",
      title: "Asks",
      description: "A prompt that asks first.",
      args: nothing,
      async run(_services, _args, call) {
        const { user_context: answer } = await call.ask({
          user_context: form("What context should be used?", { context: { type: "string" } }),
        });
        return [{ role: "user", content: { type: "text", text: `Context: ${contentOf(answer)}` } }];
      },
    }),
  ],
  resources: [
    defineResource({
      uri: "test://static-text",
      name: "static-text",
      title: "Static text",
      description: "A text that never changes.",
      mimeType: "text/plain",
      read: async () => ({ text: "This is the content of the static text resource." }),
    }),
    defineResource({
      uri: "test://static-binary",
      name: "static-binary",
      title: "Static image",
      description: "An image that never changes.",
      mimeType: "image/png",
      read: async () => ({ blob: png }),
    }),
    defineResource({
      uri: "test://watched-resource",
      name: "watched-resource",
      title: "Watched",
      description: "A resource to subscribe to.",
      mimeType: "text/plain",
      read: async () => ({ text: "watched" }),
    }),
    defineResource({
      uri: "test://template/{id}/data",
      name: "template",
      title: "By id",
      description: "A resource for every id.",
      mimeType: "application/json",
      read: async (_services, { id }) => ({
        text: JSON.stringify({ id, templateTest: true, data: `Data for ID: ${id}` }),
      }),
    }),
  ],
};
