// The commands members invite and members create-reset-link.
import { Option } from 'commander';
import { byOperator } from '../../domain/audit/by.ts';
import { invite } from '../../domain/members/invitations.ts';
import { type Role, roles } from '../../domain/members/member.ts';
import { createResetLinkAsOperator } from '../../domain/members/passwords.ts';
import { NotFound, OperatorError } from '../../platform/values/errors.ts';
import { formatTime, keyValueTable } from './command.ts';
import { lookupOrganization, organizationOption } from './lookup.ts';
import { defineServiceCommand } from './service.ts';

type InviteInput = { email: string; role: Role; organization?: string };

const inviteMember = defineServiceCommand({
  summary: 'create a one-time invitation link to the dashboard',
  examples: ['members invite --email ana@shop.example --role developer'],
  options: (command) =>
    command
      .requiredOption('--email <email>', "the member's email address")
      .addOption(new Option('--role <role>', "the member's role").choices(roles).makeOptionMandatory())
      .option(...organizationOption),
  run: async (service, { email, role, organization }: InviteInput) => {
    if (!/^[^@\s]+@[^@\s]+$/.test(email)) throw new OperatorError(`"${email}" is not an email address.`);
    const chosen = await lookupOrganization(service, organization);
    const by = byOperator(chosen.id, service.clock.real());
    const { memberToken, url } = await invite(service.members, { email, role }, by);
    return {
      json: { invitationId: memberToken.id, link: url, expiresAt: memberToken.expiresAt },
      text: keyValueTable([
        ['Link', url],
        ['For', `${memberToken.email}, as ${role} of ${chosen.name}`],
        ['Valid once, until', formatTime(memberToken.expiresAt)],
      ]),
    };
  },
});

const createResetLink = defineServiceCommand({
  summary: 'create a one-time link for setting a new password',
  examples: ['members create-reset-link ana@shop.example'],
  options: (command) => command.argument('<email>', "the member's email address"),
  run: async ({ members }, { email }: { email: string }) => {
    const { memberToken, url } = await createResetLinkAsOperator(members, email).catch((error) => {
      throw error instanceof NotFound ? new OperatorError(`No member has the email "${email}".`) : error;
    });
    return {
      json: { link: url, expiresAt: memberToken.expiresAt },
      text: keyValueTable([
        ['Link', url],
        ['Valid once, until', formatTime(memberToken.expiresAt)],
      ]),
    };
  },
});

export const memberCommands = { invite: inviteMember, 'create-reset-link': createResetLink };
