import type { ConfiguredRegistry } from "../config/config.ts";
import type { PackageFile } from "../packages/package-files.ts";
import type { Signature } from "../packages/signature.ts";

/** A package that was fetched, and what it is known by. */
export type FetchedPackage = { files: PackageFile[]; integrity: string };

/** A version of a plugin that a registry has. */
export type PluginOffer = {
  version: string;
  /** Why it was withdrawn. */
  yanked?: string;
  /** As published; absent where only fetching tells. */
  integrity?: string;
  size?: number;
  signature?: Signature;
  dependencies(): Promise<Record<string, string>>;
  fetch(): Promise<FetchedPackage>;
};

/** What one registry says of a plugin. */
export type PluginOffers = {
  name: string;
  registry: ConfiguredRegistry;
  offers: PluginOffer[];
  /** The user named the folder itself, and so where it is to come from. */
  isNamed?: true;
  /** Grows with every change; absent where the registry does not count them. */
  serial?: number;
  /** When the registry made the answer. */
  generatedAt?: number;
};
