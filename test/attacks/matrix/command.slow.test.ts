import { expect, test } from "vitest";
import { commandFacts } from "../../../src/app/commands/command-facts.ts";
import { findTool } from "../../../src/app/local/tool-calls.ts";
import { builtRooms } from "../../../src/app/room-set.ts";
import { effects } from "../../../src/kernel/effect.ts";
import { CliProject } from "../../harness/cli/cli.ts";

const commands = commandFacts.all().filter(({ isGroup }) => !isGroup);

/** A line of each command that changes something, for a project as {@link prepare} leaves it. */
function linesFor({ root, task, build, memory }: Prepared & { root: string }): Record<string, string> {
  return {
    status: "status T-001 CREATED",
    edit: "edit T-001 --title Theirs",
    execute: "execute T-001",
    review: "review T-001",
    "ticket status": "ticket status T-001 CREATED",
    assign: "assign T-001 bob",
    comment: "comment T-001 Hello",
    questions: "questions T-001 --ask Why?",
    complete: "complete T-002 --summary Done",
    claim: "claim T-001",
    release: "release T-001",
    import: `import ${root}/ticket.json --on-existing replace`,
    "push-local": "push-local",
    "block edit": "block edit ours --name Theirs",
    "block import": `block import ${root}/blocks.json`,
    "task edit": `task edit ours/${task} --name Theirs`,
    "task claim": `task claim ours/${task} --worker eve`,
    "task release": `task release ours/${task}`,
    start: `start ours/${task}`,
    "check add": "check add T-001 AC-1 --file README.md",
    "check remove": "check remove T-001 C-1",
    "check look": "check look T-001 C-1 Fine",
    waive: "waive T-001 AC-1 --reason Because --until 2099-01-01",
    "receipt verify": `receipt verify ${root}/receipt.json --rerun`,
    "receipt trust": `receipt trust ${root}/receipt.json`,
    "team proof": "team proof off",
    "governance init": "governance init",
    "governance record": "governance record",
    "governance install-hook": "governance install-hook",
    "governance push": "governance push",
    "project create": "project create Theirs",
    "project contract put": `project contract put manifesto ${root}/README.md --project shop`,
    "build start": "build start --project shop",
    "build close": `build close ${build}`,
    "artifact clear": "artifact clear shop",
    "artifact restore": "artifact restore shop",
    "registry agent-create": "registry agent-create theirs --description A --prompt B",
    "registry tool-create": "registry tool-create theirs --description A --command ls",
    "registry install": "registry install theirs",
    "registry update": "registry update theirs",
    "registry uninstall": "registry uninstall theirs",
    "registry lock": "registry lock",
    "registry publish": "registry publish plug",
    "registry yank": "registry yank theirs@1.0.0 --reason Because",
    "registry login": "registry login theirs --token hunter2hunter2",
    "registry logout": "registry logout theirs",
    "registry fork create": "registry fork create theirs mine",
    "registry merge": "registry merge mine",
    "registry export": "registry export theirs --to claude-agent",
    "registry init": "registry init",
    "registry source add": "registry source add theirs https://registry.invalid",
    "registry source remove": "registry source remove theirs",
    "memory forget": `memory forget ${memory}`,
    "memory import": `memory import ${root}/memories.json`,
    "memory embed": "memory embed",
    login: "login --url https://forge.invalid --no-browser",
    link: "link",
    unlink: "unlink",
    logout: "logout",
    invite: "invite --email eve@example.com",
    "reset-password": "reset-password ada@example.com",
    "team create": "team create Theirs",
    "token create": "token create ci --scope tickets:read",
    "token revoke": "token revoke 1",
    init: "init --client cursor",
    serve: "serve --reset-admin ada@example.com",
  };
}

/** Commands that change something and are not asked for, with the reason. All others only read. */
const exempt: Record<string, string> = {
  demo: "makes a folder of its own",
  up: "serves what asks by itself",
  mcp: "serves what asks by itself",
  call: "is a tool call, as in write.test.ts",
  trust: "needs --yes without a terminal, which is the person's word",
  untrust: "takes a permission away",
  approve: "refuses without a terminal",
  create: "adds a ticket, whose text counts as text by others",
  "block create": "adds a block, whose text counts as text by others",
  "task create": "adds a task, whose text counts as text by others",
  "memory remember": "adds a memory, which counts as text by others",
  "memory fail": "adds a failure, which counts as text by others",
  "memory verify": "runs what the user has trusted",
  "run test": "runs what the user has trusted; in another session's execution it asks",
  "run commit": "needs an execution; the tool asks in another session's",
  "run cancel": "needs an execution; the tool asks in another session's",
  "governance edit": "needs a terminal",
  "governance check": "changes nothing",
  "governance waive": "needs a terminal",
  "registry cache clear": "what is needed is fetched again",
  verify: "runs checks that were allowed, and records what came out",
  "receipt note": "notes in git what Forge has verified",
  doctor: "repairs permissions of Forge's own files, and nothing else",
};

/** They call no tool, and only show something. */
const showing = ["toolsets", "prompt", "resource", "completion", "version", "help", "__complete", "run watch", "log"];

test("N every command that changes something asks, without a terminal, after an assistant has read text by others", async () => {
  const project = new CliProject({ "README.md": "# Ours\n", "plug/plugin.json": "{}" });
  const prepared = await prepare(project);
  const lines = linesFor({ ...prepared, root: project.root });
  expect(await listChanging()).toEqual([...Object.keys({ ...lines, ...exempt })].sort());
  const unasked: string[] = [];
  for (const line of Object.values(lines)) {
    // Each as by another caller: only so many changes wait for one.
    await forgetApprovals(project);
    const { code, err } = await project.run(line);
    if (code === 0 || !/needs the user's approval|Only a person|needs a person|terminal/i.test(err))
      unasked.push(`${line}: ${code} ${err}`);
  }
  expect(unasked).toEqual([]);
  // The prompt is given, and begins no work.
  expect(await project.do("prompt forge_execute ticketId=T-001")).toContain("Ours");
  expect(await readTexts(project)).toEqual(prepared.texts);
});

type Prepared = { task: string; build: string; memory: string; texts: string };

/** Things of the user's own, and an assistant that has read text by others. */
async function prepare(project: CliProject): Promise<Prepared> {
  const atKeyboard = { atKeyboard: true };
  const json = async (line: string) => (await project.run(`${line} --json`, atKeyboard)).json();
  project.git("init", "-q", "-b", "main");
  project.git("add", ".");
  project.git("commit", "-qm", "Start");
  await project.do("create Ours --criterion Works --status READY", atKeyboard);
  await project.do("create Begun --status READY --assignee me", atKeyboard);
  await project.do("status T-002 CREATED", atKeyboard);
  project.write("ticket.json", JSON.stringify({ id: "T-001", title: "Theirs", status: "READY" }));
  project.write("blocks.json", "[]");
  project.write("memories.json", JSON.stringify([{ type: "decisions", agent: "dev", text: "Theirs" }]));
  project.write("receipt.json", "{}");
  await project.do("block create Ours --id ours", atKeyboard);
  const { task } = await json("task create ours Ours");
  await project.do("project create Shop --id shop", atKeyboard);
  const artifact = "project_id=shop artifact_type=phase key=ours content=Ours";
  await project.do(`call forge_store_artifact ${artifact}`, atKeyboard);
  const build = await json("build start --project shop");
  const memory = await json("memory remember decisions dev Ours");
  await project.inside(async (program) => {
    const { noteUntrusted } = await program.openShared();
    await noteUntrusted?.(program.principal("claude-code"), "others");
  });
  const ids = { task: (task as { id: string }).id, build: String(build["build_id"]), memory: String(memory["id"]) };
  return { ...ids, texts: await readTexts(project) };
}

async function readTexts(project: CliProject): Promise<string> {
  const shown = ["show T-001", "show T-002", "task list", "block list", "build list --project shop", "memory list"];
  const texts: string[] = [project.git("status", "--porcelain"), project.git("for-each-ref")];
  for (const line of shown) texts.push((await project.run(`${line} --json`)).out);
  return texts.join("\n");
}

async function forgetApprovals(project: CliProject): Promise<void> {
  await project.inside(async (program) => {
    const { approvals } = (await program.store()).guard;
    for (const shown of await approvals.listWaiting()) await approvals.decide(shown, "denied", "Ada");
  });
}

async function listChanging(): Promise<string[]> {
  const changing: string[] = [];
  for (const { name, tool } of commands) {
    const found = tool === undefined ? undefined : (await findTool(builtRooms, tool, "cli")).tool;
    const isReading = found ? effects[found.effect].access === "read" : showing.includes(name);
    if (!isReading) changing.push(name);
  }
  return changing.sort();
}
