import { existsSync, mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { ForgeError } from "../../kernel/errors.ts";
import { splitCommand } from "../exec/split-command.ts";
import { writePrivateFile } from "../files/write/private-file.ts";
import { environment } from "../host/environment.ts";
import { readInput } from "./read-input.ts";
import { findAttachable, runAttached } from "./run-attached.ts";

type Environment = Readonly<Record<string, string | undefined>>;
type Place = { cwd: string; env: Environment };
type GivenPlace = { cwd: string; env?: Environment };

/** Where people name their editor, the first that is set counts. */
const variables = ["VISUAL", "EDITOR"] as const;
const defaultEditors = process.platform === "win32" ? ["notepad"] : ["nano", "vi"];

/** A text in a file that only its owner can read, in a folder of its own, to be opened in the person's editor. */
export class EditedFile {
  readonly path: string;
  readonly #folder: string;
  readonly #command: string[];
  readonly #place: Place;
  readonly #beside: string[] = [];

  private constructor(name: string, command: string[], place: Place) {
    this.#folder = mkdtempSync(join(tmpdir(), "forge-edit-"));
    this.path = join(this.#folder, fileName(name));
    this.#command = command;
    this.#place = place;
  }

  /** Throws before anything is written where there is no editor. */
  static async create(name: string, text: string, { cwd, env = environment }: GivenPlace): Promise<EditedFile> {
    const file = new EditedFile(name, editorCommand(env, cwd), { cwd, env });
    await file.write(text);
    return file;
  }

  edit(signal: AbortSignal): Promise<{ code: number } | { signal: string }> {
    const [program = "", ...args] = this.#command;
    return runAttached(program, [...args, this.path, ...this.#beside], { ...this.#place, signal });
  }

  read(): Promise<string> {
    return readInput(this.path);
  }

  exists(): boolean {
    return existsSync(this.path);
  }

  write(text: string): Promise<void> {
    return writePrivateFile(this.path, text);
  }

  async layBeside(name: string, text: string): Promise<string> {
    const path = join(this.#folder, fileName(name));
    await writePrivateFile(path, text);
    if (!this.#beside.includes(path)) this.#beside.push(path);
    return path;
  }

  async remove(): Promise<void> {
    rmSync(this.#folder, { recursive: true, force: true });
  }
}

/** The command that opens the person's editor, as words. Throws where what they named, or any usual one, is not there. */
export function editorCommand(env: Environment, cwd: string): string[] {
  for (const variable of variables) {
    const named = env[variable]?.trim();
    if (named) return parseNamedEditor(variable, named, env, cwd);
  }
  const found = defaultEditors.find((name) => findAttachable(name, cwd, env));
  if (found !== undefined) return [found];
  throw new ForgeError(
    "DEPENDENCY_ERROR",
    `No editor was found: VISUAL and EDITOR are not set, and there is no ${defaultEditors.join(" or ")}.`,
    {
      next: ['Set EDITOR to the command of your editor, such as EDITOR=nano or EDITOR="code --wait".'],
    },
  );
}

function parseNamedEditor(variable: string, named: string, env: Environment, cwd: string): string[] {
  // A path with blanks in it is often given without quotes.
  const words = findAttachable(named, cwd, env) ? [named] : splitCommand(named);
  if (words[0] && findAttachable(words[0], cwd, env)) return words;
  throw new ForgeError("DEPENDENCY_ERROR", `The editor in ${variable} was not found: ${words[0] ?? named}.`, {
    next: [`Install it, or set ${variable} to the command of your editor, such as nano or "code --wait".`],
  });
}

/** An id or a slug as a file's name, whatever is in it. */
function fileName(name: string): string {
  return `${name.replace(/[^A-Za-z0-9_-]/g, "-").slice(0, 100)}.md`;
}
