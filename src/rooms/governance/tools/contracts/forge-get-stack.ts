import { defineShortcut } from "../../contracts/define-shortcut.ts";

export const forgeGetStack = defineShortcut("forge_get_stack", "Read the stack", "stack");
