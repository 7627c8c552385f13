export { Trust } from "./trust.ts";
