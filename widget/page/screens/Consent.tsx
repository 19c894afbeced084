// Who asks, for what, and what the user can rely on. Nothing has been shared before this.
import { ContinueButton } from '../components/ContinueButton.tsx';
import { Icon, type IconName } from '../components/Icon.tsx';
import { Avatar } from '../components/Avatar.tsx';
import { Screen } from '../components/Screen.tsx';
import type { ScreenProps } from '../screenProps.ts';
import { t } from '../texts/texts.ts';

const icons: IconName[] = ['choose', 'read', 'lock', 'stop'];

export const Consent = ({ view, submitting, submitStep }: ScreenProps<'consent'>) => {
  const { name } = view.application;
  const foot = (
    <>
      <p class="small">{t.consent.agree}</p>
      <ContinueButton working={submitting} onClick={() => submitStep({ kind: 'consent' })} />
    </>
  );
  const top = (
    <div class="pair" aria-hidden="true">
      <Avatar name={name} large />
      <span class="dots" />
      <span class="mark large plain">
        <Icon name="bank" />
      </span>
    </div>
  );
  return (
    <Screen title={t.consent.title(name)} top={top} footer={foot}>
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
