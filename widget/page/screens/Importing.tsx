// The progress of the first import: the number of transactions read and the bank's total, if known; or a message that no worker
// has picked it up yet.

import { Avatar } from '../components/Avatar.tsx';
import { Screen } from '../components/Screen.tsx';
import { t } from '../texts/texts.ts';
import type { ViewOf } from './screenProps.ts';

export const Importing = ({ view }: { view: ViewOf<'importing'> }) => {
  const { institution, progress, waiting } = view;
  const total = progress?.total;
  const fraction = total ? Math.min(1, progress.done / total) : undefined;
  const progressText = () => {
    if (progress) return total ? t.importing.of(progress.done, total) : t.importing.done(progress.done);
    // The bank is not being polled yet. The space keeps the line's height.
    return waiting ? '\u00a0' : t.importing.waiting(institution.name);
  };

  // Screen readers announce each quarter instead of each change.
  const quarter = fraction === undefined ? 0 : Math.floor(fraction * 4);

  return (
    <Screen
      title={t.importing.title}
      lead={waiting ? t.importing.delayed : t.importing.lead}
      top={<Avatar {...institution} large />}
      centered
    >
      {/* Without a value, the bar is indeterminate. */}
      <progress aria-label={t.importing.title} max={1} value={fraction} />
      <p class="muted count">{progressText()}</p>
      <span class="visually-hidden" role="status">
        {waiting ? t.importing.delayed : quarter > 0 && `${quarter * 25} %`}
      </span>
    </Screen>
  );
};
