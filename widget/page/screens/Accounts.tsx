// The selection of accounts. None is preselected unless it is the only one or the connection already shares it, so that the user
// decides. If some accounts belong to another connection, the user can renew that connection instead.
import { useLayoutEffect, useRef, useState } from 'preact/hooks';
import { Alert, focusBelowAlert } from '../components/Alert.tsx';
import { Avatar } from '../components/Avatar.tsx';
import { LinkButton, PrimaryButton, SecondaryButton } from '../components/buttons.tsx';
import { Screen } from '../components/Screen.tsx';
import { dayCount, shortTime, t } from '../texts/texts.ts';
import type { ScreenProps } from './screenProps.ts';

const selectAllThreshold = 5;

export const Accounts = ({ view, submitting, submitStep }: ScreenProps<'accounts'>) => {
  const { accounts, application, institution, alreadyConnected: known, shared, historyUntil } = view;
  const [selected, setSelected] = useState(
    () =>
      new Set(known?.selectedIds ?? shared?.accountIds ?? (accounts.length === 1 ? [accounts[0]!.id] : [])),
  );
  const [missing, setMissing] = useState(false);
  const fieldset = useRef<HTMLFieldSetElement>(null);

  const toggle = (id: string) => {
    const next = new Set(selected);
    if (!next.delete(id)) next.add(id);
    setSelected(next);
    setMissing(false);
  };
  const focus = () => focusBelowAlert(fieldset.current!.querySelector('input')!);
  useLayoutEffect(() => {
    if (missing) focus();
  }, [missing]);
  const submit = () => {
    setMissing(selected.size === 0);
    if (selected.size === 0) return focus();
    submitStep({
      kind: 'selectAccounts',
      accountIds: accounts.map(({ id }) => id).filter((id) => selected.has(id)),
    });
  };

  const knownNames = accounts.filter(({ id }) => known?.accountIds.includes(id)).map(({ name }) => name);
  const share = t.accounts.share(selected.size);
  const lead = t.accounts.lead(application.name);
  const removed = shared && t.accounts.removed(dayCount(shared.retentionDays));
  const until = historyUntil && t.accounts.historyUntil(shortTime(historyUntil));
  return (
    <Screen
      title={known ? t.accounts.connected : t.accounts.title}
      lead={
        known
          ? t.accounts.connectedBefore(knownNames.join(', '), application.name)
          : [lead, removed, until].join(' ')
      }
      top={<Avatar {...institution} large />}
      onSubmit={submit}
      footer={
        known?.canReconnect ? (
          <>
            <PrimaryButton
              action="reconnect"
              label={t.accounts.renew}
              submitting={submitting}
              onClick={() => submitStep({ kind: 'reconnect' })}
            />
            <SecondaryButton action="continue" label={share} disabled={submitting} onClick={submit} />
          </>
        ) : (
          <PrimaryButton action="continue" label={share} submitting={submitting} />
        )
      }
    >
      {missing && <Alert>{t.accounts.chooseOne}</Alert>}
      <fieldset ref={fieldset} class="options" disabled={submitting} aria-label={t.accounts.title}>
        {accounts.length >= selectAllThreshold && (
          <LinkButton
            label={t.accounts.all}
            onClick={() => setSelected(new Set(accounts.map(({ id }) => id)))}
          />
        )}
        {accounts.map(({ id, name, type, subtype, lastFour, currency }) => (
          <label key={id} class="option">
            <input
              type="checkbox"
              checked={selected.has(id)}
              aria-labelledby={`name-${id}`}
              aria-describedby={`details-${id}`}
              onChange={() => toggle(id)}
            />
            <span class="name">
              <span id={`name-${id}`}>{name}</span>
              <span id={`details-${id}`} class="details">
                {subtype ? t.accounts.subtypes[subtype] : t.accounts.types[type]}
                {lastFour && (
                  <>
                    {' '}
                    <span aria-hidden="true">••&nbsp;{lastFour}</span>
                    <span class="visually-hidden">{t.accounts.ending(lastFour)}</span>
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
