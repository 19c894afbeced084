// The mark of a bank or an application: its initials on a colour of its own, always the same for the same name.
// Drawn here, because a picture from somewhere else would tell somewhere else who connects which bank.

const hues = [4, 28, 48, 140, 168, 196, 218, 250, 282, 326];

const hueOf = (name: string): number => {
  let sum = 7;
  for (const letter of name) sum = (sum * 31 + letter.codePointAt(0)!) % 9973;
  return hues[sum % hues.length]!;
};

/** Of the words that the name itself writes large, if it has any: "Bank of the West" is BW. */
const initialsOf = (name: string): string => {
  const words = name.split(/\s+/).filter((word) => /^[\p{L}\p{N}]/u.test(word));
  const large = words.filter((word) => /^[\p{Lu}\p{N}]/u.test(word));
  const chosen = large.length ? large : words;
  return (
    chosen
      .slice(0, 2)
      .map((word) => [...word][0]!.toLocaleUpperCase())
      .join('') || '•'
  );
};

/** Decoration: the name stands beside it. */
export const Avatar = ({ name, large }: { name: string; large?: true }) => (
  <span class={large ? 'mark large' : 'mark'} style={{ '--hue': String(hueOf(name)) }} aria-hidden="true">
    {initialsOf(name)}
  </span>
);
