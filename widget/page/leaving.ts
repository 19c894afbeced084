// Decides if the user would lose something by leaving, and which question to ask.
import { isSubmitting, type Model, viewOf } from './model.ts';
import { t } from './texts/texts.ts';

/** The question to ask; undefined if nothing would be lost. `hasTyped`: a text field on the screen is not empty. */
export const leaveQuestion = (model: Model, hasTyped: boolean): string | undefined => {
  const view = viewOf(model);
  if (!view) return undefined;
  if (view.state === 'importing') return t.leave.importing;
  const wouldLose =
    view.state === 'challenge' ||
    view.state === 'accounts' ||
    (view.state === 'credentials' && (isSubmitting(model) || hasTyped));
  return wouldLose ? t.leave.text(view.application.name) : undefined;
};
