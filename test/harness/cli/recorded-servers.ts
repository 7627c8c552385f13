import type { App, ServedTeam } from "../../../src/commons/cli/app.ts";

/** Records what would be served, instead of serving until Ctrl+C. */
export class RecordedServers {
  readonly calls: unknown[][] = [];
  served: ServedTeam = {
    url: "http://127.0.0.1:7718",
    publicUrl: "http://127.0.0.1:7718",
    loginUrl: "http://127.0.0.1:7718",
    setupUrl: "http://127.0.0.1:7718/setup?code=abc",
  };

  /** For `run`: the program with these servers. */
  readonly with = (): Pick<App, "serve"> => ({
    serve: {
      stdio: async (selection) => this.#record("stdio", selection),
      http: async (selection, address, announce) => {
        announce("http://127.0.0.1:4000/mcp", undefined);
        return this.#record("http", selection, address);
      },
      up: async (selection, address, announce) => {
        announce({ url: "http://127.0.0.1:4000/", mcpUrl: "http://127.0.0.1:4000/mcp", project: "/home/ada/shop" });
        return this.#record("up", selection, address);
      },
      team: async (request, announce) => {
        announce(this.served);
        return this.#record("team", request);
      },
    },
  });

  #record(...call: unknown[]): number {
    this.calls.push(call);
    return 0;
  }
}
