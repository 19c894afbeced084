// The progress of the first import: the number of transactions read and, if the bank says it, the total.

import type { ViewOf } from '../components.tsx';
import { Avatar, Screen } from '../components.tsx';
import { t } from '../texts/texts.ts';

export const Importing = ({ view }: { view: ViewOf<'importing'> }) => {
  const { institution, progress } = view;
  const total = progress?.total;
  const fraction = total ? Math.min(1, progress.done / total) : undefined;
  const text =
    progress === undefined
      ? t.importing.waiting(institution.name)
      : total
        ? t.importing.of(progress.done, total)
        : t.importing.done(progress.done);

  // Screen readers announce each quarter, not each change.
  const quarter = fraction === undefined ? 0 : Math.floor(fraction * 4);

  return (
    <Screen
      title={t.importing.title}
      lead={t.importing.lead}
      top={<Avatar name={institution.name} large />}
      centered
    >
      {/* Without a value the bar is indeterminate. */}
      <progress aria-label={t.importing.title} max={1} value={fraction} />
      <p class="muted count">{text}</p>
      <span class="visually-hidden" role="status">
        {quarter > 0 && `${quarter * 25} %`}
      </span>
    </Screen>
  );
};
