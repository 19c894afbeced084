// The commands that create, list and revoke SimpleFIN accesses. The scoped token comes from standard input, because other users
// of a machine can see the arguments of a command.
import { findApplication } from '../../domain/applications/store.ts';
import { byOperator } from '../../domain/audit/by.ts';
import { findEndUser, findResourceOwner } from '../../domain/users/store.ts';
import {
  createSimplefinAccess,
  listSimplefinAccesses,
  openUserSecret,
  revokeSimplefinAccess,
  simplefinAccessState,
} from '../../flows/simplefin/accesses.ts';
import {
  Forbidden,
  NotFound,
  OperatorError,
  UsageError,
  ValidationError,
} from '../../platform/values/errors.ts';
import { isId } from '../../platform/values/ids.ts';
import { parseScopedToken } from '../../platform/vault/scopedToken.ts';
import type { Service } from '../../service.ts';
import {
  type CommandResult,
  defineCommand,
  formatTime,
  integerOption,
  keyValueTable,
  nextPageHint,
  table,
  textOption,
} from './command.ts';
import { lookupApplication } from './lookup.ts';
import { defineServiceCommand, withService } from './service.ts';

type CreateInput = { label: string; account: string[]; allAccounts: boolean; postedOnly: boolean };

const create = defineCommand({
  summary: 'create a setup token for an end user; reads the scoped token from standard input',
  examples: ["simplefin create --label 'Actual Budget' --all-accounts < user-42.token"],
  options: (command) =>
    command
      .requiredOption('--label <label>', 'the app with access, for example "Actual Budget"', textOption(100))
      .option('--account <account...>', 'the accounts to share (acc_…)', [])
      .option('--all-accounts', 'all accounts of the end user, including future ones', false)
      .option('--posted-only', 'never return pending transactions', false),
  run: async ({ config, readInput }, input: CreateInput) => {
    if (input.allAccounts === input.account.length > 0)
      throw new UsageError('Set either --account or --all-accounts.');
    const scopedToken = (await readInput()).trim();
    return withService(config, (service) => createForToken(service, scopedToken, input));
  },
});

const createForToken = async (
  service: Service,
  scopedToken: string,
  { label, account, allAccounts, postedOnly }: CreateInput,
): Promise<CommandResult> => {
  try {
    const { grant, application } = await openScopedToken(service, scopedToken);
    const accountIds = allAccounts ? undefined : account;
    const by = byOperator(application.organizationId, service.clock.real());
    const created = await createSimplefinAccess(service, grant, { label, postedOnly, accountIds }, by);
    const { setupToken, expiresAt } = created;
    return {
      json: { accessId: created.row.id, label, setupToken, expiresAt },
      text: [
        ...keyValueTable([
          ['Access', created.row.id],
          ['Label', label],
          ['Claim until', formatTime(expiresAt)],
          ['Setup token', setupToken],
        ]),
        'The setup token is shown only once. Paste it into the app that will read the accounts.',
      ],
    };
  } catch (error) {
    if (error instanceof Forbidden) throw new OperatorError(wrongTokenMessage);
    if (error instanceof ValidationError)
      throw new OperatorError('--account names an account that this scoped token cannot read.');
    throw error;
  }
};

const wrongTokenMessage =
  'Standard input must contain a scoped token (sct_…) of an end user who has a connection here.';

/** Opens the scoped token of an end user of any application. Throws Forbidden. */
const openScopedToken = async (service: Service, text: string) => {
  const token = parseScopedToken(text);
  const user = token && (await findEndUser(service.db.read, token.endUserId));
  if (!token || !user) throw new Forbidden();
  return openUserSecret(service, user, token.secret);
};

type ListInput = { application: string; externalUser?: string; limit: number; after?: string };

const list = defineServiceCommand({
  summary: "list an application's SimpleFIN access, newest first",
  options: (command) =>
    command
      .requiredOption('--application <application>', 'the application (app_…)')
      .option('--external-user <id>', "the application's own id for the end user")
      .option('--limit <count>', 'the maximum number of results', integerOption(1, 1000), 50)
      .option('--after <cursor>', 'the cursor of the next page, as printed after the previous page'),
  run: async (service, { application, externalUser, limit, after }: ListInput) => {
    const { id: applicationId } = await lookupApplication(service, application);
    const filter = { applicationId, externalUserId: externalUser };
    const page = await listSimplefinAccesses(service, filter, { cursor: after, limit });
    const { nextCursor: next } = page;
    const accesses = page.rows.map((access) => {
      const { id: accessId, label, externalUserId, createdAt, lastUsedAt } = access;
      const postedOnly = access.postedOnly === 1;
      const state = simplefinAccessState(access);
      return { accessId, label, externalUserId, postedOnly, state, createdAt, lastUsedAt };
    });
    const headings = ['ACCESS', 'STATE', 'PENDING', 'CREATED', 'LAST USED', 'LABEL', 'EXTERNAL USER'];
    const rows = accesses.map((one) => [
      ...[one.accessId, one.state, one.postedOnly ? 'no' : 'yes', formatTime(one.createdAt)],
      ...[formatTime(one.lastUsedAt) ?? 'never', one.label, one.externalUserId],
    ]);
    return {
      json: { accesses, ...(next && { next }) },
      text: [...table(headings, rows, 'No matching SimpleFIN access.'), ...nextPageHint(next)],
    };
  },
});

const revoke = defineServiceCommand({
  summary: "revoke an app's SimpleFIN access",
  options: (command) =>
    command.argument('<access>', 'the id of the access (sfa_…), as shown by "simplefin list"'),
  run: async (service, { access: id }: { access: string }) => {
    const owner = isId('sfa', id) ? await findResourceOwner(service.db.read, id) : undefined;
    const application = owner && (await findApplication(service.db.read, owner.applicationId));
    try {
      if (!application) throw new NotFound('access');
      const by = byOperator(application.organizationId, service.clock.real());
      await revokeSimplefinAccess(service, application.id, id, by);
    } catch (error) {
      if (!(error instanceof NotFound)) throw error;
      throw new OperatorError('There is no such access: find the id with "simplefin list".');
    }
    return { json: { accessId: id }, text: [`${id} is revoked.`] };
  },
});

export const simplefinCommands = { create, list, revoke };
