// It is done, and the application has its result already: this screen is for the user, who may close it any way.
import { Icon } from '../components/Icon.tsx';
import { Screen } from '../components/Screen.tsx';
import type { ViewOf } from '../screenProps.ts';
import { t } from '../texts/texts.ts';

export const Success = ({ view, onClose }: { view: ViewOf<'finished'>; onClose: () => void }) => {
  const { application, result, reconnect } = view;
  const lead = t.success.lead(application.name, result.accounts.length, result.institution.name);
  return (
    <Screen
      title={reconnect ? t.success.restored : t.success.title}
      lead={lead}
      top={
        <span class="badge good">
          <Icon name="check" />
        </span>
      }
      centered
      footer={
        <button type="button" class="main" onClick={onClose}>
          {t.done}
        </button>
      }
    >
      <ul class="shared" aria-label={t.success.shared}>
        {result.accounts.map(({ id, name, lastFour }) => (
          <li key={id}>
            <Icon name="check" />
            <span class="name">{name}</span>
            {lastFour && <span class="about">•• {lastFour}</span>}
          </li>
        ))}
      </ul>
    </Screen>
  );
};
