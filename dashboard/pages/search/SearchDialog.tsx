// Searches pages, applications, connections, API keys and requests. Follows the "combobox" pattern of the ARIA Authoring
// Practices: focus stays in the field, arrows move the active option, and Enter opens it.
import { useQuery } from '@tanstack/react-query';
import { type KeyboardEvent, useEffect, useRef, useState } from 'react';
import { Link, useLocation } from 'wouter';
import { errorMessage } from '../../api/apiClient.ts';
import { applicationsQuery } from '../../api/applications.ts';
import { searchQuery } from '../../api/search.ts';
import { Dialog } from '../../components/Dialog.tsx';
import { Search } from '../../components/icons.tsx';
import { Notice } from '../../components/Notice.tsx';
import { useAutoFocus } from '../../components/useAutoFocus.ts';
import { useDebounced } from '../../components/useDebounced.ts';
import { useOrgContext } from '../../shell/orgContext.ts';
import { foundGroups, pageGroup, type SearchGroup } from './results.ts';

const optionId = (at: number): string => `search-option-${at}`;

/** True for a pasted token or API key, which is not sent: request URLs must not contain secrets. */
const isSecret = (text: string): boolean => /^(sct_|eyJ)/.test(text);

const useSearch = (typed: string) => {
  const { organization, root, hasRole } = useOrgContext();
  const text = useDebounced(typed);
  const applications = useQuery(applicationsQuery(organization.id)).data ?? [];
  const enabled = text !== '' && !isSecret(text);
  const query = useQuery({ ...searchQuery(organization.id, text), enabled });
  const found = enabled && query.data ? foundGroups(query.data, { root, applications }) : [];
  const pages = isSecret(typed) ? [] : [pageGroup(typed, { root, hasRole })];
  return {
    groups: [...pages, ...found].filter(({ items }) => items.length > 0),
    isSettled: typed === text && !(enabled && (query.isPending || query.isPlaceholderData)),
    error: enabled ? query.error : null,
  };
};

export const SearchDialog = ({ onClose }: { onClose: () => void }) => {
  const [, navigate] = useLocation();
  const [typed, setTyped] = useState('');
  const [active, setActive] = useState(0);
  const field = useRef<HTMLInputElement>(null);
  useAutoFocus(field, true);
  const text = typed.trim();
  const { groups, isSettled, error } = useSearch(text);
  const items = groups.flatMap((group) => group.items);
  const at = Math.min(active, items.length - 1);
  useEffect(() => document.getElementById(optionId(at))?.scrollIntoView({ block: 'nearest' }), [at]);

  const open = (to: string) => {
    onClose();
    navigate(to);
  };
  const onKeyDown = (event: KeyboardEvent) => {
    if (event.nativeEvent.isComposing || items.length === 0) return;
    if (event.key === 'ArrowDown') setActive((at + 1) % items.length);
    else if (event.key === 'ArrowUp') setActive((at - 1 + items.length) % items.length);
    else if (event.key === 'Enter' && isSettled) open(items[at]!.to);
    else return;
    event.preventDefault();
  };
  return (
    <Dialog className="modal search-dialog" label="Search" onClose={onClose}>
      <div className="search">
        <Search size={16} aria-hidden="true" />
        <input
          ref={field}
          type="text"
          inputMode="search"
          className="input"
          role="combobox"
          aria-label="Search term"
          aria-autocomplete="list"
          aria-expanded={items.length > 0}
          aria-controls="search-options"
          aria-activedescendant={items.length > 0 ? optionId(at) : undefined}
          placeholder="User id, connection id, application, key, request id"
          autoComplete="off"
          spellCheck={false}
          maxLength={255}
          value={typed}
          onChange={(event) => {
            setTyped(event.currentTarget.value);
            setActive(0);
          }}
          onKeyDown={onKeyDown}
        />
      </div>
      {isSecret(text) && (
        <Notice tone="warn">This looks like a token or an API key. Search for its name instead.</Notice>
      )}
      {error && <Notice tone="bad">{errorMessage(error)}</Notice>}
      <Options groups={groups} active={at} onOpen={onClose} />
      <p className="small muted" role="status">
        {isSettled && !error && !isSecret(text) && resultCount(items.length)}
      </p>
    </Dialog>
  );
};

const resultCount = (count: number): string =>
  count === 0 ? 'No results' : count === 1 ? '1 result' : `${count} results`;

type OptionsProps = { groups: SearchGroup[]; active: number; onOpen: () => void };

const Options = ({ groups, active, onOpen }: OptionsProps) => {
  const before = (index: number) =>
    groups.slice(0, index).reduce((count, { items }) => count + items.length, 0);
  return (
    <div id="search-options" role="listbox" aria-label="Results">
      {groups.map(({ heading, items }, index) => (
        // biome-ignore lint/a11y/useSemanticElements: a fieldset is not a group in a list box.
        <div key={heading} role="group" aria-label={heading}>
          <div className="menu-heading" aria-hidden="true">
            {heading}
          </div>
          {items.map(({ key, label, details, to }, within) => (
            <Link
              key={key}
              id={optionId(before(index) + within)}
              to={to}
              role="option"
              aria-selected={before(index) + within === active}
              tabIndex={-1}
              className="item"
              onClick={onOpen}
            >
              <span>{label}</span>
              {details && <small>{details}</small>}
            </Link>
          ))}
        </div>
      ))}
    </div>
  );
};
