// Consent: which application asks for which data. Nothing is shared before.

import type { ScreenProps } from '../components.tsx';
import { Avatar, ContinueButton, Icon, type IconName, Screen } from '../components.tsx';
import { t } from '../texts/texts.ts';

const icons: IconName[] = ['choose', 'read', 'lock', 'stop'];

export const Consent = ({ view, submitting, submitStep }: ScreenProps<'consent'>) => {
  const { name } = view.application;
  const foot = (
    <>
      <p class="small-print">{t.consent.agree}</p>
      <ContinueButton submitting={submitting} onClick={() => submitStep({ kind: 'consent' })} />
    </>
  );
  const top = (
    <div class="avatar-pair" aria-hidden="true">
      <Avatar {...view.application} large />
      <span class="dots" />
      <span class="avatar large plain">
        <Icon name="bank" />
      </span>
    </div>
  );
  return (
    <Screen title={t.consent.title(name)} top={top} footer={foot}>
      <ul class="consent-points">
        {t.consent.points(name).map((point, index) => (
          <li key={point.title}>
            <Icon name={icons[index]!} />
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
