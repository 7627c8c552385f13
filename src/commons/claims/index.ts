export { type Claim, type Claiming, Claims } from "./claims.ts";
export { inMinutes } from "./errors.ts";
export { holderOf, isHolder, isOfPerson, patienceMs } from "./holders.ts";
