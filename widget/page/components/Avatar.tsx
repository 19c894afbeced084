// The logo of a bank or an application, or its initials.
import { useState } from 'preact/hooks';
import { textColorOn } from '../theme.ts';

const hues = [4, 28, 48, 140, 168, 196, 218, 250, 282, 326];

const hueOf = (name: string): number => {
  let hash = 7;
  for (const letter of name) hash = (hash * 31 + letter.codePointAt(0)!) % 9973;
  return hues[hash % hues.length]!;
};

/** The initials of capitalized words, if there are any: "Bank of the West" becomes BW. */
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

type AvatarProps = { name: string; logo?: string; color?: string; large?: true };

/**
 * Shows a logo or, until it is loaded, initials on the bank's or application's color. Only the service serves logos, because
 * another server would learn who connects which bank. Hidden from screen readers, because the name is next to it.
 */
export const Avatar = ({ name, logo, color, large }: AvatarProps) => {
  const [loaded, setLoaded] = useState<string>();
  const style = color ? { color: textColorOn(color), background: color } : { '--hue': String(hueOf(name)) };
  return (
    <span class={large ? 'avatar large' : 'avatar'} style={style} aria-hidden="true">
      {initialsOf(name)}
      {logo && (
        <img src={logo} alt="" class={loaded === logo ? 'loaded' : ''} onLoad={() => setLoaded(logo)} />
      )}
    </span>
  );
};
