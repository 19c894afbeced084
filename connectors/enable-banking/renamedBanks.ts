// Banks that Enable Banking has renamed. Its directory has only their current names; the former ones are in its monthly changelog
// (https://enablebanking.com/blog).

/** The previous names of a bank, by its current name. */
const formerNames: Record<string, readonly string[]> = {
  'Sparekassen Danmark, DK': ['Sparekassen Vendsyssel'],
};

/** The former names of a bank. */
export const formerNamesOf = ({ name, country }: { name: string; country: string }): readonly string[] =>
  formerNames[`${name}, ${country}`] ?? [];
