export { type Claim, type ClaimRequest as Claiming, Claims } from "./claims.ts";
export { holderOf, holderTimeoutMs as patienceMs, isHolder } from "./holders.ts";
export { formatMinutes as inMinutes } from "./minutes.ts";
