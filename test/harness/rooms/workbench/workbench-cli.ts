import { readFileSync } from "node:fs";
import { join } from "node:path";
import { CliProject, type RunOptions } from "../../cli/cli.ts";
import { plainGit, writeFiles } from "../../git/git.ts";

/** The real program in its own git repository, with shortcuts to prepare tasks and executions. */
export class WorkbenchCli extends CliProject {
  constructor(files: Record<string, string> = { "a.txt": "one\n" }) {
    super(files);
    this.git("init", "--quiet", "--initial-branch=main");
    this.git("config", "user.name", "Ada");
    this.git("config", "user.email", "ada@example.org");
    this.git("add", "--all");
    this.git("commit", "--quiet", "--message", "first");
  }

  override git(...args: string[]): string {
    const { PATH = "" } = process.env;
    return plainGit(this.root, args, { PATH, HOME: this.home, GIT_CONFIG_NOSYSTEM: "1" }).trim();
  }

  put(files: Record<string, string>, folder = this.root): void {
    writeFiles(folder, files);
  }

  text(path: string): string {
    return readFileSync(join(this.root, path), "utf8");
  }

  /** A block `Auth` with this task; returns BLOCK/TASK. */
  async task(name = "Add sign-in", ...options: string[]): Promise<string> {
    await this.run(["block", "create", "Auth", "--id", "auth"]);
    return this.do(["task", "create", "auth", name, ...options]);
  }

  /** An execution of a new task; returns its id. */
  async start(...options: string[]): Promise<string> {
    return this.do(["run", "start", await this.task(), ...options]);
  }

  /** What `--json` prints. */
  async json<T = Record<string, unknown>>(line: string | string[], options: RunOptions = {}): Promise<T> {
    const words = typeof line === "string" ? `${line} --json` : [...line, "--json"];
    return JSON.parse((await this.run(words, options)).out);
  }
}
