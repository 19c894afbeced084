// The message around orders (FinTS 3.0, Security, "PIN/TAN"). The end user signs it with the PIN and, if needed, a TAN. TLS
// encrypts it, so the part for encrypted data contains plain segments.
import type { Device, DialogState, Login } from './state.ts';

/** Germany's ISO 3166-1 number, as FinTS writes it. */
export const countryCode = 280;

type Sender = { bankCode: string; login: Login; device: Device };

/** The number of the first order, after HNHBK and HNSHK. */
export const firstOrderNumber = 3;

/** Escapes separators in a data element with a question mark (Formals, "Syntax"). */
export const escapeText = (text: string): string => text.replace(/[?+:'@]/g, '?$&');

/** `orders` are segments numbered from `firstOrderNumber` on. */
export const wrapOrders = (
  { id, messageNumber }: DialogState,
  { bankCode, login, device }: Sender,
  orders: readonly string[],
  tan: string | undefined,
): string => {
  const lastNumber = firstOrderNumber + orders.length;
  const [date, time] = new Date()
    .toISOString()
    .replace(/[-:]|\..*/g, '')
    .split('T');
  const [signedAt, key] = [
    `1:${date}:${time}`,
    `${countryCode}:${bankCode}:${escapeText(login.userId)}:S:0:0`,
  ];
  const { method, systemId } = device;
  const profile = method ? `PIN:2+${method.id}` : 'PIN:1+999';
  const secret = [login.pin, tan ?? []].flat().map(escapeText).join(':');
  const content = [
    `HNSHK:2:4+${profile}+1+1+1+1::${escapeText(systemId)}+1+${signedAt}+1:3:1+6:10:16+${key}'`,
    ...orders,
    `HNSHA:${lastNumber}:2+1++${secret}'`,
  ].join('');
  const cipher = `HNVSK:998:3+PIN:1+998+1+1+${signedAt}+2:2:13:@8@00000000:5:1+${key}+0'`;
  // An anonymous message has only the orders, without a signature (Formals, "Anonymer Dialog").
  const inner = login.pin ? `${cipher}HNVSD:999:1+@${content.length}@${content}'` : orders.join('');
  const endNumber = login.pin ? lastNumber + 1 : lastNumber - 1;
  const rest = `+300+${escapeText(id)}+${messageNumber}'${inner}HNHBS:${endNumber}:1+${messageNumber}'`;
  const head = 'HNHBK:1:3+';
  return `${head}${String(head.length + 12 + rest.length).padStart(12, '0')}${rest}`;
};
