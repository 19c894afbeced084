// sandbox load: logins of one's own at the sandbox banks, from a file.
import { loadFile } from '../connectors/sandbox/storage/loadFile.ts';
import { defineCommand } from './command.ts';
import { pluralize } from './format.ts';
import { withService } from './withService.ts';

export const loadSandbox = defineCommand({
  summary: 'load logins with their accounts and entries into the sandbox banks',
  options: (command) =>
    command
      .argument('<file>', 'a .csv or .csv.gz file')
      .addHelpText(
        'after',
        '\nThe first line names the columns: login, account, date, transaction, amount, balance, description,\n' +
          'reference and, where wanted, currency. A file is loaded as a whole or not at all.',
      ),
  run: ({ config, progress }, { file }: { file: string }) =>
    withService(config, async ({ db, clock, secrets }) => {
      const loaded = await loadFile(db, secrets.sandbox, {
        path: file,
        now: clock.real(),
        onProgress: ({ rows, bytes, bytesTotal }) =>
          progress.update(`${pluralize(rows, 'row')}, ${Math.floor((100 * bytes) / bytesTotal)} %`),
      });
      const { rows, logins, accounts } = loaded;
      return {
        json: loaded,
        text: [
          `Loaded ${pluralize(rows, 'row')}: ${pluralize(logins, 'login')}, ${pluralize(accounts, 'account')}.`,
        ],
      };
    }),
});
