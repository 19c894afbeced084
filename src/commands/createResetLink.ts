// members create-reset-link: a link by which a member chooses a new password, when nobody else can help them.
import { NotFound, OperatorError } from '../errors.ts';
import { createResetLinkAsOperator } from '../members/passwordResets.ts';
import { defineCommand } from './command.ts';
import { keyValueTable, formatTime } from './format.ts';
import { withService } from './withService.ts';

export const createResetLink = defineCommand({
  summary: 'make a link by which a member chooses a new password',
  options: (command) => command.argument('<email>', 'the email that they sign in with'),
  run: ({ config }, { email }: { email: string }) =>
    withService(config, async ({ members }) => {
      const made = await createResetLinkAsOperator(members, email).catch((error) => {
        throw error instanceof NotFound ? new OperatorError(`No member has the email "${email}".`) : error;
      });
      return {
        json: { link: made.url, expiresAt: made.memberToken.expiresAt },
        text: keyValueTable([
          ['Link', made.url],
          ['Works once, until', formatTime(made.memberToken.expiresAt)],
        ]),
      };
    }),
});
