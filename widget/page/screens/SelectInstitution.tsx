// The search for a bank. The service searches and tolerates typing errors; requests are debounced.
import { useEffect, useState } from 'preact/hooks';
import type { InstitutionProfile } from '../apiClient.ts';
import type { ScreenProps } from '../components.tsx';
import { Avatar, headingId, Icon, Screen, Spinner } from '../components.tsx';
import type { SessionController } from '../sessionController.ts';
import { t } from '../texts/texts.ts';

const debounceMs = 150;

type SearchInstitutions = SessionController['searchInstitutions'];
type SearchResult = { text: string; institutions: InstitutionProfile[] };

export const SelectInstitution = ({
  search,
  ...props
}: ScreenProps<'institution'> & { search: SearchInstitutions }) =>
  props.view.noInstitutions ? (
    <NoInstitutions {...props} />
  ) : (
    <InstitutionSearch {...props} search={search} />
  );

/** The institutions for a text, debounced. Returns the previous result until the new one arrives. */
const useInstitutionSearch = (text: string, search: SearchInstitutions): SearchResult | undefined => {
  const [result, setResult] = useState<SearchResult>();
  useEffect(() => {
    const abortController = new AbortController();
    const request = async () => {
      try {
        setResult({ text, institutions: await search(text, abortController.signal) });
      } catch (error) {
        // A search that was aborted by more typing or by leaving the screen is not an error.
        if (!abortController.signal.aborted) reportError(error);
      }
    };
    const timer = setTimeout(request, text ? debounceMs : 0);
    return () => {
      clearTimeout(timer);
      abortController.abort();
    };
  }, [text, search]);
  return result;
};

const InstitutionSearch = ({
  submitting,
  submitStep,
  search,
}: ScreenProps<'institution'> & { search: SearchInstitutions }) => {
  const [text, setText] = useState('');
  const [selectedId, setSelectedId] = useState<string>();
  const result = useInstitutionSearch(text, search);

  const select = (id: string) => {
    setSelectedId(id);
    submitStep({ kind: 'selectInstitution', institutionId: id });
  };
  return (
    <Screen title={t.institution.title}>
      <div class="search-field">
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
      {result ? <SearchStatus {...result} /> : <Spinner label={t.loading} />}
      <ul class="options">
        {result?.institutions.map((institution) => (
          <li key={institution.id}>
            <button type="button" class="option" disabled={submitting} onClick={() => select(institution.id)}>
              <Avatar {...institution} />
              <span class="name">{institution.name}</span>
              {submitting && selectedId === institution.id ? (
                <span class="spinner-icon" aria-hidden="true" />
              ) : (
                <Icon name="next" />
              )}
            </button>
          </li>
        ))}
      </ul>
    </Screen>
  );
};

/** The number of results for screen readers, and a visible text if there are none. */
const SearchStatus = ({ text, institutions }: SearchResult) => (
  <div role="status">
    {institutions.length === 0 && (
      <p class="no-results">
        <strong>{t.institution.notFound(text)}</strong>
        {t.institution.notFoundHint}
      </p>
    )}
    {text && institutions.length > 0 && (
      <span class="visually-hidden">{t.institution.found(institutions.length)}</span>
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
