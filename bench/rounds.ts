import { median, shuffled } from "./statistics.ts";

/** The measurements of each subject, one sample per round. */
export class Rounds<Sample> {
  readonly #samples = new Map<string, Sample[]>();

  samplesOf(name: string): Sample[] {
    return this.#samples.get(name) ?? [];
  }

  add(name: string, sample: Sample): void {
    this.#samples.set(name, [...this.samplesOf(name), sample]);
  }

  median(name: string, pick: (sample: Sample) => number | undefined): number | undefined {
    return median(this.samplesOf(name).map(pick).filter(isNumber));
  }

  /** The median of the rounds' ratios: what slows a round slows both sides. */
  ratio(name: string, against: string, pick: (sample: Sample) => number | undefined): number | undefined {
    const floor = this.samplesOf(against).map(pick);
    const ratios = this.samplesOf(name).map((sample, round) => quotient(pick(sample), floor[round]));
    return median(ratios.filter(isNumber));
  }

  /** The same for differences. */
  over(name: string, against: string, pick: (sample: Sample) => number | undefined): number | undefined {
    const floor = this.samplesOf(against).map(pick);
    const differences = this.samplesOf(name).map((sample, round) => difference(pick(sample), floor[round]));
    return median(differences.filter(isNumber));
  }

  toJSON(): Record<string, Sample[]> {
    return Object.fromEntries(this.#samples);
  }
}

/** Measures every subject once per round, in a new random order, so that changes of the machine affect all equally. */
export async function measureRounds<Subject extends { name: string }, Sample>(
  subjects: readonly Subject[],
  { count, random }: { count: number; random: () => number },
  measure: (subject: Subject) => Promise<Sample>,
): Promise<Rounds<Sample>> {
  const rounds = new Rounds<Sample>();
  for (let round = 0; round < count; round++) {
    for (const subject of shuffled(subjects, random)) rounds.add(subject.name, await measure(subject));
  }
  return rounds;
}

function quotient(value: number | undefined, floor: number | undefined): number | undefined {
  return value === undefined || !floor ? undefined : value / floor;
}

function difference(value: number | undefined, floor: number | undefined): number | undefined {
  return value === undefined || floor === undefined ? undefined : value - floor;
}

function isNumber(value: number | undefined): value is number {
  return value !== undefined;
}
