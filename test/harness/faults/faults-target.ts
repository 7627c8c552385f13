/** Uses a project's files under faulty conditions, and prints the outcome and what exists afterwards. */
import { closeSync, mkdirSync, openSync, readdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { ForgeError } from "../../../src/kernel/errors.ts";
import { SafeRoot } from "../../../src/platform/files/root/safe-root.ts";
import { Trash } from "../../../src/platform/files/trash/trash.ts";
import { Library } from "../../../src/rooms/registry/client/library.ts";
import { FileCalls } from "../rooms/workbench/workbench-file-calls.ts";

const [scenario, folder = ""] = process.argv.slice(2);

const scenarios: Record<string, () => Promise<unknown>> = {
  /** Replaces `f` with a much larger file, and creates another one. */
  async write() {
    const root = SafeRoot.at(folder);
    const endings = [
      await endingOf(() => root.write("f", "new\n".repeat(25_000))),
      await endingOf(() => root.write("g", "new\n".repeat(25_000))),
    ];
    return { endings, names: readdirSync(folder).sort(), content: readFileSync(join(folder, "f"), "utf8") };
  },
  /** The same through the tool that assistants use. */
  async "write-file"() {
    const { PATH = "" } = process.env;
    const calls = new FileCalls(folder, { PATH });
    const write = (file_path: string) => calls.must("forge_write_file", { file_path, content: "new\n".repeat(25_000) });
    const endings = [await endingOf(() => write("f")), await endingOf(() => write("g"))];
    const content = readFileSync(join(folder, "f"), "utf8");
    return { endings, names: readdirSync(folder).sort(), content, noted: calls.noted };
  },
  async read() {
    return { endings: [await endingOf(() => SafeRoot.at(folder).read("f"))] };
  },
  /** The project on one disk, the trash on another. */
  async trash() {
    const [project, state] = [join(folder, "project"), join(folder, "state")];
    const root = SafeRoot.at(project);
    mkdirSync(join(state, ".forge"));
    const trash = new Trash(join(state, ".forge"));
    await root.write("d/f", "content");
    const { id } = await root.delete("d/f", trash);
    const deleted = { project: readdirSync(join(project, "d")), entries: (await trash.list()).length };
    await root.restore(id, trash);
    const restored = { project: readdirSync(join(project, "d")), entries: (await trash.list()).length };
    return { deleted, restored, content: (await root.readText("d/f")).text };
  },
  /** A plugin is installed, and then a version of it that is larger than the disk. */
  async install() {
    const [project, shelf] = [join(folder, "project"), join(folder, "shelf")];
    const library = new Library({
      projectRoot: project,
      home: join(folder, "home"),
      env: { FRACTARY_CACHE_DIR: join(folder, "cache") },
      fetcher: () => Promise.reject(new Error("there is no network")),
    });
    const { signal } = new AbortController();
    const install = (version: string, characters: number) => {
      mkdirSync(join(shelf, "agents"), { recursive: true });
      writeFileSync(join(shelf, "plugin.json"), JSON.stringify({ name: "review", version }));
      writeFileSync(join(shelf, "agents", "critic.md"), `---\nname: critic\n---\n${"x".repeat(characters)}\n`);
      return endingOf(() => library.open().installer.install(shelf, { scope: "local", signal }));
    };
    const endings = [await install("1.0.0", 10), await install("2.0.0", 300_000)];
    const { plugins } = await library.open().plugins.list({}, signal);
    const { prompt } = await library.open().reader.agentInfo({ name: "critic" }, signal);
    const names = readdirSync(join(project, ".fractary", "plugins")).sort();
    return { endings, versions: plugins.map(({ version }) => version), prompt: prompt?.trim(), names };
  },
  /** Without free file descriptors, then with some. */
  async descriptors() {
    const root = SafeRoot.at(folder);
    await root.read("f");
    const held = [];
    try {
      for (;;) held.push(openSync("/dev/null", "r"));
    } catch {
      // That was the last one.
    }
    const use = async () => [
      await endingOf(() => root.read("f")),
      await endingOf(() => root.list()),
      await endingOf(() => root.write("f", "new")),
    ];
    const endings = await use();
    for (const descriptor of held) closeSync(descriptor);
    return { endings, afterwards: await use(), names: readdirSync(folder) };
  },
};

async function endingOf(work: () => Promise<unknown>): Promise<string> {
  try {
    await work();
    return "done";
  } catch (error) {
    if (!(error instanceof ForgeError)) throw error;
    if (JSON.stringify(error.toBody()).includes(folder)) throw new Error("the error shows where the project is");
    return `${error.code} ${error.details?.["reason"]}`;
  }
}

scenarios[scenario ?? ""]?.().then((result) => console.log(JSON.stringify(result)));
