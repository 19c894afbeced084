// The connection exists, and the host already has the result. Closing this screen in any way counts as success.

import { PrimaryButton } from '../components/buttons.tsx';
import { Icon } from '../components/Icon.tsx';
import { Screen } from '../components/Screen.tsx';
import { longDate, t } from '../texts/texts.ts';
import type { ViewOf } from './screenProps.ts';

export const Success = ({ view, onClose }: { view: ViewOf<'finished'>; onClose: () => void }) => {
  const { application, result, reconnect } = view;
  const lead = t.success.lead(application.name, result.accounts.length, result.institution.name);
  return (
    <Screen
      title={reconnect ? t.success.restored : t.success.title}
      lead={lead}
      top={
        <span class="badge success">
          <Icon name="check" />
        </span>
      }
      centered
      footer={<PrimaryButton action="done" label={t.done} onClick={onClose} />}
    >
      <ul class="shared-accounts" aria-label={t.success.shared}>
        {result.accounts.map(({ id, name, lastFour }) => (
          <li key={id}>
            <Icon name="check" />
            <span class="name">{name}</span>
            {lastFour && <span class="details">•• {lastFour}</span>}
          </li>
        ))}
      </ul>
      {result.consentExpiresAt && <p class="muted">{t.success.until(longDate(result.consentExpiresAt))}</p>}
      {result.missingAccountIds && (
        <p class="muted">{t.success.missing(result.missingAccountIds.length, result.institution.name)}</p>
      )}
    </Screen>
  );
};
