// A logo served by this service, or initials on a color derived from the name. No external image service is used, because it
// would learn who looks at whom.
const hueCount = 7;

const hueOf = (name: string): number => {
  let sum = 5;
  for (const letter of name) sum = (sum * 31 + letter.codePointAt(0)!) % 9973;
  return sum % hueCount;
};

const initialsOf = (name: string): string =>
  name
    .split(/[\s@._-]+/)
    .filter((word) => /^[\p{L}\p{N}]/u.test(word))
    .slice(0, 2)
    .map((word) => [...word][0]!.toLocaleUpperCase())
    .join('') || '•';

/** Decorative; always next to the name. */
export const Avatar = ({ name, logo, round }: { name: string; logo?: string; round?: boolean }) =>
  logo ? (
    <img className="avatar" src={logo} alt="" />
  ) : (
    <span className={`avatar hue${hueOf(name)}${round ? ' round' : ''}`} aria-hidden="true">
      {initialsOf(name)}
    </span>
  );
