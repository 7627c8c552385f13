"use strict";
// Starts the bundled program. Plain JavaScript that Node runs as it is: it keeps V8's compiled code of every chunk in the
// user's cache folder, so that the second start compiles nothing. Where that folder cannot be used, or the cache does not
// fit this Node, the program simply starts without it.

const fs = require("node:fs");
const path = require("node:path");
const vm = require("node:vm");

const buildId = "@BUILD_ID@";
const modules = new Map();
const uncached = [];

exports.launch = (binary) => {
  const [major, minor] = process.versions.node.split(".").map(Number);
  if (major < 20 || (major === 20 && minor < 19)) {
    process.stderr.write(`forge needs Node 20.19 or newer; this is ${process.version}.\n`);
    process.exitCode = 1;
    return;
  }
  process.once("exit", writeCaches);
  load("./main.cjs").main(binary, process.argv.slice(2));
};

/** A chunk's exports. Chunks know each other as `./name.cjs`; everything else is Node's own or an installed package. */
function load(name) {
  const known = modules.get(name);
  if (known) return known.exports;
  const module = { exports: {} };
  modules.set(name, module);
  const filename = path.join(__dirname, name);
  if (Object.hasOwn(provided, name)) {
    provided[name](module.exports, localRequire, module, filename, __dirname);
    return module.exports;
  }
  const source = fs.readFileSync(filename, "latin1");
  const cachedData = readCache(name);
  const script = new vm.Script(`(function(exports,require,module,__filename,__dirname){${source}\n})`, {
    filename,
    ...(cachedData && { cachedData }),
  });
  if (!cachedData || script.cachedDataRejected) {
    uncached.push({ name, script });
    // A server may live for days and be killed in the end: do not wait for its exit alone.
    if (uncached.length === 1) setTimeout(writeCaches, 3000).unref();
  }
  script.runInThisContext()(module.exports, localRequire, module, filename, __dirname);
  return module.exports;
}

function localRequire(id) {
  return id.startsWith("./") ? load(id) : require(id);
}

/** What the build takes out of each chunk: how modules are imported and exported. */
localRequire.helpers = {
  __export: (target, getters) => {
    for (const name in getters) Object.defineProperty(target, name, { get: getters[name], enumerable: true });
  },
  __reExport: (target, module, second) => {
    copyGetters(target, module, "default");
    if (second) copyGetters(second, module, "default");
  },
  __toCommonJS: (module) => Object.defineProperty(module, "__esModule", { value: true }),
  // Always for Node's own or an installed package, whose `default` is all that it exports.
  __toESM: (module, isNode) => {
    const target = module == null ? {} : Object.create(Object.getPrototypeOf(module));
    if (isNode || !module?.__esModule) Object.defineProperty(target, "default", { value: module, enumerable: true });
    return copyGetters(target, module);
  },
};

function copyGetters(target, source, except) {
  if ((source && typeof source === "object") || typeof source === "function") {
    for (const key of Object.getOwnPropertyNames(source)) {
      if (Object.hasOwn(target, key) || key === except) continue;
      const enumerable = Object.getOwnPropertyDescriptor(source, key)?.enumerable !== false;
      Object.defineProperty(target, key, { get: () => source[key], enumerable });
    }
  }
  return target;
}

/** Some files bring the chunks along that they need: fewer files to open. */
const provided = {};
localRequire.provide = (chunks) => Object.assign(provided, chunks);

/** Where caches are kept, or undefined where the folder is not ours alone: code is run from it. */
let folder;
function cacheFolder(create) {
  if (folder !== undefined) return folder || undefined;
  folder = "";
  if (process.env.FORGE_CODE_CACHE === "off") return undefined;
  const place = cachePlace();
  if (!place) return undefined;
  try {
    if (create) makeFolder(place);
    const entry = fs.lstatSync(place);
    const isOurs = process.platform === "win32" || (entry.uid === process.getuid() && (entry.mode & 0o022) === 0);
    folder = entry.isDirectory() && isOurs ? place : "";
  } catch {
    if (!create) folder = undefined;
  }
  return folder || undefined;
}

/** With its parent, and no more: Node's own recursive way never returns where the system says ENOENT to everything (/proc). */
function makeFolder(place) {
  if (fs.existsSync(place)) return;
  if (!fs.existsSync(path.dirname(place))) fs.mkdirSync(path.dirname(place), { mode: 0o700 });
  fs.mkdirSync(place, { mode: 0o700 });
}

/** Only a whole path counts: a relative one would make a project's own files the user's cache. */
function cachePlace() {
  const { env, platform } = process;
  const inside = (base, ...names) => (base && path.isAbsolute(base) ? path.join(base, ...names) : undefined);
  if (platform === "win32") return inside(env.LOCALAPPDATA, "forge-mcp", "cache");
  if (platform === "darwin") return inside(env.HOME, "Library", "Caches", "forge-mcp");
  return inside(env.XDG_CACHE_HOME, "forge-mcp") ?? inside(env.HOME, ".cache", "forge-mcp");
}

/** V8 checks only the source's length, so the build's hash is in the name: a cache never meets another build's source. */
function cacheFile(place, name) {
  return path.join(place, `${buildId}-${process.version}-${process.arch}-${path.basename(name, ".cjs")}.v8`);
}

/**
 * A cache as it was written, or undefined: V8 would run a damaged one, and crash. It is there twice, since nothing compares as
 * fast as two copies: a checksum in JavaScript that is not compiled yet takes longer than reading the second one.
 */
function readCache(name) {
  const place = cacheFolder(false);
  if (!place) return undefined;
  try {
    const bytes = fs.readFileSync(cacheFile(place, name));
    const data = bytes.subarray(0, bytes.length / 2);
    return data.length > 0 && data.equals(bytes.subarray(data.length)) ? data : undefined;
  } catch {
    return undefined;
  }
}

/** Written to a file of our own, synced, then renamed: however many start or die at once, a cache is whole or absent. */
function writeCaches() {
  const scripts = uncached.splice(0);
  const place = scripts.length > 0 ? cacheFolder(true) : undefined;
  if (!place) return;
  for (const { name, script } of scripts) {
    const file = cacheFile(place, name);
    const draft = `${file}.${process.pid}`;
    try {
      const handle = fs.openSync(draft, "wx", 0o600);
      try {
        const data = script.createCachedData();
        fs.writeFileSync(handle, Buffer.concat([data, data]));
        fs.fsyncSync(handle);
      } finally {
        fs.closeSync(handle);
      }
      fs.renameSync(draft, file);
    } catch {
      removeQuietly(draft);
      return;
    }
  }
  dropOldCaches(place);
}

function removeQuietly(file) {
  try {
    fs.rmSync(file, { force: true });
  } catch {
    // Gone with its folder, or never there.
  }
}

/** Caches of other builds that nobody has written for a month. */
function dropOldCaches(place) {
  const before = Date.now() - 30 * 86_400_000;
  try {
    for (const name of fs.readdirSync(place)) {
      const file = path.join(place, name);
      if (!name.startsWith(buildId) && fs.statSync(file).mtimeMs < before) removeQuietly(file);
    }
  } catch {
    // Another process is tidying up too, or the folder is read-only; next time.
  }
}
