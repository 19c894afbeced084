// The challenges of a sign-in or a statement: the TAN method, the device, and the TAN itself.
import type { Challenge, ChallengeActions, SignInResult } from '@bank-connection/connector-kit';
import { wantsApproval } from './codes.ts';
import { type BankResponse, decodeSegment, segmentsOf } from './message.ts';
import { type ChallengeState, encodeState, type StoredChallenge, type TanSubject } from './state.ts';
import { pollSecondsDefault, type TanMedium, type TanMethod } from './tanMethods.ts';

type HitanFields = { orderReference?: string; challenge?: string; challengeHhdUc?: string };

/** The bank's question in HITAN and the order's reference; undefined if there is no question. */
export const findTanQuestion = (
  response: BankResponse,
): { orderReference: string; challenge: StoredChallenge } | undefined => {
  const [segment] = segmentsOf(response, 'HITAN');
  const {
    orderReference,
    challenge = '',
    challengeHhdUc = '',
  } = segment ? decodeSegment<HitanFields>(segment) : {};
  if (orderReference === undefined) return undefined;
  const { text = challenge, code = '' } = chipTanPattern.exec(challenge)?.groups ?? {};
  const image = decodeImage(Buffer.from(challengeHhdUc, 'latin1')) ?? toImage(Buffer.from(code, 'base64'));
  const isApproval = wantsApproval(response);
  return { orderReference, challenge: { text: toPlainText(text), ...(image && { image }), isApproval } };
};

/** Some banks send a chipTAN's code before the text, each with its length: a PNG in base64, or a flicker code. */
const chipTanPattern = /^\s*CHLGUC\s*\d{4,}(?<code>.*?)CHLGTEXT\d{4}(?<text>.*)$/s;

const breakTags = /<(br|\/p|\/li|\/tr)\b[^>]*>/gi;
const otherTags = /<[^<>]{1,200}>/g;

/** Banks may format the text with a few HTML tags (HITANS, "Challenge strukturiert"). */
const toPlainText = (text: string): string =>
  text.replace(breakTags, ' ').replace(otherTags, '').replace(/\s+/g, ' ').trim();

const pngSignature = Buffer.from('\x89PNG\r\n\x1A\n', 'latin1');

/**
 * The picture in an HHDUC as a data: URL. An HHDUC contains the media type and the picture, each after its length in two bytes
 * (HHD_UC matrix code). Undefined unless the picture is a PNG: flicker codes are numbers.
 */
const decodeImage = (hhduc: Buffer): string | undefined => {
  const media = readBlock(hhduc, 0);
  const picture = media && readBlock(hhduc, media.end);
  return media?.bytes.toString('latin1') === 'image/png' ? toImage(picture?.bytes) : undefined;
};

const toImage = (bytes: Buffer | undefined): string | undefined =>
  bytes?.subarray(0, 8).equals(pngSignature)
    ? `data:image/png;base64,${bytes.toString('base64')}`
    : undefined;

const readBlock = (bytes: Buffer, start: number): { bytes: Buffer; end: number } | undefined => {
  if (bytes.length < start + 2) return undefined;
  const end = start + 2 + bytes.readUInt16BE(start);
  return bytes.length < end ? undefined : { bytes: bytes.subarray(start + 2, end), end };
};

/** The challenge of a state, together with the encoded state. */
export const toChallengeResult = (state: ChallengeState): SignInResult & { kind: 'challenge' } => ({
  kind: 'challenge',
  challenge: toChallenge(state),
  challengeState: encodeState('challenge', state),
});

const toChallenge = (state: ChallengeState): Challenge => {
  if (state.step === 'method') return methodChoice(state.choices?.methods ?? []);
  if (state.step === 'medium') return mediumChoice(state.choices?.media ?? [], actionsOf(state));
  return tanChallenge(state, actionsOf(state));
};

const methodChoice = (methods: readonly TanMethod[]): Challenge => ({
  ...{ kind: 'choice', label: 'Welches TAN-Verfahren?', labelKey: 'choose_tan_method' },
  options: methods.map(({ id, name }) => ({ id: String(id), label: name })),
});

const mediumChoice = (media: readonly TanMedium[], actions: ChallengeActions): Challenge => ({
  ...{ kind: 'choice', label: 'Welches Gerät?', labelKey: 'choose_tan_medium', ...actions },
  options: media.map(({ name, number }) => ({ id: name, label: number ? `${name} (${number})` : name })),
});

const tanChallenge = (
  { about, challenge: { text, image, isApproval }, pending }: ChallengeState & { step: 'tan' },
  actions: ChallengeActions,
): Challenge => {
  const { device, polls } = pending;
  const { decoupled, name, lengthMax, answer } = device.method!;
  const label = `${accountOf(about)}${text || 'TAN'}`;
  if (isApproval) {
    const { firstSeconds = pollSecondsDefault, nextSeconds = pollSecondsDefault } = decoupled ?? {};
    const pollSeconds = polls === 0 ? firstSeconds : nextSeconds;
    // The widget's own text is about a sign-in.
    const own = 'told' in about && ({ labelKey: 'approve_app', labelValue: name } as const);
    return { kind: 'approval', pollSeconds, label, ...own, ...actions };
  }
  const typed = {
    ...{ label, inputMode: answer, hint: device.medium === undefined ? name : `${name}, ${device.medium}` },
    ...(lengthMax && { length: { min: 1, max: lengthMax } }),
    ...actions,
  };
  return image ? { kind: 'image', image, ...typed } : { kind: 'code', ...typed };
};

/** Identifies the account that needs a TAN, if there are several. */
const accountOf = (about: TanSubject): string => {
  if ('told' in about || about.approval.accountIds.length === 1) return '';
  const { accountIds, index } = about.approval;
  return `Konto ${index + 1} von ${accountIds.length}: `;
};

/** The end user can go back to the last choice. */
const actionsOf = (state: ChallengeState): ChallengeActions =>
  previousChoice(state) ? { otherMethod: true } : {};

/** The choice before this challenge; undefined if there was none. */
export const previousChoice = (state: ChallengeState): ChallengeState | undefined => {
  const { login, choices, step } = state;
  const [method, ...others] = choices?.methods ?? [];
  if (step !== 'method' && others.length > 0) return { login, choices, step: 'method' };
  const hasMedia = (choices?.media ?? []).length > 1;
  return step === 'tan' && method && hasMedia ? { login, choices, step: 'medium', method } : undefined;
};
