import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { onTestFinished } from "vitest";
import {
  ConfigFile,
  openServer,
  type RemoteServer,
  type StoredLogin,
  serverAddress,
} from "../../src/commons/remote/index.ts";
import { Copies } from "../../src/commons/remote/offline/copies.ts";
import { Redactor } from "../../src/kernel/text/redactor.ts";
import type { StageLimits } from "../../src/platform/fetch/types.ts";
import { RemoteTickets } from "../../src/rooms/tickets/remote/remote-tickets.ts";
import { TestFetcher } from "../harness/http/fetching.ts";

export const tokens = { accessToken: "access-token-0001", refreshToken: "refresh-token-0001" };

/** One person's machine: a home of their own, and a program that talks to a server. It waits for nothing. */
export class Laptop {
  readonly home: string;
  readonly redactor = new Redactor();
  readonly logged: string[] = [];
  /** How long was waited before each repetition. */
  readonly pauses: number[] = [];
  readonly file: ConfigFile;

  constructor(home?: string) {
    this.home = home ?? mkdtempSync(join(tmpdir(), "forge-laptop-"));
    if (home === undefined) onTestFinished(() => rmSync(this.home, { recursive: true, force: true }));
    this.file = new ConfigFile(
      (_level, message) => this.logged.push(message),
      join(this.home, ".forge", "config.json"),
    );
  }

  get copies(): Copies {
    return new Copies(join(this.home, ".forge", "cache"));
  }

  async signIn(apiUrl: string, login: Partial<StoredLogin> = {}): Promise<StoredLogin> {
    const stored = {
      ...tokens,
      expiresAt: "2026-03-01T10:00:00.000Z",
      userId: "u1",
      teamId: "team-1",
      user: { email: "ada@example.org", displayName: "Ada" },
      apiUrl,
      ...login,
    };
    await this.file.write(stored);
    return stored;
  }

  /** With the sign-in in the file, or with a token. */
  server(apiUrl: string, { token, limits }: { token?: string; limits?: Partial<StageLimits> } = {}): RemoteServer {
    return openServer({
      chosen: { address: serverAddress(apiUrl, "test"), signIn: token === undefined ? "stored" : { token } },
      file: this.file,
      fetcher: new TestFetcher({}, limits ? { limits } : {}),
      redactor: this.redactor,
      log: (_level, message) => void this.logged.push(message),
      pause: async (ms) => void this.pauses.push(ms),
    });
  }

  tickets(server: RemoteServer): RemoteTickets {
    const tickets = new RemoteTickets({ server, copies: this.copies });
    onTestFinished(() => tickets.stop());
    return tickets;
  }
}
