export { LocalAccess } from "./service/access.ts";
