// The avatar of a bank or an application: its initials on a colour that depends on the name. Not a remote image,
// because its server would learn who connects which bank.

const hues = [4, 28, 48, 140, 168, 196, 218, 250, 282, 326];

const hueOf = (name: string): number => {
  let hash = 7;
  for (const letter of name) hash = (hash * 31 + letter.codePointAt(0)!) % 9973;
  return hues[hash % hues.length]!;
};

/** The initials of the capitalised words, if there are any: "Bank of the West" is BW. */
const initialsOf = (name: string): string => {
  const words = name.split(/\s+/).filter((word) => /^[\p{L}\p{N}]/u.test(word));
  const capitalised = words.filter((word) => /^[\p{Lu}\p{N}]/u.test(word));
  const significant = capitalised.length ? capitalised : words;
  return (
    significant
      .slice(0, 2)
      .map((word) => [...word][0]!.toLocaleUpperCase())
      .join('') || '•'
  );
};

/** Hidden from screen readers: the name is beside it. */
export const Avatar = ({ name, large }: { name: string; large?: true }) => (
  <span class={large ? 'avatar large' : 'avatar'} style={{ '--hue': String(hueOf(name)) }} aria-hidden="true">
    {initialsOf(name)}
  </span>
);
