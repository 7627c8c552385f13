import { defineShortcut } from "../../contracts/define-shortcut.ts";

export const forgeGetDirective = defineShortcut(
  "forge_get_directive",
  "Read the builder directive",
  "builder_directive",
);
