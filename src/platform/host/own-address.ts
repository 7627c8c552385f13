import { networkInterfaces } from "node:os";

/** An address that other machines may reach this one at; undefined where it has none but its own loopback. */
export function findOwnAddress(): string | undefined {
  const all = Object.values(networkInterfaces()).flatMap((addresses) => addresses ?? []);
  return all.find(({ family, internal }) => family === "IPv4" && !internal)?.address;
}
