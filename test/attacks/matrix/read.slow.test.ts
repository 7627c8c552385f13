import { expect, test } from "vitest";
import { isOn } from "../../../src/kernel/definitions/tool.ts";
import { loadToolset } from "../../../src/kernel/definitions/toolset.ts";
import { effects } from "../../../src/kernel/effect.ts";
import { rooms } from "../../../src/rooms.ts";
import { inputsOf } from "./inputs.ts";
import { inRepository, type PlantedProject, plantProject, theirs } from "./planted.ts";
import { connectWatched, type WatchedClient } from "./watched-client.ts";

/** One thing that an assistant can read, and how often it is asked for. */
type Reading = { name: string; given: unknown; read(watched: WatchedClient): Promise<unknown> };

const toolsets = await Promise.all(rooms.map((room) => loadToolset(room)));
const tools = toolsets.flatMap((toolset) => toolset.tools).filter((tool) => isOn("mcp", tool));
const resources = toolsets.flatMap((toolset) => toolset.resources);
const prompts = toolsets.flatMap((toolset) => toolset.prompts);

/** Reading first: what changes something must not take away what is read. Claims last: they keep others out. */
const inOrder = tools.toSorted((one, other) => rankOf(one) - rankOf(other));

function rankOf(tool: (typeof tools)[number]): number {
  return isChange(tool) ? 1 + Number(tool.name.includes("claim")) : 0;
}

function isChange({ effect }: (typeof tools)[number]): boolean {
  return effects[effect].access === "write";
}

const variables: Record<string, readonly string[]> = {
  id: ["T-001", "T-002", "T-003", "T-999"],
  name: [theirs, inRepository, "none"],
  path: ["_bmad/_memory/config.yaml", "none"],
  collection: ["decisions", "none"],
  ticketId: ["T-001", "T-002", "T-003", "T-004", "T-005", "T-999"],
};

function toolReadings(project: PlantedProject): Reading[] {
  return inOrder.flatMap((tool) => {
    const inputs = inputsOf(tool, project);
    if (!inputs) throw new Error(`inputs.ts does not say what ${tool.name} is called with`);
    return inputs.map((given) => ({
      name: tool.name,
      given,
      read: ({ client }: WatchedClient) => client.callTool({ name: tool.name, arguments: given }),
    }));
  });
}

function resourceReadings({ ids }: PlantedProject): Reading[] {
  // The last room first: of the ledger, only the newest entries are shown.
  return resources.toReversed().flatMap(({ uri }) => {
    const [, variable] = /\{(\w+)\}/.exec(uri) ?? [];
    const values = variable === undefined ? [""] : variables[variable];
    if (!values) throw new Error(`nobody says what ${uri} is read with`);
    const known = uri.startsWith("forge://executions") ? [ids.execution, "none"] : values;
    return known.map((value) => ({
      name: uri,
      given: value,
      read: ({ client }: WatchedClient) =>
        client.readResource({ uri: uri.replace(`{${variable}}`, encodeURIComponent(value)) }),
    }));
  });
}

function promptReadings(): Reading[] {
  return prompts.flatMap(({ name, args }) => {
    const [argument = ""] = Object.keys(args.shape);
    return (variables[argument] ?? []).map((value) => ({
      name,
      given: value,
      read: ({ client }: WatchedClient) => client.getPrompt({ name, arguments: { [argument]: value } }),
    }));
  });
}

function completionReadings(): Reading[] {
  const ofPrompts = prompts.flatMap(({ name, complete = {} }) =>
    Object.keys(complete).map((argument) => ({ ref: { type: "ref/prompt", name } as const, argument })),
  );
  const ofResources = resources.flatMap(({ uri, complete = {} }) =>
    Object.keys(complete).map((argument) => ({ ref: { type: "ref/resource", uri } as const, argument })),
  );
  return [...ofPrompts, ...ofResources].flatMap(({ ref, argument }) =>
    ["", "T-00", "qq", "zz", "_b"].map((value) => ({
      name: `completion of ${argument} in ${"name" in ref ? ref.name : ref.uri}`,
      given: value,
      read: ({ client }: WatchedClient) => client.complete({ ref, argument: { name: argument, value } }),
    })),
  );
}

/** They show no words of others, whatever they are called with; with the reason. */
const silent: Record<string, string> = {
  "completion of id in forge://tickets/{id}": "ids, which Forge makes",
  "completion of id in forge://executions/{id}": "ids, which Forge makes",
  "completion of collection in forge://memories/{collection}": "fixed names",
  ...giveReason("projects are the user's own; those of a server are noted (see note-shared.ts)", [
    ...["forge_get_build_contracts", "forge_get_project_context", "forge_get_project_contract"],
    "forge_list_project_contracts",
  ]),
  forge_list_contracts: "fixed names",
  fractary_forge_agent_validate: "names fields, and not what is in them",
  fractary_forge_tool_validate: "names fields, and not what is in them",
  ...giveReason("a fork is the user's own text", [
    ...[
      "fractary_forge_fork_check",
      "fractary_forge_fork_diff",
      "fractary_forge_fork_info",
      "fractary_forge_fork_list",
    ],
  ]),
  ...giveReason("says numbers, ids, or what it was given", [
    ...["comment_ticket", "create_ticket", "submit_review_questions", "forge_create_block", "forge_create_task"],
    ...["forge_store_artifact", "forge_clear_artifacts", "remember_structured"],
    ...["forge_claim_task", "forge_execute_task_stream"],
    ...["forge_set_session", "forge_clear_session", "forge_run_planner"],
    ...["fractary_forge_cache_stats", "fractary_forge_cache_clear"],
  ]),
  ...giveReason("another session has the execution", [
    ...["forge_cancel_execution", "forge_commit_changes", "forge_edit_file", "forge_run_tests"],
  ]),
  run_completion_contract: "nothing is set up to run",
};

function giveReason(reason: string, names: readonly string[]): Record<string, string> {
  return Object.fromEntries(names.map((name) => [name, reason]));
}

test.each([
  ["an untrusted", false],
  ["a trusted", true],
])("H06 nothing in %s project is read unnoticed", async (_what, isTrusted) => {
  const project = await plantProject({ isTrusted });
  const readings = [
    ...resourceReadings(project),
    ...completionReadings(),
    ...promptReadings(),
    ...toolReadings(project),
  ];
  const [unnoticed, showing, live] = [new Set<string>(), new Set<string>(), new Set<string>()];
  for (const { name, given, read } of readings) {
    const watched = await connectWatched(project, isTrusted, given);
    await read(watched).catch(() => undefined);
    if (watched.hasRead()) {
      showing.add(name);
      if (!(await watched.isHeld())) unnoticed.add(`${name} ${JSON.stringify(given)}: not held`);
    }
    // Assistants repeat the content of files when they edit.
    if (!/^forge_(?:read|search)_file/.test(name))
      for (const text of watched.live) live.add(`${name} ${JSON.stringify(given)}: ${text.slice(0, 600)}`);
    for (const text of watched.tooEarly) unnoticed.add(`${name} ${JSON.stringify(given)}: ${text}`);
    await watched.client.close();
  }
  expect([...unnoticed]).toEqual([]);
  if (!isTrusted) expect([...live]).toEqual([]);
  // Something new must show what is planted, or say here why it cannot.
  const names = [...new Set(readings.map(({ name }) => name))];
  if (!isTrusted) expect(names.filter((name) => !showing.has(name)).sort()).toEqual(Object.keys(silent).sort());
});
