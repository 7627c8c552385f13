import { ForgeError } from "../../kernel/errors.ts";

const loopback = /^(?:localhost|127(?:\.\d{1,3}){3}|\[::1\])$/;

/**
 * The origin a token belongs to: scheme, host and port of an address, and nothing else of it. Refused where the token would
 * travel unencrypted beyond this machine.
 */
export function originOf(address: string | URL): string {
  const url = URL.canParse(String(address)) ? new URL(address) : undefined;
  if (!url || (url.protocol !== "https:" && url.protocol !== "http:"))
    throw new ForgeError("VALIDATION_ERROR", "This is not the address of a server, so no token can be stored for it.", {
      next: ["Use an address such as https://forge.example.org."],
    });
  if (url.protocol === "http:" && !loopback.test(url.hostname))
    throw new ForgeError("VALIDATION_ERROR", `A token for ${url.origin} would be sent unencrypted.`, {
      details: { origin: url.origin },
      next: ["Use https://. http:// is only for servers on this machine (localhost, 127.0.0.1, [::1])."],
    });
  return url.origin;
}
