// A button with a menu. Arrow keys, Home, End and first letters move within it; Escape, Tab and clicks outside close it.
// https://www.w3.org/WAI/ARIA/apg/patterns/menu-button/
import { type KeyboardEvent, type ReactNode, useEffect, useId, useRef, useState } from 'react';
import { Check } from './icons.tsx';
import { nextIndex } from './nextIndex.ts';

export type MenuItem<Id extends string> = {
  id: Id;
  label: string;
  /** Shown before the label. */
  icon?: ReactNode;
  danger?: boolean;
  /** True for the selected item of a group; absent for an action. */
  isChecked?: boolean;
};

type MenuGroup<Id extends string> = { heading?: string; items: readonly MenuItem<Id>[] };

type MenuProps<Id extends string> = {
  label: string;
  groups: readonly MenuGroup<Id>[];
  onAction: (id: Id) => void;
};

type MenuButtonProps<Id extends string> = MenuProps<Id> & {
  className: string;
  /** The button's accessible name, if its content is not text. */
  buttonLabel?: string;
  children: ReactNode;
};

export const MenuButton = <Id extends string>(props: MenuButtonProps<Id>) => {
  const { className, buttonLabel, children, ...menu } = props;
  const id = useId();
  const button = useRef<HTMLButtonElement>(null);
  const popover = useRef<HTMLDivElement>(null);
  const [isOpen, setOpen] = useState(false);
  const close = () => popover.current?.hidePopover();
  useEffect(() => {
    if (!isOpen) return;
    window.addEventListener('resize', close);
    return () => window.removeEventListener('resize', close);
  }, [isOpen]);
  const openByArrow = (event: KeyboardEvent) => {
    if (event.key !== 'ArrowDown' && event.key !== 'ArrowUp') return;
    event.preventDefault();
    popover.current!.showPopover();
    if (event.key === 'ArrowUp') itemsOf(popover.current!).at(-1)!.focus();
  };
  return (
    <>
      <button
        ref={button}
        type="button"
        className={className}
        aria-label={buttonLabel}
        aria-haspopup="menu"
        aria-expanded={isOpen}
        popoverTarget={id}
        onKeyDown={openByArrow}
      >
        {children}
      </button>
      <div
        ref={popover}
        id={id}
        popover="auto"
        className="popover"
        onBeforeToggle={({ newState }) => newState === 'open' && prepare(popover.current!, button.current!)}
        onToggle={({ newState }) => setOpen(newState === 'open')}
      >
        <Menu {...menu} close={close} />
      </div>
    </>
  );
};

const itemsOf = (popover: HTMLElement): HTMLElement[] => [...popover.querySelectorAll<HTMLElement>('.item')];

/** Places the popover on the side of the button with more room, and focuses its first item. */
const prepare = (popover: HTMLElement, button: HTMLElement): void => {
  const { left, right, top, bottom, width } = button.getBoundingClientRect();
  const isAbove = top + bottom > innerHeight;
  const isAtEnd = left + right > innerWidth;
  Object.assign(popover.style, {
    top: isAbove ? 'auto' : `${bottom + 4}px`,
    bottom: isAbove ? `${innerHeight - top + 4}px` : 'auto',
    left: isAtEnd ? 'auto' : `${left}px`,
    right: isAtEnd ? `${document.documentElement.clientWidth - right}px` : 'auto',
    minWidth: `${width}px`,
    maxHeight: `${(isAbove ? top : innerHeight - bottom) - 12}px`,
  });
  itemsOf(popover)[0]?.setAttribute('autofocus', '');
};

const Menu = <Id extends string>({
  label,
  groups,
  onAction,
  close,
}: MenuProps<Id> & { close: () => void }) => {
  const move = (event: KeyboardEvent<HTMLElement>) => {
    if (event.key === 'Tab') close();
    // The dialog around the menu stays open.
    if (event.key === 'Escape') event.stopPropagation();
    const items = itemsOf(event.currentTarget);
    const texts = items.map(({ textContent }) => textContent);
    const next = nextIndex(event.key, texts, items.indexOf(event.target as HTMLElement));
    if (next === undefined) return;
    event.preventDefault();
    items[next]?.focus();
  };
  return (
    <div role="menu" tabIndex={-1} aria-label={label} onKeyDown={move}>
      {groups.map(({ heading, items }) => (
        // biome-ignore lint/a11y/useSemanticElements: a fieldset is not a group in a menu.
        <div key={items[0]?.id} role="group" aria-label={heading} className="menu-group">
          {heading && (
            <div className="menu-heading" aria-hidden="true">
              {heading}
            </div>
          )}
          {items.map((item) => (
            <Item
              key={item.id}
              item={item}
              onPress={() => {
                close();
                onAction(item.id);
              }}
            />
          ))}
        </div>
      ))}
    </div>
  );
};

const Item = <Id extends string>({ item, onPress }: { item: MenuItem<Id>; onPress: () => void }) => {
  const { label, icon, danger, isChecked } = item;
  return (
    // biome-ignore lint/a11y/useAriaPropsSupportedByRole: aria-checked is absent if the role is menuitem.
    <button
      type="button"
      role={isChecked === undefined ? 'menuitem' : 'menuitemradio'}
      aria-checked={isChecked}
      tabIndex={-1}
      className={danger ? 'item danger' : 'item'}
      onClick={onPress}
      onPointerMove={(event) => event.currentTarget.focus()}
    >
      {icon}
      <span>{label}</span>
      {isChecked && <Check className="check" size={16} aria-hidden="true" />}
    </button>
  );
};
