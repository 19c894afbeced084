// Which bank. The service searches, and forgives typing; the list follows the typing after a short pause.
import { useEffect, useState } from 'preact/hooks';
import type { SessionController } from '../sessionController.ts';
import { Icon } from '../components/Icon.tsx';
import { Avatar } from '../components/Avatar.tsx';
import { headingId, Screen } from '../components/Screen.tsx';
import { Spinner } from '../components/Spinner.tsx';
import type { ScreenProps } from '../screenProps.ts';
import type { Institution } from '../apiClient.ts';
import { t } from '../texts/texts.ts';

const debounceMs = 150;

type SearchInstitutions = SessionController['searchInstitutions'];
type SearchResult = { text: string; institutions: Institution[] };

export const SelectInstitution = ({
  search,
  ...shows
}: ScreenProps<'institution'> & { search: SearchInstitutions }) =>
  shows.view.noInstitutions ? (
    <NoInstitutions {...shows} />
  ) : (
    <InstitutionSearch {...shows} search={search} />
  );

/** The banks for a text, a moment after it stops changing; the ones before until then. */
const useInstitutionSearch = (text: string, search: SearchInstitutions): SearchResult | undefined => {
  const [found, setFound] = useState<SearchResult>();
  useEffect(() => {
    const asking = new AbortController();
    const ask = async () => {
      try {
        setFound({ text, institutions: await search(text, asking.signal) });
      } catch (error) {
        // A search that is overtaken by typing, or by leaving, is no mistake.
        if (!asking.signal.aborted) reportError(error);
      }
    };
    const timer = setTimeout(ask, text ? debounceMs : 0);
    return () => {
      clearTimeout(timer);
      asking.abort();
    };
  }, [text, search]);
  return found;
};

const InstitutionSearch = ({
  submitting,
  submitStep,
  search,
}: ScreenProps<'institution'> & { search: SearchInstitutions }) => {
  const [text, setText] = useState('');
  const [chosen, setChosen] = useState<string>();
  const found = useInstitutionSearch(text, search);

  const choose = (id: string) => {
    setChosen(id);
    submitStep({ kind: 'selectInstitution', institutionId: id });
  };
  return (
    <Screen title={t.institution.title}>
      <div class="search">
        <Icon name="search" />
        <input
          type="search"
          aria-label={t.institution.search}
          aria-describedby={headingId}
          placeholder={t.institution.search}
          autocomplete="off"
          autocapitalize="none"
          spellcheck={false}
          maxLength={100}
          disabled={submitting}
          data-first
          onInput={(event) => setText(event.currentTarget.value.trim())}
        />
      </div>
      {found ? <SearchStatus {...found} /> : <Spinner label={t.loading} />}
      <ul class="rows">
        {found?.institutions.map(({ id, name }) => (
          <li key={id}>
            <button type="button" class="row" disabled={submitting} onClick={() => choose(id)}>
              <Avatar name={name} />
              <span class="name">{name}</span>
              {submitting && chosen === id ? <span class="wheel" aria-hidden="true" /> : <Icon name="next" />}
            </button>
          </li>
        ))}
      </ul>
    </Screen>
  );
};

/** What the search came to, in words: for the eye when there is nothing, for the ear always. */
const SearchStatus = ({ text, institutions }: SearchResult) => (
  <div role="status">
    {institutions.length === 0 && (
      <p class="nothing">
        <strong>{t.institution.none(text)}</strong>
        {t.institution.noneHint}
      </p>
    )}
    {text && institutions.length > 0 && (
      <span class="unseen">{t.institution.found(institutions.length)}</span>
    )}
  </div>
);

const NoInstitutions = ({ view }: ScreenProps<'institution'>) => {
  const top = (
    <span class="badge">
      <Icon name="bank" />
    </span>
  );
  return (
    <Screen
      title={t.institution.noInstitutions}
      lead={t.institution.noInstitutionsHint(view.application.name)}
      top={top}
      centered
    />
  );
};
