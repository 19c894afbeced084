// The first view of /docs is HTML that the build renders with Scalar: readers see it at once, and its links lead to its
// sections. Starting Scalar takes seconds on a slow phone. When a reader first uses a control, this script replaces the
// first view with Scalar, at the same scroll position, and uses the same control there.

const directory = (document.currentScript as HTMLScriptElement).src.replace(/[^/]*$/, '');

const viewOf = (): HTMLElement => document.querySelector('#first-view')!;
const scalarOf = (): HTMLElement => document.querySelector('#app')!;

// Scalar chooses the mode in the same way.
const chosenMode = localStorage.getItem('colorMode');
const isDark =
  chosenMode === 'dark' || (chosenMode !== 'light' && matchMedia('(prefers-color-scheme: dark)').matches);

/** The build renders the switch for light mode. */
const turnSwitchToDark = (): void => {
  const icon = viewOf().querySelector('.toggle-icon-light')!;
  icon.className = icon.className.replace('light', 'dark');
  icon.ariaLabel = 'Set light mode';
  icon.parentElement!.classList.add('translate-x-[14px]');
  icon.closest('button')!.ariaPressed = 'true';
};

let scalar: Promise<{ default(): void }> | undefined;
const loadScalar = () => (scalar ??= import(`${directory}start.js`));

let used: HTMLElement | undefined;

/** Replaces the first view, then uses the control. While Scalar loads, a later control takes its place. */
const use = async (control: HTMLElement): Promise<void> => {
  const isLoading = used !== undefined;
  used = control;
  if (isLoading) return;
  const status = viewOf().querySelector('[role=status]')!;
  status.textContent = 'Loading…';
  try {
    await replaceView((await loadScalar()).default);
  } catch (error) {
    status.textContent = 'This could not be loaded. Reload the page to try again.';
    throw error;
  }
};

const replaceView = async (startScalar: () => void): Promise<void> => {
  const view = viewOf();
  const section = used!.closest('section[id]') ?? sectionInSight();
  const scrolled = scrollY;
  view.classList.add('in-front');
  view.scrollTop = scrolled;
  // Scalar renders and shows the section in the URL.
  if (scrolled > 0) history.replaceState(null, '', `#${section.id}`);
  startScalar();
  await showSamePlace(section);
  for (const input of view.querySelectorAll('input')) if (input.value) enter(inScalar(input), input.value);
  const control = inScalar(used!);
  if (view.matches('.menu-open')) scalarOf().querySelector<HTMLElement>('.t-doc__header button')?.click();
  view.remove();
  control?.focus({ preventScroll: true });
  control?.click();
};

const idleMilliseconds = 10_000;
const steadyFrames = 10;

/**
 * Scrolls Scalar, behind the first view, until its section stays at the position of the same section in the first view.
 * Gives up once Scalar has rendered nothing for ten seconds: a slow phone may take longer in all.
 */
const showSamePlace = async (section: Element): Promise<void> => {
  let renderedAt = performance.now();
  const observer = new MutationObserver(() => (renderedAt = performance.now()));
  observer.observe(scalarOf(), { childList: true, subtree: true });
  for (let steady = 0; steady < steadyFrames; steady++) {
    await new Promise(requestAnimationFrame);
    const isLate = performance.now() > renderedAt + idleMilliseconds;
    const same = inScalar(section);
    if (!same && isLate) throw new Error('Scalar did not start');
    const away = same ? same.getBoundingClientRect().top - section.getBoundingClientRect().top : 0;
    // Scalar keeps scrolling to the start of the section until it has rendered nearby content.
    scrollBy({ top: away, behavior: 'instant' });
    if (!same || (!isLate && (Math.abs(away) >= 1 || !inScalar(used!)))) steady = 0;
  }
  observer.disconnect();
};

const enter = (input: HTMLInputElement | undefined, text: string): void => {
  if (!input) return;
  input.value = text;
  input.dispatchEvent(new Event('input', { bubbles: true }));
};

const sectionInSight = (): Element =>
  [...viewOf().querySelectorAll('section[id]')].findLast(
    (section) => section.getBoundingClientRect().top <= innerHeight / 2,
  )!;

/** Scalar's copy of an element: in the same section, at the same index among the elements of its tag and classes. */
const inScalar = <Kind extends Element>(element: Kind): Kind | undefined => {
  const scope = element.closest('section[id], aside')!;
  const sameScope = scalarOf().querySelector(scope.id ? `[id="reference/${scope.id}"]` : 'aside');
  if (scope === element) return (sameScope as Kind | null) ?? undefined;
  const similarIn = (parent: Element) =>
    [...parent.querySelectorAll<Kind>(element.localName as never)].filter(
      ({ className }) => className === element.className,
    );
  return sameScope ? similarIn(sameScope)[similarIn(scope).indexOf(element)] : undefined;
};

const controlOf = ({ target }: Event, kinds: string): HTMLElement | null =>
  (target as Element).closest(`#first-view :is(${kinds})`);

const onClick = (event: Event): void => {
  const control = controlOf(event, 'button, input, label, aside a');
  if (control?.matches('.t-doc__header button'))
    control.ariaExpanded = String(viewOf().classList.toggle('menu-open'));
  else if (control?.matches('a')) viewOf().classList.remove('menu-open');
  else if (control) use(control);
};

const onFocus = (event: Event): void => {
  const field = controlOf(event, 'input:not([type=checkbox])');
  if (field) use(field);
};

const onKey = (event: KeyboardEvent): void => {
  const search = document.querySelector<HTMLElement>('#first-view aside button');
  if (!search || event.key !== 'k' || !(event.ctrlKey || event.metaKey)) return;
  event.preventDefault();
  use(search);
};

/** Loads Scalar while the pointer or the focus is on a control, before it is used. */
const onApproach = (event: Event): void => {
  if (controlOf(event, 'button, input, label')) loadScalar();
};

const markCurrentLink = (): void => {
  for (const link of document.querySelectorAll<HTMLAnchorElement>('#first-view aside a[href^="#"]'))
    link.ariaCurrent = link.hash === location.hash ? 'location' : null;
};

/**
 * Corrects Scalar's elements, in the first view and later. Regions are landmarks and need unique names, but Scalar calls
 * all of them "Example Responses". Links in the lists of operations have no address, so the keyboard does not reach them;
 * the sidebar has the same links in the same order.
 */
const correctElements = (): void => {
  for (const region of document.querySelectorAll('.response-card[role=region]')) region.role = 'group';
  for (const list of document.querySelectorAll('section[id] .endpoints')) {
    const tag = `#${list.closest('section')!.id.replace('reference/', '')}`;
    const links = document.querySelectorAll<HTMLAnchorElement>(`aside a[href^="${tag}/"]`);
    for (const [place, link] of list.querySelectorAll<HTMLAnchorElement>('.endpoint').entries())
      link.href = links[place]?.hash ?? tag;
  }
};

document.body.className = isDark ? 'dark-mode' : 'light-mode';
document.addEventListener('click', onClick);
document.addEventListener('keydown', onKey);
document.addEventListener('focusin', onFocus);
document.addEventListener('focusin', onApproach);
document.addEventListener('pointerover', onApproach);
document.addEventListener('DOMContentLoaded', () => {
  markCurrentLink();
  if (isDark) turnSwitchToDark();
});
addEventListener('hashchange', markCurrentLink);
new MutationObserver(correctElements).observe(document, { childList: true, subtree: true });
