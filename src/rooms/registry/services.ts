import type { Library } from "./client/library.ts";

export type RegistryServices = { library: Library };
