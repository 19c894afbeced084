// A company as it appears in the consent: its name, and the URLs of its policies.
import { parseUrl } from './text.ts';

export type Company = { name: string; privacyUrl?: string; termsUrl?: string };

export const companyNameLengthMax = 100;
const policyUrlLengthMax = 500;

/** True for an https URL without a user name or password, at most 500 characters long. */
export const isPolicyUrl = (text: string): boolean => {
  const url = text.length > policyUrlLengthMax ? undefined : parseUrl(text);
  return url?.protocol === 'https:' && url.username === '' && url.password === '';
};
