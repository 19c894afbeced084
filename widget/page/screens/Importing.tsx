// The first import, told as it is: how many transactions have been read, and of how many where the bank says so.
import { Avatar } from '../components/Avatar.tsx';
import { Screen } from '../components/Screen.tsx';
import type { ViewOf } from '../screenProps.ts';
import { t } from '../texts/texts.ts';

export const Importing = ({ view }: { view: ViewOf<'importing'> }) => {
  const { institution, progress } = view;
  const total = progress?.total;
  const part = total ? Math.min(1, progress.done / total) : undefined;
  const said =
    progress === undefined
      ? t.importing.waiting(institution.name)
      : total
        ? t.importing.of(progress.done, total)
        : t.importing.done(progress.done);

  // Every quarter is worth a word to those who cannot see the bar; every second is not.
  const quarter = part === undefined ? 0 : Math.floor(part * 4);

  return (
    <Screen
      title={t.importing.title}
      lead={t.importing.lead}
      top={<Avatar name={institution.name} large />}
      centered
    >
      {/* Without a value the bar says that something happens, and not how much. */}
      <progress aria-label={t.importing.title} max={1} value={part} />
      <p class="quiet count">{said}</p>
      <span class="unseen" role="status">
        {quarter > 0 && `${quarter * 25} %`}
      </span>
    </Screen>
  );
};
