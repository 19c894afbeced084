// sandbox advance: time travel for Sandbox applications, in every process within a second.
import { days } from '../clock.ts';
import { advanceSandboxClock } from '../sandbox/clock.ts';
import { operatorCommand } from './command.ts';
import { facts, time } from './lines.ts';
import { wholeNumber } from './wholeNumber.ts';
import { withService } from './withService.ts';

const forward = wholeNumber(0, 10_000);

export const advanceSandbox = operatorCommand({
  summary: 'move the clock of all Sandbox applications forward; it cannot go back',
  takes: (command) =>
    command
      .option('--days <days>', 'by how many days', forward, 0)
      .option('--hours <hours>', 'and by how many hours', forward, 0),
  run: ({ config }, input: { days: number; hours: number }) =>
    withService(config, async ({ db, clock }) => {
      const milliseconds = days(input.days + input.hours / 24);
      const now = clock.real();
      const offset = await advanceSandboxClock(db, { milliseconds, now });
      const sandboxNow = new Date(now.getTime() + offset).toISOString();
      return {
        json: { advancedSeconds: milliseconds / 1000, aheadSeconds: offset / 1000, now: sandboxNow },
        text: facts([
          ['Sandbox time', time(sandboxNow)],
          [
            'Ahead by',
            `${Math.floor(offset / days(1))} days ${Math.round((offset % days(1)) / 3_600_000)} hours`,
          ],
        ]),
      };
    }),
});
