// members invite: a link by which somebody becomes a member of an organization in the dashboard.
import { operatorActor } from '../audit/store.ts';
import { type Command, Option } from 'commander';
import { findOrganizations } from '../applications/store.ts';
import { Conflict, OperatorError } from '../errors.ts';
import { invite } from '../members/invitations.ts';
import { type Role, roles } from '../members/member.ts';
import { defineCommand } from './command.ts';
import { keyValueTable, formatTime } from './format.ts';
import { withService } from './withService.ts';

type Input = { email: string; role: Role; organization?: string };

const options = (command: Command): Command =>
  command
    .requiredOption('--email <email>', 'whom the link is for')
    .addOption(new Option('--role <role>', 'what they may do').choices(roles).makeOptionMandatory())
    .option('--organization <organization>', 'where (org_…); needed where there are several');

export const inviteMember = defineCommand({
  summary: 'make a link by which somebody may open the dashboard',
  options: options,
  run: ({ config }, { email, role, organization }: Input) =>
    withService(config, async ({ db, members }) => {
      if (!/^[^@\s]+@[^@\s]+$/.test(email)) throw new OperatorError(`"${email}" is not an email address.`);
      const organizations = await findOrganizations(db.read);
      const candidates = organization ? organizations.filter(({ id }) => id === organization) : organizations;
      const [chosen] = candidates;
      if (!chosen || candidates.length > 1) {
        const list = organizations.map(({ id, name }) => `${id} (${name})`).join(', ');
        throw new OperatorError(
          `Say which organization with --organization: ${list || 'there is none yet'}.`,
        );
      }
      const request = {
        organizationId: chosen.id,
        email,
        role,
        actor: operatorActor,
      };
      const { memberToken, url } = await invite(members, request).catch((error) => {
        throw error instanceof Conflict ? new OperatorError(error.message) : error;
      });
      return {
        json: { invitationId: memberToken.id, link: url, expiresAt: memberToken.expiresAt },
        text: keyValueTable([
          ['Link', url],
          ['For', `${memberToken.email}, as ${role} of ${chosen.name}`],
          ['Works once, until', formatTime(memberToken.expiresAt)],
        ]),
      };
    }),
});
