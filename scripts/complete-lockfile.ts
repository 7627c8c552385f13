/**
 * Completes package-lock.json with the optional packages for other systems that the current registry does not have: npm
 * leaves them out of the lockfile, and `npm ci` then rejects it. Run it after every change of dependencies.
 */
import { readFileSync, writeFileSync } from "node:fs";

type Entry = {
  version?: string;
  optional?: boolean;
  dev?: boolean;
  cpu?: string[];
  os?: string[];
  optionalDependencies?: Record<string, string>;
};

const file = "package-lock.json";
const lock = JSON.parse(readFileSync(file, "utf8")) as { packages: Record<string, Entry> };
const systems = ["aix", "android", "darwin", "freebsd", "linux", "netbsd", "openbsd", "openharmony", "sunos", "win32"];
const processors = ["arm", "arm64", "ia32", "loong64", "mips64el", "ppc64", "riscv64", "s390x", "wasm32", "x64"];
let added = 0;

for (const entry of Object.values(lock.packages)) {
  for (const [name, version] of Object.entries(entry.optionalDependencies ?? {})) {
    const place = `node_modules/${name}`;
    const parts = name.split(/[-/]/);
    const os = systems.filter((system) => parts.includes(system));
    const cpu = processors.filter((processor) => parts.includes(processor));
    // Only what npm will never fetch on another machine: exact versions for one system or processor.
    if (lock.packages[place] || !/^\d/.test(version) || os.length + cpu.length === 0) continue;
    lock.packages[place] = {
      version,
      ...(cpu.length > 0 && { cpu }),
      ...(entry.dev && { dev: true }),
      optional: true,
      ...(os.length > 0 && { os }),
    };
    added++;
  }
}
const [root, ...rest] = Object.entries(lock.packages);
lock.packages = Object.fromEntries([...(root ? [root] : []), ...rest.sort(([a], [b]) => (a < b ? -1 : 1))]);
writeFileSync(file, `${JSON.stringify(lock, null, 2)}\n`);
console.log(`${added} packages added`);
