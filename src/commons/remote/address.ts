import { invalidAddress } from "./errors.ts";

/** Where a Forge server's REST endpoints are. */
export type ServerAddress = {
  /** `https://forge.example/api`, without a slash at the end. */
  api: string;
  /** What people are told: `https://forge.example`. */
  origin: string;
};

/** Reads the address a person gave; `source` is where they gave it. One without a path means the server's `/api`. */
export function serverAddress(text: string, source: string): ServerAddress {
  const url = URL.canParse(text.trim()) ? new URL(text.trim()) : undefined;
  const wrong = url ? problemOf(url) : "it is not a complete URL";
  if (!url || wrong !== undefined) throw invalidAddress(source, wrong ?? "");
  const way = url.pathname.split("/").filter((name) => name !== "");
  return { api: `${url.origin}/${way.length === 0 ? "api" : way.join("/")}`, origin: url.origin };
}

function problemOf({ protocol, username, password, search, hash }: URL): string | undefined {
  if (protocol !== "https:" && protocol !== "http:") return `${protocol} is neither https: nor http:`;
  if (username !== "" || password !== "") return "it contains a user name or password";
  return search === "" && hash === "" ? undefined : "it has a query or a fragment";
}
