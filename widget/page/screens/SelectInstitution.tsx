// The search for a bank. The service searches and tolerates typos; requests are debounced.
import type { ComponentChildren } from 'preact';
import { useEffect, useLayoutEffect, useRef, useState } from 'preact/hooks';
import type { InstitutionProfile } from '../apiClient.ts';
import { Avatar } from '../components/Avatar.tsx';
import { PrimaryButton } from '../components/buttons.tsx';
import { Icon } from '../components/Icon.tsx';
import { headingId, Screen } from '../components/Screen.tsx';
import { Spinner } from '../components/Spinner.tsx';
import type { Dispatch } from '../model.ts';
import { t } from '../texts/texts.ts';
import type { Transport } from '../transport.ts';
import type { ScreenProps } from './screenProps.ts';

const debounceMs = 150;

type SearchInstitutions = Transport['searchInstitutions'];
type SearchResult = { text: string; institutions: InstitutionProfile[] };

type Props = ScreenProps<'institution'> & {
  search: SearchInstitutions;
  /** The user reported that the bank is not listed. */
  notListed: boolean;
  dispatch: Dispatch;
};

export const SelectInstitution = (props: Props) => {
  if (props.view.noInstitutions) return <NoInstitutions {...props} />;
  return props.notListed ? <NotListed {...props} /> : <InstitutionSearch {...props} />;
};

/** The institutions for a text, debounced. Returns the previous result until the new one arrives. */
const useInstitutionSearch = (text: string, search: SearchInstitutions): SearchResult | undefined => {
  const [result, setResult] = useState<SearchResult>();
  useEffect(() => {
    const abortController = new AbortController();
    const request = async () => {
      try {
        setResult({ text, institutions: await search(text, abortController.signal) });
      } catch (error) {
        // A search aborted by more typing or by leaving the screen is not an error.
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

/** The index of the option that a key selects; undefined for other keys. `last` is the last option's index. */
const optionAfter = (key: string, active: number | undefined, last: number): number | undefined => {
  if (key === 'ArrowDown') return active === undefined || active === last ? 0 : active + 1;
  if (key === 'ArrowUp') return active ? active - 1 : last;
  // Without an active option, these keys move within the text.
  if (active === undefined) return undefined;
  return key === 'Home' ? 0 : key === 'End' ? last : undefined;
};

/** The option that Enter selects if none is active: the text's best match, once it is shown. */
const bestMatch = (text: string, result: SearchResult | undefined): number | undefined =>
  text !== '' && result?.text === text && result.institutions.length > 0 ? 0 : undefined;

const listId = 'institutions';
const optionId = (at: number): string => `option-${at}`;

// The "combobox" pattern of the WAI-ARIA Authoring Practices Guide, with a permanent list: focus stays in the field, and
// Enter selects the active option.
const InstitutionSearch = ({ submitting, submitStep, search, dispatch }: Props) => {
  const [text, setText] = useState('');
  const [active, setActive] = useState<number>();
  const [selectedId, setSelectedId] = useState<string>();
  const field = useRef<HTMLInputElement>(null);
  const result = useInstitutionSearch(text, search);
  const institutions = result?.institutions ?? [];
  useLayoutEffect(() => setActive(undefined), [result]);
  useLayoutEffect(() => {
    if (active !== undefined) document.getElementById(optionId(active))?.scrollIntoView({ block: 'nearest' });
  }, [active]);

  const select = (at: number) => {
    const institution = institutions[at];
    if (submitting) return;
    if (!institution) return dispatch({ kind: 'not_listed' });
    setSelectedId(institution.id);
    submitStep({ kind: 'selectInstitution', institutionId: institution.id });
  };
  const clear = () => {
    field.current!.value = '';
    field.current!.focus();
    setText('');
  };
  const onKeyDown = (event: KeyboardEvent) => {
    if (event.isComposing) return;
    const chosen = active ?? bestMatch(text, result);
    const next = optionAfter(event.key, active, institutions.length);
    if (next !== undefined) setActive(next);
    else if (event.key === 'Enter' && chosen !== undefined) select(chosen);
    else if (event.key === 'Escape' && field.current!.value) clear();
    else return;
    event.preventDefault();
  };
  return (
    <Screen title={t.institution.title}>
      <div class="search-field">
        <Icon name="search" />
        <input
          ref={field}
          type="text"
          inputMode="search"
          role="combobox"
          aria-label={t.institution.search}
          aria-describedby={headingId}
          aria-autocomplete="list"
          aria-expanded={result !== undefined}
          aria-controls={listId}
          aria-activedescendant={active === undefined ? undefined : optionId(active)}
          placeholder={t.institution.search}
          autocomplete="off"
          autocapitalize="none"
          spellcheck={false}
          maxLength={100}
          disabled={submitting}
          data-first
          onInput={(event) => setText(event.currentTarget.value.trim())}
          onKeyDown={onKeyDown}
        />
        {text && !submitting && (
          <button type="button" class="clear" aria-label={t.institution.clear} onClick={clear}>
            <Icon name="close" />
          </button>
        )}
      </div>
      {result ? <SearchStatus {...result} /> : <Spinner label={t.loading} />}
      {result && (
        <div id={listId} class="options" role="listbox" aria-label={t.institution.title}>
          {institutions.map((institution, at) => (
            <Option
              {...{ at, active: active === at, submitting, select }}
              key={institution.id}
              name={institution.name}
              details={detailsOf(institution)}
              top={<Avatar {...institution} />}
              selected={selectedId === institution.id}
            />
          ))}
          <Option
            {...{ at: institutions.length, active: active === institutions.length, submitting, select }}
            key="not-listed"
            name={t.institution.notListed}
            top={
              <span class="avatar plain">
                <Icon name="bank" />
              </span>
            }
          />
        </div>
      )}
    </Screen>
  );
};

const detailsOf = ({ country, businessOnly, beta }: InstitutionProfile): string | undefined =>
  [
    country && countryName(country),
    businessOnly && t.labels.use_business(undefined),
    beta && t.institution.beta,
  ]
    .filter(Boolean)
    .join(' · ') || undefined;

const countryName = (country: string): string | undefined =>
  new Intl.DisplayNames(document.documentElement.lang, { type: 'region' }).of(country);

type OptionProps = {
  at: number;
  name: string;
  details?: string;
  top: ComponentChildren;
  active: boolean;
  submitting: boolean;
  /** Set while it is being submitted. */
  selected?: boolean;
  select: (at: number) => void;
};

// Clicks do not take focus from the field. The details describe the option and are not part of its name.
const Option = ({ at, name, details, top, active, submitting, selected, select }: OptionProps) => (
  <button
    type="button"
    id={optionId(at)}
    class="option"
    role="option"
    tabIndex={-1}
    disabled={submitting}
    aria-selected={active}
    aria-describedby={details && `${optionId(at)}-details`}
    onMouseDown={(event) => event.preventDefault()}
    onClick={() => select(at)}
  >
    {top}
    <span class="name">
      <span>{name}</span>
      {details && (
        <span id={`${optionId(at)}-details`} class="details" aria-hidden="true">
          {details}
        </span>
      )}
    </span>
    {submitting && selected ? <span class="spinner-icon" aria-hidden="true" /> : <Icon name="next" />}
  </button>
);

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

/** The options for a user whose bank is not listed. */
const NotListed = ({ view, dispatch }: Pick<Props, 'view' | 'dispatch'>) => (
  <Screen
    title={t.institution.notListedTitle}
    lead={t.institution.notListedHint(view.application.name)}
    top={bankBadge}
    centered
    footer={
      <PrimaryButton
        action="other-bank"
        label={t.institution.backToList}
        onClick={() => dispatch({ kind: 'back' })}
      />
    }
  />
);

const NoInstitutions = ({ view }: Pick<Props, 'view'>) => (
  <Screen
    title={t.institution.noInstitutions}
    lead={t.institution.noInstitutionsHint(view.application.name)}
    top={bankBadge}
    centered
  />
);

const bankBadge = (
  <span class="badge">
    <Icon name="bank" />
  </span>
);
