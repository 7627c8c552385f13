/** Runs the copy given first as the script given second, whose path, arguments and imports are as they would be without it. */
export const pythonStarter = `
import os, sys
def start():
    copy, path = sys.argv[1], sys.argv[2]
    sys.argv = sys.argv[2:]
    if sys.path and sys.path[0] == "": sys.path[0] = os.path.dirname(path)
    with open(copy, "rb") as file: code = compile(file.read(), path, "exec")
    main = sys.modules["__main__"].__dict__
    main["__file__"] = path
    main.pop("start", None)
    return code
exec(start())
`;

/** The same for Node: a CommonJS module is compiled as the main module; for others the loader gets the copy's text. */
export const nodeStarter = `
import { readFileSync, existsSync } from "node:fs";
import Module, { register } from "node:module";
import { dirname, join } from "node:path";
import { pathToFileURL } from "node:url";

const [copy, path] = process.argv.splice(1, 3).slice(1);
process.argv.splice(1, 0, path);
const text = readFileSync(copy, "utf8");

function isModule() {
  if (path.endsWith(".mjs")) return true;
  if (path.endsWith(".cjs")) return false;
  for (let folder = dirname(path); ; folder = dirname(folder)) {
    const manifest = join(folder, "package.json");
    if (existsSync(manifest)) return JSON.parse(readFileSync(manifest, "utf8")).type === "module";
    if (folder === dirname(folder)) return false;
  }
}

if (isModule()) {
  const { href } = pathToFileURL(path);
  const hook = "let own; export const initialize = (data) => { own = data; };" +
    "export const load = (url, context, next) => url === own.href ?" +
    " { format: 'module', source: own.text, shortCircuit: true } : next(url, context);";
  register("data:text/javascript," + encodeURIComponent(hook), { data: { href, text } });
  await import(href);
} else {
  const main = new Module(path, null);
  main.id = ".";
  main.filename = path;
  main.paths = Module._nodeModulePaths(dirname(path));
  process.mainModule = main;
  Module._cache[path] = main;
  main._compile(text.replace(/^#!.*/, ""), path);
  main.loaded = true;
}
`;
