/** An option's value as one of its choices, which the parser has seen to. */
export function choiceOf<const T extends string>(choices: readonly T[], value: string | undefined): T | undefined {
  return choices.find((choice) => choice === value);
}
