// The sandbox bank's own page, for user `redirect`: its sign-in, consent, denial and timeout. It needs no session: anyone who
// knows the state of a redirect may decide, because this is not a real bank.
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import express, { type Response, Router } from 'express';
import { bankPageCode, bankPagePath } from '../../../../connectors/sandbox/bankPage.ts';
import { sandboxPassword } from '../../../../connectors/sandbox/userCatalogue.ts';
import { pageHeaders, staticDocument } from '../pages.ts';

const read = (name: string): string => readFileSync(join(import.meta.dirname, name), 'utf8');

/** The parameters with which each decision returns (RFC 6749, section 4.1.2). */
const parametersOf: Record<string, (username: string, state: string) => Record<string, string>> = {
  allow: (username, state) => ({ code: bankPageCode(username, state) }),
  refuse: () => ({ error: 'access_denied' }),
  timeOut: () => ({ error: 'temporarily_unavailable' }),
};

const textOf = (value: unknown): string => (typeof value === 'string' ? value : '');

const escapeHtml = (text: string): string => text.replace(/[&<>"']/g, (sign) => `&#${sign.charCodeAt(0)};`);

/** Serves the page and its style. */
export const sandboxBankPage = ({ baseUrl }: { baseUrl: string }): Router => {
  const router = Router();
  const html = read('sandboxBank.html');
  const headers = pageHeaders({
    // Otherwise the browser would sever the window from the widget that opened it.
    keepsOpener: true,
    directives: { styleSrc: ["'self'"], formAction: ["'self'"] },
  });
  const draw = (
    response: Response,
    { username, state, problem = '' }: { username: string; state: string; problem?: string },
  ): void => {
    const values: Record<string, string> = { username, state, problem };
    const drawn = html.replace(/\{\{(\w+)\}\}/g, (_, name) => escapeHtml(values[name] ?? ''));
    response
      .status(problem ? 422 : 200)
      .type('html')
      .send(drawn);
  };
  router.get(bankPagePath, headers, ({ query }, response) => {
    draw(response, { username: textOf(query.username), state: textOf(query.state) });
  });
  router.post(bankPagePath, headers, express.urlencoded({ extended: false }), ({ body }, response) => {
    const username = textOf(body?.username);
    const state = textOf(body?.state);
    const decision = textOf(body?.decision);
    if (decision === 'allow' && !textOf(body?.password).startsWith(sandboxPassword)) {
      draw(response, { username, state, problem: 'The password is wrong.' });
      return;
    }
    const toParameters = Object.hasOwn(parametersOf, decision)
      ? parametersOf[decision]!
      : parametersOf.refuse!;
    const parameters = new URLSearchParams({ ...toParameters(username, state), state });
    response.redirect(303, `${baseUrl}/connect/return?${parameters}`);
  });
  router.get(
    '/sandbox-bank.css',
    staticDocument('text/css', () => read('sandboxBank.css')),
  );
  return router;
};
