// Who asks, for what, and what the user can rely on. Nothing has been shared before this.
import { Continue } from '../parts/Continue.tsx';
import { Icon, type IconName } from '../parts/Icon.tsx';
import { Mark } from '../parts/Mark.tsx';
import { Screen } from '../parts/Screen.tsx';
import type { Shows } from '../screen.ts';
import { t } from '../texts/texts.ts';

const icons: IconName[] = ['choose', 'read', 'lock', 'stop'];

export const Consent = ({ view, working, take }: Shows<'consent'>) => {
  const { name } = view.application;
  const foot = (
    <>
      <p class="small">{t.consent.agree}</p>
      <Continue working={working} onClick={() => take({ kind: 'consent' })} />
    </>
  );
  const top = (
    <div class="pair" aria-hidden="true">
      <Mark name={name} large />
      <span class="dots" />
      <span class="mark large plain">
        <Icon name="bank" />
      </span>
    </div>
  );
  return (
    <Screen title={t.consent.title(name)} top={top} foot={foot}>
      <ul class="points">
        {t.consent.points(name).map((point, at) => (
          <li key={point.title}>
            <Icon name={icons[at]!} />
            <div>
              <strong>{point.title}</strong>
              <p>{point.text}</p>
            </div>
          </li>
        ))}
      </ul>
    </Screen>
  );
};
