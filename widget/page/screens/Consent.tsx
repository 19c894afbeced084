// Asks for consent: the recipient, the data, the source and the duration. The text comes from the service, which stores the
// accepted text. Nothing is shared before that.
import { Avatar } from '../components/Avatar.tsx';
import { PrimaryButton } from '../components/buttons.tsx';
import { Icon, type IconName } from '../components/Icon.tsx';
import { Screen } from '../components/Screen.tsx';
import { t } from '../texts/texts.ts';
import type { ScreenProps } from './screenProps.ts';

const icons: IconName[] = ['choose', 'read', 'lock', 'stop'];

export const Consent = ({ view, submitting, submitStep }: ScreenProps<'consent'>) => {
  const { title, points, agreement, links, hash } = view.consent;
  const agree = () => submitStep({ kind: 'consent', hash });
  return (
    <Screen
      title={title}
      top={<Parties view={view} />}
      footer={
        <>
          <p class="small-print">{agreement}</p>
          <PrimaryButton action="continue" label={t.consent.agree} submitting={submitting} onClick={agree} />
        </>
      }
    >
      <ul class="consent-points">
        {points.map((point, index) => (
          <li key={point.title}>
            <Icon name={icons[index]!} />
            <div>
              <strong>{point.title}</strong>
              <p>{point.text}</p>
            </div>
          </li>
        ))}
      </ul>
      {links.length > 0 && (
        <ul class="policy-links">
          {links.map(({ label, url }) => (
            <li key={url}>
              <a href={url} target="_blank" rel="noreferrer">
                {label}
              </a>
            </li>
          ))}
        </ul>
      )}
    </Screen>
  );
};

/** The application, and the bank that is being reconnected or will be chosen next. */
const Parties = ({ view: { application, institution } }: Pick<ScreenProps<'consent'>, 'view'>) => (
  <div class="avatar-pair" aria-hidden="true">
    <Avatar {...application} large />
    <span class="dots" />
    {institution ? (
      <Avatar {...institution} large />
    ) : (
      <span class="avatar large plain">
        <Icon name="bank" />
      </span>
    )}
  </div>
);
