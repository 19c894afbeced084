// A company as end users read of it in the consent: its name, and the addresses of its policies.
export type Company = { name: string; privacyUrl?: string; termsUrl?: string };

export const companyNameLengthMax = 100;
const policyUrlLengthMax = 500;

/** Whether a text is an https address without a user name or password, at most 500 characters long. */
export const isPolicyUrl = (text: string): boolean => {
  if (text.length > policyUrlLengthMax || !URL.canParse(text)) return false;
  const { protocol, username, password } = new URL(text);
  return protocol === 'https:' && username === '' && password === '';
};
