import { defineShortcut } from "../../contracts/define-shortcut.ts";

export const forgeGetPhysics = defineShortcut("forge_get_physics", "Read the physics", "physics");
