// sandbox load: logins of one's own at the sandbox banks, from a file.
import { loadFile } from '../sandbox/load.ts';
import { operatorCommand } from './command.ts';
import { count } from './lines.ts';
import { withService } from './withService.ts';

export const loadSandbox = operatorCommand({
  summary: 'load logins with their accounts and entries into the sandbox banks',
  takes: (command) =>
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
          progress.show(`${count(rows, 'row')}, ${Math.floor((100 * bytes) / bytesTotal)} %`),
      });
      const { rows, logins, accounts } = loaded;
      return {
        json: loaded,
        text: [`Loaded ${count(rows, 'row')}: ${count(logins, 'login')}, ${count(accounts, 'account')}.`],
      };
    }),
});
