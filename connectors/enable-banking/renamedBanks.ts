// Banks that Enable Banking has renamed. Its directory has only the current names; the former names are in its monthly changelog
// (https://enablebanking.com/blog).

/** Former names by a bank's current name and country. */
const formerNames: Record<string, readonly string[]> = {
  'Sparekassen Danmark, DK': ['Sparekassen Vendsyssel'],
};

export const formerNamesOf = ({ name, country }: { name: string; country: string }): readonly string[] =>
  formerNames[`${name}, ${country}`] ?? [];
