export { type Claim, type Claiming, Claims } from "./claims.ts";
export { holderOf, isHolder, isOfPerson, patienceMs } from "./holders.ts";
export { inMinutes } from "./minutes.ts";
