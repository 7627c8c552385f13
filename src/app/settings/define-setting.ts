import type { Option } from "../../kernel/definitions/command.ts";
import type { Reader } from "./setting-readers.ts";

export type Setting<T> = {
  /** Key in the settings file. */
  key: string;
  flag?: { name: string; option: Omit<Option, "help">; read: Reader<T>; help?: string };
  /** Variables that give it, the strongest first. */
  variables: { name: string; read: Reader<T>; help?: string }[];
  read: Reader<T>;
  default: T;
  /** Never shown, not even when wrong. */
  secret: boolean;
  /** Also for the flag and the variables that have no help of their own. */
  help: string;
};

export function defineSetting<T>(definition: Setting<T>): Setting<T> {
  return definition;
}
