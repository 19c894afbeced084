// The words that the page and the panel of the loader choose, in each language.
import { toChildArray, type VNode } from 'preact';
import { describe, expect, test } from 'vitest';
import { firstLanguage } from '../../widget/language.ts';
import { loaderTextsFor } from '../../widget/loader/loaderTexts.ts';
import type { FailedReason } from '../../widget/page/failedReason.ts';
import { Failed } from '../../widget/page/screens/Failed.tsx';
import type { ViewOf } from '../../widget/page/screens/screenProps.ts';
import { en, type Texts } from '../../widget/page/texts/en.ts';
import { type Actions, actionTexts, failureActions } from './failureActions.ts';
import { languages } from './languages.ts';

const retryTargets = ([first, second]: Actions): string[] => [
  ...(first === 'restart' ? [] : ['credentials']),
  ...(second === 'otherInstitution' ? ['institution'] : []),
];

/** The reasons for having no link session, or for losing it. */
const withoutSession = (reason: FailedReason): boolean =>
  reason === 'session_expired' || failureActions[reason][0] === 'close';

describe('a failure', () => {
  const reasons = Object.keys(failureActions) as FailedReason[];
  test.each(reasons)('%s offers two actions', (reason) => {
    const actions = failureActions[reason];
    const view = { state: 'failed', reason, retryTargets: retryTargets(actions) } as ViewOf<'failed'>;
    const handlers = { submitStep: () => {}, restart: () => {}, onClose: () => {} };
    const shown = withoutSession(reason) ? undefined : view;
    const { footer } = Failed({ reason, view: shown, submitting: false, ...handlers }).props;
    const labels = toChildArray(footer.props.children).map(
      (button) => (button as VNode<{ label: string }>).props.label,
    );
    expect(labels).toEqual(actions.map((action) => actionTexts[action](en)));
  });

  test.each(Object.entries(languages))('in %s each reason has its own title, and names the bank', (_, t) => {
    const texts = Object.values(t.failed.reasons);
    expect(new Set(texts.map(({ title }) => title)).size).toBe(texts.length);
    const naming = (texts: Texts) =>
      Object.entries(texts.failed.reasons).flatMap(([reason, { text }]) =>
        text('Strict Bank').includes('Strict Bank') ? reason : [],
      );
    expect(naming(t)).toEqual(naming(en));
  });
});

describe('the panel that shows that the page is loading', () => {
  test.for(Object.entries(languages))('has the words of the page in %s', ([tag, texts]) => {
    const [language, loading, , again, close] = loaderTextsFor([tag]);
    const words = [texts.loading, texts.failed.tryAgain, texts.close];
    expect([language, loading, again, close]).toEqual([tag, ...words]);
  });

  test.for([
    ['fr-CA', 'fr'],
    ['PT-br', 'pt'],
    ['frr', 'en'],
    ['arn-CL', 'en'],
    ['constructor', 'en'],
  ])('is for %s in %s', ([tag, language]) => {
    expect(loaderTextsFor([tag!])[0]).toBe(language);
  });
});

test('a language that the page does not have becomes English', () => {
  expect(firstLanguage(['tlh'], languages)).toBe('en');
});
