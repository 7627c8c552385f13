import { defineShortcut } from "../../contracts/define-shortcut.ts";

export const forgeGetBoundaries = defineShortcut("forge_get_boundaries", "Read the boundaries", "boundaries");
