import { type ChildProcess, execFileSync, spawn } from "node:child_process";
import { randomBytes } from "node:crypto";
import { chownSync, existsSync, mkdtempSync, readdirSync, rmSync, writeFileSync } from "node:fs";
import { createServer } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setTimeout as pause } from "node:timers/promises";
import pg from "pg";

export type PostgresServer = { url: string; stop(): Promise<void> };

export const howToGetPostgres = "install Debian's postgresql";

/** Tests do not need durable data. */
const hasty = { fsync: "off", synchronous_commit: "off", full_page_writes: "off" };

const settings = {
  shared_buffers: "32MB",
  max_connections: "100",
  listen_addresses: "127.0.0.1",
  unix_socket_directories: "",
};

/** The program folder of the newest installed PostgreSQL; undefined if there is none. */
export function findPostgres(): string | undefined {
  const versions = "/usr/lib/postgresql";
  if (!existsSync(versions)) return undefined;
  const found = readdirSync(versions)
    .filter((version) => existsSync(join(versions, version, "bin", "initdb")))
    .sort((a, b) => Number(b) - Number(a));
  return found[0] && join(versions, found[0], "bin");
}

/** Whether the newest installed PostgreSQL has the extension pgvector. */
export function hasPgvector(): boolean {
  const version = findPostgres()?.split("/").at(-2);
  return version !== undefined && existsSync(`/usr/share/postgresql/${version}/extension/vector.control`);
}

/**
 * A private server on a free loopback port, with its data in a temporary folder. It always ends with this process.
 * `durable`: commits wait for the disk, as in production.
 */
export async function startPostgres({ durable = false } = {}): Promise<PostgresServer> {
  const programs = findPostgres();
  if (!programs) throw new Error(`PostgreSQL was not found: ${howToGetPostgres}.`);
  for (let attempt = 1; ; attempt++) {
    const server = await startOnce(programs, durable ? settings : { ...settings, ...hasty });
    if (server) return server;
    // Another process took the port in the meantime.
    if (attempt === 3) throw new Error("PostgreSQL was found but did not start.");
  }
}

async function startOnce(programs: string, chosen: Record<string, string>): Promise<PostgresServer | undefined> {
  const folder = mkdtempSync(join(tmpdir(), "forge-postgres-"));
  try {
    const owner = unprivilegedUser();
    const password = randomBytes(12).toString("hex");
    const passwordFile = join(folder, "password");
    writeFileSync(passwordFile, password);
    if (owner) for (const path of [folder, passwordFile]) chownSync(path, owner.uid, owner.gid);
    const surroundings = { cwd: folder, env: { PATH: "/usr/bin:/bin", LC_ALL: "C" }, ...owner };
    execFileSync(
      join(programs, "initdb"),
      [
        "-D",
        join(folder, "data"),
        "-U",
        "forge",
        "-A",
        "scram-sha-256",
        "-E",
        "UTF8",
        "--locale=C",
        "--no-sync",
      ].concat(`--pwfile=${passwordFile}`),
      { ...surroundings, stdio: ["ignore", "ignore", "pipe"] },
    );
    const port = await freePort();
    const options = Object.entries(chosen).flatMap(([name, value]) => ["-c", `${name}=${value}`]);
    const command = [join(programs, "postgres"), "-D", join(folder, "data"), "-p", String(port), ...options];
    const child = spawn("sh", ["-c", keeper, folder, ...command], {
      ...surroundings,
      stdio: ["pipe", "ignore", "ignore"],
    });
    const url = `postgres://forge:${password}@127.0.0.1:${port}/postgres`;
    if (await answers(url, child)) return { url, stop: () => stop(child, folder) };
    await stop(child, folder);
    return undefined;
  } catch (error) {
    rmSync(folder, { recursive: true, force: true });
    throw error;
  }
}

type Owner = { uid: number; gid: number };

/** PostgreSQL refuses to run as root. */
function unprivilegedUser(): Owner | undefined {
  if (process.getuid?.() !== 0) return undefined;
  for (const name of ["postgres", "nobody"]) {
    try {
      const id = (flag: string) => Number(execFileSync("id", [flag, name], { stdio: ["ignore", "pipe", "ignore"] }));
      return { uid: id("-u"), gid: id("-g") };
    } catch {
      // No such user; the next one will do.
    }
  }
  throw new Error("PostgreSQL refuses to run as root, and there is no user postgres or nobody to run it as.");
}

/**
 * The shell waits for its stdin to close, which also happens when this process is killed; then it ends the server and
 * removes the folder. If the server ends first, so does the shell.
 */
const keeper = `
"$@" & server=$!
(while kill -0 $server 2>/dev/null; do sleep 1; done; kill $$ 2>/dev/null) >/dev/null 2>&1 &
watcher=$!
cat >/dev/null
kill $watcher 2>/dev/null
kill -INT $server 2>/dev/null
wait $server
rm -rf "$0"
`;

async function stop(child: ChildProcess, folder: string): Promise<void> {
  if (child.exitCode === null && child.signalCode === null) {
    const ended = new Promise((done) => child.once("exit", done));
    child.stdin?.end();
    await ended;
  }
  rmSync(folder, { recursive: true, force: true });
}

async function answers(url: string, child: ChildProcess): Promise<boolean> {
  const deadline = Date.now() + 30_000;
  while (Date.now() < deadline && child.exitCode === null && child.signalCode === null) {
    const client = new pg.Client({ connectionString: url });
    try {
      await client.connect();
      return true;
    } catch {
      await pause(50);
    } finally {
      await client.end().catch(() => undefined);
    }
  }
  return false;
}

function freePort(): Promise<number> {
  return new Promise((resolve, reject) => {
    const server = createServer();
    server.once("error", reject);
    server.listen(0, "127.0.0.1", () => {
      const address = server.address();
      server.close(() => resolve(typeof address === "object" && address ? address.port : 0));
    });
  });
}
