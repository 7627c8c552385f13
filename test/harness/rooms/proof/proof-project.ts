import { CliProject } from "../../cli/cli.ts";

const files = {
  ".gitignore": ".forge/\n",
  "package.json": '{"name":"shop","type":"module","scripts":{"test":"node --test","figure":"node figure.mjs"}}\n',
  "figure.mjs": 'console.log("p95 12.5 ms");\n',
  "src/sum.js": "export const sum = (a, b) => a - b;\n",
  "test/other.test.js": [
    'import assert from "node:assert/strict";',
    'import test from "node:test";',
    'test("always", () => assert.ok(true));',
    'test("twice", () => assert.ok(true));',
    'test("twice", () => assert.ok(true));',
    "",
  ].join("\n"),
};

function toWords(input: Record<string, unknown>): string[] {
  return Object.entries(input).map(([name, value]) => `${name}:=${JSON.stringify(value)}`);
}

export const sumTest = [
  'import assert from "node:assert/strict";',
  'import test from "node:test";',
  'import { sum } from "../src/sum.js";',
  'test("adds", () => assert.equal(sum(2, 2), 4));',
  "",
].join("\n");

export const rightSum = "export const sum = (a, b) => a + b;\n";

/** What a command prints as JSON; tests say what they expect in it. */
export type Loose = Record<string, LooseValue>;
type LooseValue = { [name: string]: LooseValue } & LooseValue[] & string & number & boolean;

/** A repository with a wrong sum, trusted, and a ticket that asks for the right one. */
export class ProofProject extends CliProject {
  static async open(more: Record<string, string> = {}): Promise<ProofProject> {
    const project = new ProofProject({ ...files, ...more });
    project.git("init", "-q", "-b", "main");
    project.git("config", "user.name", "Ada");
    project.git("config", "user.email", "ada@example.com");
    project.git("add", "-A");
    project.git("commit", "-qm", "Start");
    await project.do("trust --yes");
    return project;
  }

  async ticket(...criteria: string[]): Promise<string> {
    const given = (criteria.length > 0 ? criteria : ["2 + 2 is 4"]).flatMap((text) => ["--criterion", text]);
    return (await this.do(["create", "Add right", ...given, "--status", "ready"])).trim();
  }

  async json(line: string | string[]): Promise<Loose> {
    const words = typeof line === "string" ? line.split(" ") : line;
    const { out, err } = await this.run([...words, "--json"]);
    const printed = out === "" ? { error: err } : JSON.parse(out);
    if ("error" in printed) throw new Error(`forge ${words.join(" ")}: ${JSON.stringify(printed)}`);
    return printed;
  }

  /** Calls a tool as an assistant would. */
  async tool(name: string, input: Record<string, unknown>): Promise<Loose> {
    return JSON.parse(await this.do(["call", name, ...toWords(input), "--json"]));
  }

  /** The error of a tool that refuses. */
  async refused(name: string, input: Record<string, unknown>): Promise<string> {
    const { code, err } = await this.run(["call", name, ...toWords(input)]);
    if (code === 0) throw new Error(`${name} did not fail`);
    return err;
  }

  /** Starts the ticket, writes files and merges them. */
  async change(id: string, changed: Record<string, string>): Promise<void> {
    await this.do(["start", id]);
    for (const [path, text] of Object.entries(changed)) this.write(path, text);
    await this.do(["run", "commit", "-m", "Change"]);
  }
}
