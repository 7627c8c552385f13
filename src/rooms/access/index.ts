export { LocalAccess } from "./access.ts";
