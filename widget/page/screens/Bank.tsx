// Which bank. The service searches, and forgives typing; the list follows the typing after a short pause.
import { useEffect, useState } from 'preact/hooks';
import type { Conversation } from '../conversation.ts';
import { Icon } from '../parts/Icon.tsx';
import { Mark } from '../parts/Mark.tsx';
import { headingId, Screen } from '../parts/Screen.tsx';
import { Spinner } from '../parts/Spinner.tsx';
import type { Shows } from '../screen.ts';
import type { Institution } from '../service.ts';
import { t } from '../texts/texts.ts';

const typingPauseMs = 150;

type Search = Conversation['search'];
type Found = { text: string; banks: Institution[] };

export const Bank = ({ search, ...shows }: Shows<'bank'> & { search: Search }) =>
  shows.view.noBanks ? <NoBanks {...shows} /> : <Choice {...shows} search={search} />;

/** The banks for a text, a moment after it stops changing; the ones before until then. */
const useFound = (text: string, search: Search): Found | undefined => {
  const [found, setFound] = useState<Found>();
  useEffect(() => {
    const asking = new AbortController();
    const ask = async () => {
      try {
        setFound({ text, banks: await search(text, asking.signal) });
      } catch (error) {
        // A search that is overtaken by typing, or by leaving, is no mistake.
        if (!asking.signal.aborted) reportError(error);
      }
    };
    const timer = setTimeout(ask, text ? typingPauseMs : 0);
    return () => {
      clearTimeout(timer);
      asking.abort();
    };
  }, [text, search]);
  return found;
};

const Choice = ({ working, take, search }: Shows<'bank'> & { search: Search }) => {
  const [text, setText] = useState('');
  const [chosen, setChosen] = useState<string>();
  const found = useFound(text, search);

  const choose = (id: string) => {
    setChosen(id);
    take({ kind: 'chooseBank', institutionId: id });
  };
  return (
    <Screen title={t.bank.title}>
      <div class="search">
        <Icon name="search" />
        <input
          type="search"
          aria-label={t.bank.search}
          aria-describedby={headingId}
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
      {found ? <Outcome {...found} /> : <Spinner label={t.loading} />}
      <ul class="rows">
        {found?.banks.map(({ id, name }) => (
          <li key={id}>
            <button type="button" class="row" disabled={working} onClick={() => choose(id)}>
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

/** What the search came to, in words: for the eye when there is nothing, for the ear always. */
const Outcome = ({ text, banks }: Found) => (
  <div role="status">
    {banks.length === 0 && (
      <p class="nothing">
        <strong>{t.bank.none(text)}</strong>
        {t.bank.noneHint}
      </p>
    )}
    {text && banks.length > 0 && <span class="unseen">{t.bank.found(banks.length)}</span>}
  </div>
);

const NoBanks = ({ view }: Shows<'bank'>) => {
  const top = (
    <span class="badge">
      <Icon name="bank" />
    </span>
  );
  return <Screen title={t.bank.noBanks} lead={t.bank.noBanksHint(view.application.name)} top={top} centred />;
};
