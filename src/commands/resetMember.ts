// members reset-link: a link by which a member chooses a new password, when nobody else can help them.
import { NotFound, OperatorError } from '../errors.ts';
import { makeOperatorResetLink } from '../members/resets.ts';
import { operatorCommand } from './command.ts';
import { facts, time } from './lines.ts';
import { withService } from './withService.ts';

export const resetMember = operatorCommand({
  summary: 'make a link by which a member chooses a new password',
  takes: (command) => command.argument('<email>', 'the email that they sign in with'),
  run: ({ config }, { email }: { email: string }) =>
    withService(config, async ({ members }) => {
      const made = await makeOperatorResetLink(members, email).catch((error) => {
        throw error instanceof NotFound ? new OperatorError(`No member has the email "${email}".`) : error;
      });
      return {
        json: { link: made.address, expiresAt: made.link.expiresAt },
        text: facts([
          ['Link', made.address],
          ['Works once, until', time(made.link.expiresAt)],
        ]),
      };
    }),
});
