// Tabs with one visible panel; arrow keys, Home and End select another one. https://www.w3.org/WAI/ARIA/apg/patterns/tabs/
import { type ReactNode, useId, useState } from 'react';
import { nextIndex } from './nextIndex.ts';

type TabsProps<Tab> = { label: string; tabs: readonly Tab[]; children: (tab: Tab) => ReactNode };

export const Tabs = <Tab extends { id: string; label: string }>({
  label,
  tabs,
  children,
}: TabsProps<Tab>) => {
  const id = useId();
  const labels = tabs.map((tab) => tab.label);
  const [selected, setSelected] = useState(0);
  const select = (index: number) => {
    setSelected(index);
    document.getElementById(`${id}-${index}`)!.focus();
  };
  return (
    <div className="stack">
      <div role="tablist" aria-label={label} className="tablist">
        {tabs.map((tab, index) => (
          <button
            key={tab.id}
            id={`${id}-${index}`}
            type="button"
            role="tab"
            aria-selected={index === selected}
            aria-controls={`${id}-panel`}
            tabIndex={index === selected ? 0 : -1}
            className="tab"
            onClick={() => setSelected(index)}
            onKeyDown={(event) => {
              const next = nextIndex(event.key, labels, index);
              if (next === undefined) return;
              event.preventDefault();
              select(next);
            }}
          >
            {tab.label}
          </button>
        ))}
      </div>
      <div
        id={`${id}-panel`}
        role="tabpanel"
        aria-labelledby={`${id}-${selected}`}
        // biome-ignore lint/a11y/noNoninteractiveTabindex: the pattern has the panel in the tab sequence.
        tabIndex={0}
        className="tabpanel stack"
      >
        {children(tabs[selected]!)}
      </div>
    </div>
  );
};
