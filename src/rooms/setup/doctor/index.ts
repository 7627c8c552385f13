export { examine } from "./examine.ts";
export type { Finding, Ports } from "./model.ts";
export { isNewer, newestVersion } from "./newest-version.ts";
