// The test bank's users, by the bank's behavior. All have the PIN of the recordings, except one whose PIN contains every
// character that is not ASCII or must be escaped.
import { crc32, deflateSync } from 'node:zlib';
import type { BankUser, Profile, Question } from './profiles.ts';
import { said } from './segments.ts';

const pin = '12345';
export const rightTan = '777666';
export const difficultPin = "pä?n:1'@";

export const bankUsers: Record<string, BankUser> = {
  free: { pin },
  /** Another name for the same user. */
  renamed: { pin },
  'test@user': { pin, hasTwoMedia: true, asks: 'push' },
  push: { pin, asks: 'push' },
  strict: { pin, asks: 'push', wrongTanEnds: true },
  everyTime: { pin, asks: 'push', asksAlways: true },
  methods: { pin, methods: [910, 913, 921], asks: 'push', hasTwoMedia: true },
  manual: { pin, methods: [910], asks: 'manual' },
  photo: { pin, methods: [913], asks: 'photo' },
  flicker: { pin, methods: [913], asks: 'flicker' },
  chipTanPicture: { pin, methods: [913], asks: 'chipTanPicture' },
  chipTanFlicker: { pin, methods: [913], asks: 'chipTanFlicker' },
  app: { pin, methods: [946], asks: 'app' },
  codeByApp: { pin, methods: [946], asks: 'manual' },
  denying: { pin, methods: [946], asks: 'app', denies: true },
  waiting: { pin, methods: [946], asks: 'app', neverApproves: true },
  unknownMethod: { pin, methods: [977] },
  opticalOnly: { pin, methods: [911, 912] },
  locked: { pin, refusal: said.locked.text },
  difficult: { pin: difficultPin },
  older: { pin, asks: 'push', statementTan: 'older' },
  olderAlways: { pin, asks: 'push', statementTan: 'olderAlways' },
  statements: { pin, asks: 'push', statementTan: 'always' },
  statementsOnly: { pin, statementTan: 'always' },
  everyStatement: { pin, statementTan: 'alwaysWithCards' },
  statementsByApp: { pin, methods: [946], statementTan: 'always', asksForStatement: 'app' },
};

const chunk = (name: string, data: Buffer): Buffer => {
  const body = Buffer.concat([Buffer.from(name), data]);
  const [length, check] = [Buffer.alloc(4), Buffer.alloc(4)];
  length.writeUInt32BE(data.length);
  check.writeUInt32BE(crc32(body));
  return Buffer.concat([length, body, check]);
};

/** A PNG of colored squares like a photoTAN: 160 by 160 pixels, one byte per pixel. */
const makePhoto = (): Buffer => {
  const size = 160;
  const row = (y: number) => Array.from({ length: size }, (_, x) => ((x >> 3) * 7 + (y >> 3) * 11) % 4);
  const pixels = Buffer.from(Array.from({ length: size }, (_, y) => [0, ...row(y)]).flat());
  const header = Buffer.alloc(13);
  header.writeUInt32BE(size, 0);
  header.writeUInt32BE(size, 4);
  // Eight bits, with a palette.
  header.set([8, 3], 8);
  const palette = Buffer.from('ffffffcc2244118833224488', 'hex');
  return Buffer.concat([
    Buffer.from('89504e470d0a1a0a', 'hex'),
    ...[chunk('IHDR', header), chunk('PLTE', palette), chunk('IDAT', deflateSync(pixels))],
    chunk('IEND', Buffer.alloc(0)),
  ]);
};

export const photo = makePhoto();

const block = (bytes: Buffer): Buffer => {
  const length = Buffer.alloc(2);
  length.writeUInt16BE(bytes.length);
  return Buffer.concat([length, bytes]);
};
const binary = (bytes: Buffer): string => `@${bytes.length}@${bytes.toString('latin1')}`;

const matrixCode = binary(Buffer.concat([block(Buffer.from('image/png')), block(photo)]));
const flickerCode = binary(Buffer.from('100484652345678041234'));

/** A chipTAN's code before its text, each with its length. */
const chipTan = (code: string, text: string): string =>
  [
    `CHLGUC  ${String(code.length).padStart(4, '0')}${code}`,
    `CHLGTEXT${String(text.length).padStart(4, '0')}${text}`,
  ]
    .join('')
    .replace(/[?+:']/g, '?$&');

/** The bank's question, based on the recorded HITAN if there is one. */
export const tanQuestion = (asks: Question, reference: string, { wantsTan }: Profile): string => {
  const questions: Record<Question, string> = {
    push: wantsTan.replace(/(HITAN:\d+:\d:\d\+4\+\+)[^+]+/, `$1${reference}`),
    manual: `${said.wantsTan.text}HITAN:5:6:5+4++${reference}+Karte einstecken.<br>Startcode?: <b>2712345</b><br/>TAN eingeben.'`,
    photo: `${said.wantsTan.text}HITAN:5:6:5+4++${reference}+Code scannen.+${matrixCode}'`,
    flicker: `${said.wantsTan.text}HITAN:5:6:5+4++${reference}+Startcode 2712345+${flickerCode}'`,
    chipTanPicture: `${said.wantsTan.text}HITAN:5:6:5+4++${reference}+${chipTan(photo.toString('base64'), 'Code scannen.')}'`,
    chipTanFlicker: `${said.wantsTan.text}HITAN:5:6:5+4++${reference}+${chipTan('2484652345678041234', 'Karte einstecken.')}'`,
    app: `${said.wantsApproval.text}HITAN:5:7:5+4++${reference}+Bitte in der App freigeben.'`,
  };
  return questions[asks];
};
