// What the screens share: their layout and props, buttons, fields, icons and messages.
import type { ComponentChildren } from 'preact';
import { useLayoutEffect, useRef, useState } from 'preact/hooks';
import type { LinkSessionView, LinkStep } from './apiClient.ts';
import { t } from './texts/texts.ts';
import { textColorOn } from './theme.ts';

/** The id of the heading, which describes the first field. */
export const headingId = 'heading';
const leadId = 'lead';

type ScreenLayout = {
  title: string;
  lead?: string;
  /** An avatar or an icon above the heading. */
  top?: ComponentChildren;
  /** Below the content; does not scroll. */
  footer?: ComponentChildren;
  centered?: true;
  /** Makes the screen a form. */
  onSubmit?: (form: HTMLFormElement) => void;
  children?: ComponentChildren;
};

/**
 * The layout of a screen: a heading, scrolling content and a footer with the actions. A new screen moves the focus to the
 * one field with `data-first`, which the heading describes, or to the heading, so that screen readers announce the screen.
 */
export const Screen = ({ title, lead, top, footer: foot, centered, onSubmit, children }: ScreenLayout) => {
  const screen = useRef<HTMLDivElement>(null);
  const heading = useRef<HTMLHeadingElement>(null);
  // A layout effect, because the user may already type when a later effect moves the focus.
  useLayoutEffect(() => {
    const first = screen.current?.querySelector<HTMLElement>('[data-first]');
    (first ?? heading.current)?.focus({ preventScroll: true });
  }, [title]);

  const content = (
    <>
      <div class={centered ? 'content centered' : 'content'}>
        {top}
        <h2 ref={heading} id={headingId} tabIndex={-1} aria-describedby={lead && leadId}>
          {title}
        </h2>
        {lead && (
          <p id={leadId} class="lead">
            {lead}
          </p>
        )}
        {children}
      </div>
      {foot && <footer class="footer">{foot}</footer>}
    </>
  );
  return (
    <div class="screen" ref={screen}>
      {onSubmit ? (
        <form
          noValidate
          onSubmit={(event) => {
            event.preventDefault();
            onSubmit(event.currentTarget);
          }}
        >
          {content}
        </form>
      ) : (
        content
      )}
    </div>
  );
};

// SVG paths on a 24 by 24 grid, drawn in the color of the surrounding text.
const iconPaths = {
  back: 'M15 5l-7 7 7 7',
  close: 'M6 6l12 12M18 6L6 18',
  check: 'M5 12.5l4.5 4.5L19 7.5',
  next: 'M9 5l7 7-7 7',
  search: 'M10.5 17a6.5 6.5 0 1 0 0-13 6.5 6.5 0 0 0 0 13zM15.5 15.5L20 20',
  choose: 'M4 6.5l1.5 1.5L8 5M4 16.5L5.5 18 8 15M12 7h8M12 17h8',
  read: 'M2.5 12S6 5.5 12 5.5 21.5 12 21.5 12 18 18.5 12 18.5 2.5 12 2.5 12zM12 15a3 3 0 1 0 0-6 3 3 0 0 0 0 6z',
  lock: 'M6 11h12v9H6zM8.5 11V8a3.5 3.5 0 0 1 7 0v3',
  stop: 'M12 21a9 9 0 1 0 0-18 9 9 0 0 0 0 18zM9 9h6v6H9z',
  bank: 'M4 10l8-5.5 8 5.5zM6 10v7M10 10v7M14 10v7M18 10v7M4 20h16',
  warning: 'M12 4L2.8 20h18.4zM12 10v4.5M12 17.2v.1',
  clock: 'M12 21a9 9 0 1 0 0-18 9 9 0 0 0 0 18zM12 7v5.2l3.2 2',
  phone: 'M8 3h8a1 1 0 0 1 1 1v16a1 1 0 0 1-1 1H8a1 1 0 0 1-1-1V4a1 1 0 0 1 1-1zM10.5 18h3',
};

export type IconName = keyof typeof iconPaths;

/** Hidden from screen readers: its meaning is always in the text beside it. */
export const Icon = ({ name }: { name: IconName }) => (
  <svg class={`icon icon-${name}`} viewBox="0 0 24 24" aria-hidden="true" focusable="false">
    <path d={iconPaths[name]} />
  </svg>
);

export const alertId = 'alert';

/**
 * An error message above the fields that it concerns. A repeated error needs a new `key`, so that screen readers announce it
 * again.
 */
export const Alert = ({ children }: { children: ComponentChildren }) => (
  <p id={alertId} class="alert" role="alert">
    <Icon name="warning" />
    <span>{children}</span>
  </p>
);

const hues = [4, 28, 48, 140, 168, 196, 218, 250, 282, 326];

const hueOf = (name: string): number => {
  let hash = 7;
  for (const letter of name) hash = (hash * 31 + letter.codePointAt(0)!) % 9973;
  return hues[hash % hues.length]!;
};

/** The initials of the capitalised words, if there are any: "Bank of the West" is BW. */
const initialsOf = (name: string): string => {
  const words = name.split(/\s+/).filter((word) => /^[\p{L}\p{N}]/u.test(word));
  const capitalised = words.filter((word) => /^[\p{Lu}\p{N}]/u.test(word));
  const significant = capitalised.length ? capitalised : words;
  return (
    significant
      .slice(0, 2)
      .map((word) => [...word][0]!.toLocaleUpperCase())
      .join('') || '•'
  );
};

type AvatarProps = { name: string; logo?: string; color?: string; large?: true };

/**
 * A bank or an application: its logo, and its initials on its colour until the logo is there. The logo comes from the
 * service only, because another server would learn who connects which bank. Hidden from screen readers: the name is
 * beside it.
 */
export const Avatar = ({ name, logo, color, large }: AvatarProps) => {
  const [loaded, setLoaded] = useState<string>();
  const style = color ? { color: textColorOn(color), background: color } : { '--hue': String(hueOf(name)) };
  return (
    <span class={large ? 'avatar large' : 'avatar'} style={style} aria-hidden="true">
      {initialsOf(name)}
      {logo && (
        <img src={logo} alt="" class={loaded === logo ? 'loaded' : ''} onLoad={() => setLoaded(logo)} />
      )}
    </span>
  );
};

/** Submits the surrounding form, or calls `onClick`. While a step is being submitted, it is disabled and screen readers hear so. */
export const ContinueButton = ({ submitting, onClick }: { submitting: boolean; onClick?: () => void }) => (
  <>
    <button
      type={onClick ? 'button' : 'submit'}
      class="primary-button"
      disabled={submitting}
      onClick={onClick}
    >
      {submitting && <span class="spinner-icon" aria-hidden="true" />}
      {t.continue}
    </button>
    <span class="visually-hidden" role="status">
      {submitting && t.loading}
    </span>
  </>
);

type FieldProps = {
  name: string;
  label: string;
  /** A further text of the bank, below the field. */
  hint?: string;
  secret?: boolean;
  /** Shows the keyboard for digits. */
  digits?: boolean;
  first: boolean;
  autocomplete: 'username' | 'current-password' | 'one-time-code' | 'off';
  invalid: boolean;
};

/**
 * A text field with the bank's label. It is uncontrolled: the form reads its value on submit. A secret field has a button
 * that shows its text; pasting and password managers work.
 */
export const Field = ({ name, label, hint, secret, digits, first, autocomplete, invalid }: FieldProps) => {
  const [visible, setVisible] = useState(false);
  const id = `field-${name}`;
  const hintId = `hint-${name}`;
  const described = [invalid ? alertId : first ? headingId : '', hint ? hintId : ''];
  return (
    <div class="field">
      <label for={id}>{label}</label>
      <span class="input-group">
        <input
          id={id}
          name={name}
          {...(secret && !visible ? ({ type: 'password' } as const) : ({ type: 'text' } as const))}
          autocomplete={autocomplete}
          inputMode={digits ? 'numeric' : undefined}
          autocapitalize="none"
          autocorrect="off"
          spellcheck={false}
          required
          maxLength={1000}
          aria-invalid={invalid}
          aria-describedby={described.filter(Boolean).join(' ') || undefined}
          data-first={first || undefined}
        />
        {secret && (
          <button type="button" class="toggle-secret" aria-controls={id} onClick={() => setVisible(!visible)}>
            {visible ? t.credentials.hide : t.credentials.show}
          </button>
        )}
      </span>
      {hint && (
        <span id={hintId} class="hint">
          {hint}
        </span>
      )}
    </div>
  );
};

/** Appears after a delay, so that a fast response does not flicker. `label` is for screen readers. */
export const Spinner = ({ label }: { label: string }) => (
  <div class="spinner" role="status">
    <span class="spinner-icon" aria-hidden="true" />
    <span class="visually-hidden">{label}</span>
  </div>
);

export type ViewOf<State extends LinkSessionView['state']> = Extract<LinkSessionView, { state: State }>;
export type SubmitStep = (step: LinkStep) => void;
export type ScreenProps<State extends LinkSessionView['state']> = {
  view: ViewOf<State>;
  submitting: boolean;
  submitStep: SubmitStep;
};

/** Whether a screen has a back button. */
export const canGoBack = (view: LinkSessionView | undefined): boolean =>
  view !== undefined &&
  (view.state === 'institution' ||
    view.state === 'challenge' ||
    view.state === 'accounts' ||
    (view.state === 'credentials' && !view.reconnect));
