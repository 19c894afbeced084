// The consent states who gets which data, for how long, and how the end user can stop it. The service, not the page, creates
// the text, so that it knows which text was accepted.
import type { components } from '../../../generated/widget.ts';
import { findCompany } from '../../domain/applications/store.ts';
import { insertConsentText } from '../../domain/connections/consentStore.ts';
import { hashConsent } from '../../domain/connections/consents.ts';
import type { Company } from '../../platform/values/company.ts';
import { ar } from './consentTexts/ar.ts';
import { de } from './consentTexts/de.ts';
import { type ConsentTexts, en } from './consentTexts/en.ts';
import { es } from './consentTexts/es.ts';
import { fr } from './consentTexts/fr.ts';
import { it } from './consentTexts/it.ts';
import { nl } from './consentTexts/nl.ts';
import { pl } from './consentTexts/pl.ts';
import { pt } from './consentTexts/pt.ts';
import type { ConsentText, LinkingDeps, OpenLinkSession } from './linkSession.ts';

type ConsentDeps = Pick<LinkingDeps, 'db' | 'limits' | 'operator'>;
type ConsentApplication = Pick<OpenLinkSession['application'], 'name' | 'organizationId'>;

/** The current consent for an application, in the language of a BCP 47 tag, or else in English. */
export const makeConsent = async (
  { db, limits, operator }: ConsentDeps,
  application: ConsentApplication,
  languageTag: string,
): Promise<ConsentText> => {
  const company = await findCompany(db.read, application.organizationId);
  const { language, texts } = consentTextsFor(languageTag);
  const parties = {
    application: application.name,
    ...(company && { company: company.name }),
    ...(operator && { operator: operator.name }),
    retentionDays: limits.retentionDays,
  };
  const text = {
    language,
    title: texts.title(parties),
    points: texts.points(parties),
    agreement: texts.agreement,
    links: linksOf(texts, company, operator),
  };
  return { ...text, hash: hashConsent(text) };
};

/** The current consent of a session, in the session's language. */
export const consentOf = (
  deps: ConsentDeps,
  { application, kept }: Pick<OpenLinkSession, 'application' | 'kept'>,
): Promise<ConsentText> => makeConsent(deps, application, kept.language ?? 'en');

/** Stores the text of a consent, so that it can be shown for as long as a connection refers to it. */
export const keepConsentText = async (
  { db, clock }: Pick<LinkingDeps, 'db' | 'clock'>,
  { hash, ...text }: ConsentText,
): Promise<void> => {
  const createdAt = clock.real().toISOString();
  await insertConsentText(db.write, { hash, text: JSON.stringify(text), createdAt });
};

// If one company runs both the application and the service, each policy is linked once.
const linksOf = (
  texts: ConsentTexts,
  company: Company | undefined,
  operator: Company | undefined,
): ConsentText['links'] => {
  const other = (key: 'privacyUrl' | 'termsUrl') =>
    operator?.[key] === company?.[key] ? undefined : operator?.[key];
  const others = operator && { ...operator, privacyUrl: other('privacyUrl'), termsUrl: other('termsUrl') };
  return [company, others].flatMap((one) => (one ? policiesOf(texts, one) : []));
};

const policiesOf = (texts: ConsentTexts, { name, privacyUrl, termsUrl }: Company): ConsentText['links'] => [
  ...(privacyUrl ? [{ label: texts.privacy(name), url: privacyUrl }] : []),
  ...(termsUrl ? [{ label: texts.terms(name), url: termsUrl }] : []),
];

type Language = components['schemas']['Language'];

const textsByLanguage: Record<Language, ConsentTexts> = { ar, de, en, es, fr, it, nl, pl, pt };

/** The texts for a BCP 47 tag; in English if the service does not have the language. */
export const consentTextsFor = (tag: string): { language: Language; texts: ConsentTexts } => {
  const code = tag.toLowerCase().split('-')[0]!;
  const language = isLanguage(code) ? code : 'en';
  return { language, texts: textsByLanguage[language] };
};

const isLanguage = (code: string): code is Language => Object.hasOwn(textsByLanguage, code);
