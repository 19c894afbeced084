// Opens the search with a button, or with Ctrl-K or Cmd-K on every page. The dialog is loaded when it is first opened.
import { Suspense, useEffect, useState } from 'react';
import { Search } from '../components/icons.tsx';
import { lazyPage, loadPages } from './lazyPage.ts';

const SearchDialog = lazyPage('SearchDialog');

const isMac = /Mac|iPhone|iPad/.test(navigator.userAgent);

export const SearchButton = ({ onPress }: { onPress: () => void }) => (
  <button
    type="button"
    className="button search-button"
    aria-keyshortcuts={isMac ? 'Meta+K' : 'Control+K'}
    onClick={onPress}
    onPointerEnter={loadPages}
    onFocus={loadPages}
  >
    <Search size={16} aria-hidden="true" />
    <span>Search</span>
    <span className="keys" aria-hidden="true">
      {isMac ? '⌘ K' : 'Ctrl K'}
    </span>
  </button>
);

/** The dialog while it is open. The keys are ignored while another dialog is open. */
export const useSearchDialog = () => {
  const [isOpen, setOpen] = useState(false);
  useEffect(() => {
    const onKeyDown = (event: KeyboardEvent) => {
      const isShortcut = event.key.toLowerCase() === 'k' && (event.ctrlKey || event.metaKey);
      if (!isShortcut || event.altKey || event.shiftKey) return;
      event.preventDefault();
      if (!document.querySelector('dialog[open]')) setOpen(true);
    };
    document.addEventListener('keydown', onKeyDown);
    return () => document.removeEventListener('keydown', onKeyDown);
  }, []);
  const dialog = isOpen && (
    <Suspense>
      <SearchDialog onClose={() => setOpen(false)} />
    </Suspense>
  );
  return { open: () => setOpen(true), dialog };
};
