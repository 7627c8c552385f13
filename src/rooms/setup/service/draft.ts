import { type ConfigPlace, type FoundConfig, missingFolders, readConfig } from "../../../platform/state/config-file.ts";
import type { Splice } from "../formats/splice.ts";
import { type Made, recordMade, undo } from "./record.ts";

/** What is to become of one file; nothing is written before every file has been thought through. */
export class Draft {
  readonly name: string;
  readonly place: ConfigPlace;
  readonly found: FoundConfig;
  /** What earlier runs did to it. */
  readonly earlier: Made | undefined;
  /** Undefined where the file is not to be. */
  text: string | undefined;
  /** What this run does to it, for later runs; undefined where nothing of ours remains. */
  made: Made | undefined;
  /** What for: `Claude Code`, `all assistants`. */
  readonly reasons: string[] = [];

  constructor(name: string, place: ConfigPlace, earlier: Made | undefined) {
    this.name = name;
    this.place = place;
    this.found = readConfig(place);
    this.earlier = earlier;
    this.text = this.found.text;
    this.made = earlier;
  }

  get isChanged(): boolean {
    return this.text !== this.found.text;
  }

  /** The file without what earlier runs put in, where nothing else was changed since; undefined otherwise. */
  get original(): string | undefined {
    return this.text !== undefined && this.earlier ? undo(this.text, this.earlier) : undefined;
  }

  /** Takes over an addition to what the file was before Forge came. */
  add(text: string, splices: Splice[], createdContainer: boolean, before: string | undefined): void {
    const isFresh = this.found.text === undefined;
    this.text = text;
    this.made = recordMade(text, splices, {
      createdFile: before === undefined || (this.earlier?.createdFile ?? false),
      createdFolders: isFresh ? missingFolders(this.place) : (this.earlier?.createdFolders ?? []),
      createdContainer,
    });
  }

  /** Takes over a change inside what is ours: undoing goes by structure from now on. */
  change(text: string): void {
    this.text = text;
    this.made = this.earlier && { ...this.earlier, sha256: "", splices: [] };
  }

  /** Takes over the file without anything of ours; an emptied file that we made goes altogether. */
  remove(text: string, isEmpty: boolean): void {
    this.text = isEmpty && (this.earlier?.createdFile ?? false) ? undefined : text;
    this.made = undefined;
  }
}
