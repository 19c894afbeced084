// Which accounts. None is chosen beforehand unless there is only one: what is shared is the user's own choice.
import { useRef, useState } from 'preact/hooks';
import { Alert } from '../parts/Alert.tsx';
import { Continue } from '../parts/Continue.tsx';
import { Mark } from '../parts/Mark.tsx';
import { Screen } from '../parts/Screen.tsx';
import type { Shows } from '../screen.ts';
import { t } from '../texts/texts.ts';

const manyAccounts = 5;

export const Accounts = ({ view, working, take }: Shows<'accounts'>) => {
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
    take({ kind: 'chooseAccounts', accountIds: accounts.map(({ id }) => id).filter((id) => chosen.has(id)) });
  };

  return (
    <Screen
      title={t.accounts.title}
      lead={t.accounts.lead(application.name)}
      top={<Mark name={institution.name} large />}
      onSubmit={submit}
      foot={<Continue working={working} />}
    >
      {missing && <Alert>{t.accounts.chooseOne}</Alert>}
      <fieldset ref={fieldset} class="rows" disabled={working} aria-label={t.accounts.title}>
        {accounts.length >= manyAccounts && (
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
