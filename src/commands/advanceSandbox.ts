// sandbox advance: time travel for Sandbox applications, in every process within a second.
import { days } from '../clock.ts';
import { advanceSandboxClock } from '../connectors/sandbox/storage/sandboxClock.ts';
import { defineCommand } from './command.ts';
import { keyValueTable, formatTime } from './format.ts';
import { wholeNumber } from './wholeNumber.ts';
import { withService } from './withService.ts';

const forwardAmount = wholeNumber(0, 10_000);

export const advanceSandbox = defineCommand({
  summary: 'move the clock of all Sandbox applications forward; it cannot go back',
  options: (command) =>
    command
      .option('--days <days>', 'by how many days', forwardAmount, 0)
      .option('--hours <hours>', 'and by how many hours', forwardAmount, 0),
  run: ({ config }, input: { days: number; hours: number }) =>
    withService(config, async ({ db, clock }) => {
      const milliseconds = days(input.days + input.hours / 24);
      const now = clock.real();
      const offset = await advanceSandboxClock(db, { milliseconds, now });
      const sandboxNow = new Date(now.getTime() + offset).toISOString();
      return {
        json: { advancedSeconds: milliseconds / 1000, aheadSeconds: offset / 1000, now: sandboxNow },
        text: keyValueTable([
          ['Sandbox time', formatTime(sandboxNow)],
          [
            'Ahead by',
            `${Math.floor(offset / days(1))} days ${Math.round((offset % days(1)) / 3_600_000)} hours`,
          ],
        ]),
      };
    }),
});
