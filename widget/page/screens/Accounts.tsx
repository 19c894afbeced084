// Which accounts. None is chosen beforehand unless there is only one: what is shared is the user's own choice.
import { useRef, useState } from 'preact/hooks';
import { Alert } from '../components/Alert.tsx';
import { ContinueButton } from '../components/ContinueButton.tsx';
import { Avatar } from '../components/Avatar.tsx';
import { Screen } from '../components/Screen.tsx';
import type { ScreenProps } from '../screenProps.ts';
import { t } from '../texts/texts.ts';

const selectAllThreshold = 5;

export const Accounts = ({ view, submitting, submitStep }: ScreenProps<'accounts'>) => {
  const { accounts, application, institution } = view;
  const [chosen, setChosen] = useState(() => new Set(accounts.length === 1 ? [accounts[0]!.id] : []));
  const [missing, setMissing] = useState(false);
  const fieldset = useRef<HTMLFieldSetElement>(null);

  const toggle = (id: string) => {
    const next = new Set(chosen);
    if (!next.delete(id)) next.add(id);
    setChosen(next);
    setMissing(false);
  };
  const submit = () => {
    setMissing(chosen.size === 0);
    if (chosen.size === 0) return fieldset.current!.querySelector('input')!.focus();
    submitStep({
      kind: 'selectAccounts',
      accountIds: accounts.map(({ id }) => id).filter((id) => chosen.has(id)),
    });
  };

  return (
    <Screen
      title={t.accounts.title}
      lead={t.accounts.lead(application.name)}
      top={<Avatar name={institution.name} large />}
      onSubmit={submit}
      footer={<ContinueButton working={submitting} />}
    >
      {missing && <Alert>{t.accounts.chooseOne}</Alert>}
      <fieldset ref={fieldset} class="rows" disabled={submitting} aria-label={t.accounts.title}>
        {accounts.length >= selectAllThreshold && (
          <button type="button" class="link" onClick={() => setChosen(new Set(accounts.map(({ id }) => id)))}>
            {t.accounts.all}
          </button>
        )}
        {accounts.map(({ id, name, type, lastFour, currency }) => (
          <label key={id} class="row">
            <input
              type="checkbox"
              checked={chosen.has(id)}
              aria-labelledby={`name-${id}`}
              aria-describedby={`about-${id}`}
              onChange={() => toggle(id)}
            />
            <span class="name">
              <span id={`name-${id}`}>{name}</span>
              <span id={`about-${id}`} class="about">
                {t.accounts.types[type]}
                {lastFour && (
                  <>
                    {' '}
                    <span aria-hidden="true">•• {lastFour}</span>
                    <span class="unseen">{t.accounts.ending(lastFour)}</span>
                  </>
                )}
              </span>
            </span>
            <span class="currency">{currency}</span>
          </label>
        ))}
      </fieldset>
    </Screen>
  );
};
