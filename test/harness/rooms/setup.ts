import {
  chmodSync,
  lstatSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  realpathSync,
  rmSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { onTestFinished } from "vitest";
import type { Surroundings } from "../../../src/rooms/setup/clients/surroundings.ts";
import type { SetupRequest } from "../../../src/rooms/setup/service/request.ts";
import { Setup } from "../../../src/rooms/setup/service/setup.ts";

/** A request without any options. */
export const nothing: SetupRequest = {
  clients: [],
  scope: undefined,
  outside: false,
  npx: false,
  skill: false,
  agentsMd: false,
  claudeMd: false,
};

/** A project with its own home directory; removed after the test. */
export class SetupPlace {
  readonly folder: string;
  readonly root: string;
  readonly home: string;
  readonly surroundings: Surroundings;

  constructor(more: Partial<Surroundings> = {}) {
    this.folder = realpathSync.native(mkdtempSync(join(tmpdir(), "forge-setup-")));
    this.root = join(this.folder, "shop");
    this.home = join(this.folder, "home");
    mkdirSync(this.root);
    mkdirSync(this.home);
    this.surroundings = {
      root: this.root,
      stateDir: join(this.root, ".forge"),
      home: this.home,
      env: { PATH: "" },
      platform: "linux",
      version: "1.2.3",
      nameOnPath: "forge",
      node: "/opt/node/bin/node",
      script: "/opt/forge/bin/forge.cjs",
      isFromNpx: false,
      ...more,
    };
    onTestFinished(() => rmSync(this.folder, { recursive: true, force: true }));
  }

  get setup(): Setup {
    return new Setup(this.surroundings);
  }

  async init(request: Partial<SetupRequest>): Promise<void> {
    await this.setup.plan({ ...nothing, ...request }).apply();
  }

  async remove(request: Partial<SetupRequest> = {}): Promise<void> {
    await this.setup.planRemoval({ ...nothing, clients: undefined, ...request }).apply();
  }

  write(path: string, text: string): void {
    mkdirSync(dirname(join(this.folder, path)), { recursive: true });
    writeFileSync(join(this.folder, path), text);
  }

  writeBytes(path: string, bytes: Uint8Array): void {
    writeFileSync(join(this.folder, path), bytes);
  }

  read(path: string): string {
    return readFileSync(join(this.folder, path), "utf8");
  }

  link(path: string, target: string): void {
    mkdirSync(dirname(join(this.folder, path)), { recursive: true });
    symlinkSync(target, join(this.folder, path));
  }

  makeFolder(path: string): void {
    mkdirSync(join(this.folder, path), { recursive: true });
  }

  setMode(path: string, mode: number): void {
    chmodSync(join(this.folder, path), mode);
  }

  isLink(path: string): boolean {
    return lstatSync(join(this.folder, path)).isSymbolicLink();
  }

  /** Every file and folder with its content and permissions. */
  contents(): Record<string, string> {
    const entries = readdirSync(this.folder, { recursive: true, encoding: "utf8" }).sort();
    return Object.fromEntries(entries.map((name) => [name, describe(join(this.folder, name))]));
  }
}

function describe(path: string): string {
  const entry = statSync(path);
  const mode = (entry.mode & 0o777).toString(8);
  return entry.isDirectory() ? `folder ${mode}` : `${mode} ${readFileSync(path, "utf8")}`;
}
