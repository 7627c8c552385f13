import { ForgeError } from "../../kernel/errors.ts";

const loopback = "127.0.0.1";

/** `HOST:PORT` from what a person may write: with both, a host or a port alone, IPv6 in brackets; undefined for nothing. */
export function readAddress(text: string | undefined, flag: string): string | undefined {
  if (text === undefined || text === "") return undefined;
  const { host, port } = /^(?<host>\[[0-9a-fA-F:.]+\]|[A-Za-z0-9.-]*)(?::(?<port>\d{1,5}))?$/.exec(text)?.groups ?? {};
  if (host === undefined) throw wrongAddress(text, flag);
  if (port === undefined && /^\d{1,5}$/.test(host)) return join(loopback, host, text, flag);
  return join(host === "" ? loopback : host, port ?? "0", text, flag);
}

function join(host: string, port: string, text: string, flag: string): string {
  if (Number(port) > 65_535) throw wrongAddress(text, flag);
  return `${host}:${Number(port)}`;
}

function wrongAddress(text: string, flag: string): ForgeError {
  return new ForgeError("VALIDATION_ERROR", `${flag} cannot be "${text.slice(0, 64)}"; it is HOST:PORT or PORT.`, {
    suggestions: [`For example: ${flag} ${loopback}:8080. Port 0 takes any free one.`],
  });
}
