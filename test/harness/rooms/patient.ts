import { join } from "node:path";
import { expect, onTestFinished } from "vitest";
import { openDatabase } from "../../../src/platform/db/database.ts";
import type { Migration } from "../../../src/platform/db/types.ts";
import { findProject } from "../../../src/platform/state/project.ts";
import { checks } from "../../../src/rooms/setup/doctor/checks/index.ts";
import { examine } from "../../../src/rooms/setup/doctor/examine.ts";
import type { Finding, World } from "../../../src/rooms/setup/doctor/model.ts";
import { makeSandbox, type Sandbox } from "../git/git.ts";

const migrations: Migration[] = [
  {
    id: 1,
    name: "things",
    async up(db) {
      await db.schema.createTable("things").addColumn("name", "text").execute();
    },
  },
];

/** A healthy project for `forge doctor` to check. */
export class Patient {
  readonly sandbox: Sandbox = makeSandbox();
  readonly folder = this.sandbox.repository("project", { "README.md": "# Hello\n" });

  constructor() {
    onTestFinished(() => this.sandbox.dispose());
  }

  get stateDir(): string {
    return findProject(this.folder).stateDir;
  }

  world(more: Partial<World> = {}): World {
    return {
      version: "1.2.3",
      nodeVersion: "22.1.0",
      program: join(this.sandbox.root, "nowhere"),
      environment: this.sandbox.environment,
      home: this.sandbox.environment["HOME"] ?? "",
      cwd: this.folder,
      project: findProject(this.folder),
      databaseUrl: undefined,
      knownSchema: 1,
      settingsProblems: [],
      now: () => Date.now(),
      signal: new AbortController().signal,
      ports: {},
      ...more,
    };
  }

  /** The findings of one check. */
  async find(id: string, more: Partial<World> = {}, fix = false): Promise<Finding | undefined> {
    const one = checks.filter((check) => check.id === id);
    expect(one).toHaveLength(1);
    const [finding] = await examine(this.world(more), { fix, checks: one });
    return finding;
  }

  /** Creates a store as the first call does; returns its file. */
  async makeStore(): Promise<string> {
    const { databaseFile } = findProject(this.folder);
    const database = openDatabase<{ things: { name: string } }>({ file: databaseFile }, migrations);
    await database.transaction((tx) => tx.insertInto("things").values({ name: "x" }).execute());
    await database.close();
    return databaseFile;
  }
}
