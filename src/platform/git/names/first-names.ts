/** Some names, first by code unit, and how many others there are. */
export type NameList = { names: string[]; omitted: number };

/** Keeps the first names of any number of them in bounded memory. */
export class FirstNames {
  readonly #limit: number;
  #names: string[] = [];
  #count = 0;

  constructor(limit: number) {
    this.#limit = limit;
  }

  add(name: string): void {
    this.#count++;
    this.#names.push(name);
    if (this.#names.length > 4 * this.#limit) this.#trim();
  }

  toList(): NameList {
    this.#trim();
    return { names: this.#names, omitted: this.#count - this.#names.length };
  }

  #trim(): void {
    this.#names = this.#names.sort().slice(0, this.#limit);
  }
}
