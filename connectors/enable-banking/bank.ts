// Converts a bank in the directory to an institution. The provider has no ids for banks: name and country identify them.
import { createHash } from 'node:crypto';
import { BankUnreachable, type Institution, parseUrl } from '@bank-connection/connector-kit';
import { formerNamesOf } from './renamedBanks.ts';
import type { Schemas } from './schemas.ts';

export type Use = Schemas['PsuType'];

/**
 * The `ref` of an institution, with everything that a sign-in needs: the uses (personal, business), the maximum validity of
 * consents in seconds, the required headers about the user, and the sign-in methods if the user can choose.
 */
export type Bank = {
  name: string;
  country: string;
  uses: Use[];
  seconds: number;
  psuHeaders: string[];
  methods: { use: Use; name: string; title: string }[];
};

/** Throws BankUnreachable('down') if there is no `ref`, because the directory no longer lists the bank. */
export const parseRef = (ref: string | undefined): Bank => {
  if (ref === undefined) throw new BankUnreachable('down');
  return JSON.parse(ref);
};

/**
 * The id of a bank: at most 63 of a-z, 0-9 and `-`. If the name has other characters or is too long, the id includes a hash of
 * the name, so that no two banks share an id.
 */
export const institutionId = (name: string, country: string): string => {
  const plain = name.normalize('NFKD').replace(/\p{M}/gu, '').toLowerCase();
  const slug = plain.replace(/[^a-z0-9]+/g, '-').replace(/^-|-$/g, '');
  const end = country.toLowerCase();
  const isWhole = slug.length <= slugLengthMax && /^[a-z0-9]+(?: [a-z0-9]+)*$/.test(name.toLowerCase());
  if (isWhole) return `${slug}-${end}`;
  const hash = createHash('sha256').update(name).digest('hex').slice(0, hashLength);
  return [slug.slice(0, slugLengthMax - hashLength - 1).replace(/-$/, ''), hash, end]
    .filter(Boolean)
    .join('-');
};

const slugLengthMax = 60;
const hashLength = 8;

/** The maximum length of a `ref`. If a bank's list of methods is too long, the user chooses on the bank's page. */
const refBytesMax = 1024;

const toRef = (bank: Bank): string => {
  const ref = JSON.stringify(bank);
  return Buffer.byteLength(ref) <= refBytesMax ? ref : JSON.stringify({ ...bank, methods: [] });
};

/** The methods for each use that has several. Hidden methods are meant for the provider's own page. */
const methodsOf = ({ auth_methods, psu_types }: Schemas['Aspsp']): Bank['methods'] =>
  psu_types.flatMap((use) => {
    const shown = auth_methods.filter(({ psu_type, hidden_method }) => psu_type === use && !hidden_method);
    const named = shown.flatMap(({ name, title }) => (name ? { use, name, title: title || name } : []));
    return named.length > 1 ? named : [];
  });

// The provider's logo server resizes logos: the service accepts at most 512 by 512 pixels.
const toLogoUrl = (logo: string): string | undefined =>
  parseUrl(logo)?.protocol === 'https:' ? `${logo.replace(/\/?$/, '/')}-/resize/500x/` : undefined;

const codePattern = /^[0-9a-z]{8,11}$/i;

/** There are no fields, because end users sign in on the bank's own page. */
export const toInstitution = (aspsp: Schemas['Aspsp']): Institution => {
  const { name, country, psu_types: uses, maximum_consent_validity: seconds, bic, group, beta } = aspsp;
  const logoUrl = toLogoUrl(aspsp.logo);
  const psuHeaders = aspsp.required_psu_headers ?? [];
  const formerIds = formerNamesOf(aspsp).map((former) => institutionId(former, country));
  return {
    ...{ id: institutionId(name, country), name, country, fields: [], audience: uses },
    ref: toRef({ name, country, uses, seconds, psuHeaders, methods: methodsOf(aspsp) }),
    ...(logoUrl !== undefined && { logoUrl }),
    ...(group?.name && { group: group.name }),
    ...(bic && codePattern.test(bic) && { codes: [bic] }),
    ...(formerIds.length > 0 && { formerIds }),
    ...(beta && { beta }),
  };
};
