// Whether the user would lose something by leaving, and what they are asked then.
import type { PageState } from './sessionController.ts';
import { t } from './texts/texts.ts';

/** What to ask; undefined if nothing would be lost. `hasTyped`: a text field of the screen is not empty. */
export const leaveQuestion = ({ content, submitting }: PageState, hasTyped: boolean): string | undefined => {
  if (content.kind !== 'view') return undefined;
  const { view } = content;
  if (view.state === 'importing') return t.leave.importing;
  const wouldLose =
    view.state === 'challenge' ||
    view.state === 'accounts' ||
    (view.state === 'credentials' && (submitting || hasTyped));
  return wouldLose ? t.leave.text(view.application.name) : undefined;
};
