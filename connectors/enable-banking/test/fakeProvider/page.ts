// The bank's own page at the fake provider: the user enters a name, chooses a method, and approves or denies.
import { randomUUID } from 'node:crypto';
import { Router, urlencoded } from 'express';
import { toAspsp } from './bank.ts';
import type { Authorization, State } from './state.ts';

const escapeHtml = (text: string): string => text.replace(/[&<>"']/g, (sign) => `&#${sign.charCodeAt(0)};`);

const draw = ({ bank, request, psuType }: Authorization): string => {
  const { name, auth_methods } = toAspsp(bank);
  const options = auth_methods
    .filter(({ psu_type, hidden_method }) => psu_type === psuType && !hidden_method)
    .map((method) => `<option>${escapeHtml(method.title ?? method.name ?? '')}</option>`);
  const choice = `<p><label>Method <select name="method">${options.join('')}</select></label></p>`;
  return `<!doctype html><html lang="en"><title>${escapeHtml(name)}</title><h1>${escapeHtml(name)}</h1><form method="post">
<p><label>User <input name="user" required></label></p>${options.length > 1 && !request.auth_method ? choice : ''}
<button name="decision" value="approve">Approve</button>
<button name="decision" value="refuse" formnovalidate>Refuse</button></form></html>`;
};

/** The parameters of the browser's return (RFC 6749, sections 4.1.2 and 4.1.2.1). */
const decide = (authorization: Authorization, decision: unknown, user: string): Record<string, string> => {
  if (authorization.bank.failsAtSignIn) return { error: 'server_error' };
  if (decision !== 'approve') return { error: 'access_denied', error_description: 'Cancelled by the user.' };
  Object.assign(authorization, { user, code: randomUUID() });
  return { code: authorization.code! };
};

export const bankPage = ({ authorizations }: State): Router => {
  const router = Router();
  router.use('/page', urlencoded({ extended: false }), ({ method, query, body }, response) => {
    const authorization = authorizations.get(String(query.authorization));
    if (!authorization || authorization.code) return void response.status(404).end();
    const { bank, request } = authorization;
    if (method !== 'POST') return void response.send(draw(authorization));
    const user = String(body.user);
    const isUnknown = body.decision === 'approve' && !Object.hasOwn(bank.users, user);
    if (isUnknown) return void response.status(422).send(draw(authorization));
    const returned = {
      ...decide(authorization, body.decision, user),
      state: bank.returnsState ?? request.state,
    };
    const address = new URL(request.redirect_url);
    for (const [name, value] of Object.entries(returned)) address.searchParams.set(name, value);
    response.redirect(303, address.href);
  });
  return router;
};
