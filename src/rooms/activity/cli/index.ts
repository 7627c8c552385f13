import { log } from "./log.ts";

export const commands = [log];
