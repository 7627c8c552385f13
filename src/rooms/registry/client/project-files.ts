import { isAbsolute, join, relative, sep } from "node:path";
import { SafeRoot } from "../../../platform/files/root/safe-root.ts";
import { outsideRoots } from "./errors.ts";

/** The project's own `.fractary` folder, which only commands of the user write to. */
export class ProjectFiles {
  readonly #folder: string;
  readonly #root: SafeRoot;

  constructor(projectRoot: string) {
    this.#folder = join(projectRoot, ".fractary");
    this.#root = SafeRoot.at(projectRoot).within(".fractary");
  }

  pathOf(file: string): string {
    return join(this.#folder, file);
  }

  async exists(file: string): Promise<boolean> {
    return (await this.#root.stat(file)) !== undefined;
  }

  async read(file: string): Promise<string | undefined> {
    return (await this.exists(file)) ? (await this.#root.readText(file)).text : undefined;
  }

  async write(file: string, text: string): Promise<void> {
    await this.#root.write(file, text);
  }

  /** A file that was found below the folder before. */
  async writeAt(path: string, text: string): Promise<void> {
    const way = relative(this.#folder, path);
    if (way.startsWith("..") || isAbsolute(way)) throw outsideRoots(path, [this.#folder]);
    await this.write(way.split(sep).join("/"), text);
  }
}
