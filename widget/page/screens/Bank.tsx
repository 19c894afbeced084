// Which bank. The service searches, and forgives typing; the list follows the typing after a short pause.
import { useEffect, useState } from 'preact/hooks';
import { announce } from '../announce.ts';
import type { Conversation } from '../conversation.ts';
import { Icon } from '../parts/Icon.tsx';
import { Mark } from '../parts/Mark.tsx';
import { Screen } from '../parts/Screen.tsx';
import { Spinner } from '../parts/Spinner.tsx';
import type { Shows } from '../screen.ts';
import type { Institution } from '../service.ts';
import { t } from '../texts/texts.ts';

const typingPauseMs = 150;

type Props = Shows<'bank'> & { search: Conversation['search'] };
type Found = { text: string; banks: Institution[] };

export const Bank = ({ view, working, take, search }: Props) => {
  const [text, setText] = useState('');
  const [found, setFound] = useState<Found>();
  const [chosen, setChosen] = useState<string>();

  useEffect(() => {
    if (view.noBanks) return;
    const asking = new AbortController();
    const ask = async () => {
      const banks = await search(text, asking.signal);
      setFound({ text, banks });
      if (text) announce(banks.length ? t.bank.found(banks.length) : t.bank.none(text));
    };
    const timer = setTimeout(
      () =>
        ask().catch((error) => {
          // A search that is overtaken by typing, or by leaving, is no mistake.
          if (!asking.signal.aborted) reportError(error);
        }),
      text ? typingPauseMs : 0,
    );
    return () => {
      clearTimeout(timer);
      asking.abort();
    };
  }, [text, search, view.noBanks]);

  if (view.noBanks)
    return (
      <Screen
        title={t.bank.noBanks}
        lead={t.bank.noBanksHint(view.application.name)}
        top={<Badge />}
        centred
      />
    );

  return (
    <Screen title={t.bank.title}>
      <div class="search">
        <Icon name="search" />
        <input
          type="search"
          aria-label={t.bank.search}
          placeholder={t.bank.search}
          autocomplete="off"
          autocapitalize="none"
          spellcheck={false}
          maxLength={100}
          disabled={working}
          data-first
          onInput={(event) => setText(event.currentTarget.value.trim())}
        />
      </div>
      {!found && <Spinner label={t.loading} />}
      {found?.banks.length === 0 && (
        <p class="nothing">
          <strong>{t.bank.none(found.text)}</strong>
          {t.bank.noneHint}
        </p>
      )}
      <ul class="rows">
        {found?.banks.map(({ id, name }) => (
          <li key={id}>
            <button
              type="button"
              class="row"
              disabled={working}
              onClick={() => {
                setChosen(id);
                take({ kind: 'chooseBank', institutionId: id });
              }}
            >
              <Mark name={name} />
              <span class="name">{name}</span>
              {working && chosen === id ? <span class="wheel" aria-hidden="true" /> : <Icon name="next" />}
            </button>
          </li>
        ))}
      </ul>
    </Screen>
  );
};

const Badge = () => (
  <span class="badge">
    <Icon name="bank" />
  </span>
);
