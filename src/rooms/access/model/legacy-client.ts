/** The name of a sign-in by forge-cli 1.0.1, which gives none itself. */
export const legacyClientName = "forge-cli 1.0.1";

/** What Node's own fetch calls itself. */
export function isNodeFetch(agent: string | undefined): boolean {
  return agent === "node" || agent === "undici";
}
