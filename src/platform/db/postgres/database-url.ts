import { ForgeError } from "../../../kernel/errors.ts";

/** What may be shown of a database's address: never the password, nor the options, which can contain one. */
export type PostgresAddress = { url: string; host: string; database: string; user: string; shown: string };

export function parseDatabaseUrl(url: string): PostgresAddress {
  const parsed = parse(url);
  if (!parsed) throw badUrl("it is not a URL");
  if (parsed.protocol !== "postgres:" && parsed.protocol !== "postgresql:") {
    throw badUrl("it does not start with postgres://");
  }
  // An unescaped / ? or # ends the password early and puts its rest into parts that are shown.
  if ([parsed.pathname, parsed.search, parsed.hash].some((part) => part.includes("@"))) {
    throw badUrl("it contains an @ in the wrong place");
  }
  const socket = parsed.searchParams.get("host");
  const host = socket ?? (parsed.hostname === "" ? "localhost" : decodeURIComponent(parsed.hostname));
  const port = socket?.startsWith("/") ? "" : `:${parsed.searchParams.get("port") ?? (parsed.port || "5432")}`;
  const database = decodeURIComponent(parsed.pathname.slice(1));
  const user = decodeURIComponent(parsed.username);
  return { url, host, database, user, shown: `${host}${port}${database === "" ? "" : `, database ${database}`}` };
}

/** The address with a name that the server shows beside this process's connections, unless it has one. */
export function withProgramName(url: string, name: string): string {
  if (/[?&]application_name=/.test(url)) return url;
  return `${url}${url.includes("?") ? "&" : "?"}application_name=${encodeURIComponent(name)}`;
}

function parse(url: string): URL | undefined {
  try {
    const parsed = new URL(url);
    decodeURIComponent(`${parsed.hostname}${parsed.pathname}${parsed.username}${parsed.password}`);
    return parsed;
  } catch {
    // The error of `new URL` carries the whole address, password and all: it ends here.
    return undefined;
  }
}

function badUrl(why: string): ForgeError {
  return new ForgeError("CONFIG_ERROR", `FORGE_DATABASE_URL cannot be used: ${why}.`, {
    details: { setting: "FORGE_DATABASE_URL", expected: "postgres://USER:PASSWORD@HOST:5432/DATABASE" },
    next: [
      "Write it as postgres://USER:PASSWORD@HOST:5432/DATABASE.",
      "Write special characters in the password as %XX: @ is %40, / is %2F, # is %23, ? is %3F.",
    ],
  });
}
