import { SaxesParser } from "saxes";
import { BrokenManifest, type Manifest, type ManifestFolder } from "./manifest.ts";

const maxDepth = 100;
const dependency = "project/dependencies/dependency";
const plugin = "project/build/plugins/plugin";

type Dependency = { name: string; isForTests: boolean };

export function readPom(text: string, { hasAbove }: ManifestFolder): Manifest {
  const pom = new Pom();
  try {
    pom.read(text);
  } catch {
    throw new BrokenManifest("is not the XML of a Maven project");
  }
  const maven = hasAbove("mvnw") ? "./mvnw" : "mvn";
  const names = (isForTests: boolean) =>
    pom.dependencies.filter((one) => one.isForTests === isForTests && one.name !== "").map(({ name }) => name);
  return {
    ecosystem: "java",
    name: pom.texts.get("project/artifactId"),
    description: pom.texts.get("project/description")?.replace(/\s+/g, " "),
    dependencies: names(false),
    devDependencies: names(true),
    marks: [...pom.plugins, pom.texts.get("project/parent/artifactId") ?? ""],
    members: pom.modules,
    test: "mvn test",
    testCommand: `${maven} test`,
    build: `${maven} package`,
    kind: pom.texts.get("project/packaging") === "pom" ? undefined : "library",
  };
}

class Pom {
  readonly texts = new Map<string, string>();
  readonly modules: string[] = [];
  readonly plugins: string[] = [];
  readonly dependencies: Dependency[] = [];
  readonly #open: string[] = [];
  #text = "";

  /** Throws where it is no well-formed XML, or declares entities: no project needs them. */
  read(text: string): void {
    const parser = new SaxesParser();
    parser.on("error", (error) => {
      throw error;
    });
    parser.on("doctype", () => {
      throw new Error("A project has no DOCTYPE.");
    });
    parser.on("opentag", ({ name }) => {
      this.#open.push(name);
      if (this.#open.length > maxDepth) throw new Error("The project file is nested too deeply.");
      if (this.#path() === dependency) this.dependencies.push({ name: "", isForTests: false });
      this.#text = "";
    });
    parser.on("text", (piece) => {
      this.#text += piece;
    });
    parser.on("closetag", () => {
      this.#take(this.#path(), this.#text.trim());
      this.#open.pop();
      this.#text = "";
    });
    parser.write(text).close();
  }

  #path(): string {
    return this.#open.length > 6 ? "" : this.#open.join("/");
  }

  #take(path: string, text: string): void {
    const last = this.dependencies.at(-1);
    if (path === "project/modules/module") this.modules.push(text);
    else if (path === `${plugin}/artifactId`) this.plugins.push(text);
    else if (last && path === `${dependency}/artifactId`) last.name = text;
    else if (last && path === `${dependency}/scope`) last.isForTests = text === "test";
    else if (this.#open.length <= 3) this.texts.set(path, text);
  }
}
