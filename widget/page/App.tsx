// The dialog around every screen: its name, the way back, the way out, and which screen is shown.
import type { Conversation, Model } from './conversation.ts';
import { Icon } from './parts/Icon.tsx';
import { Spinner } from './parts/Spinner.tsx';
import { goesBack } from './screen.ts';
import { Accounts } from './screens/Accounts.tsx';
import { Bank } from './screens/Bank.tsx';
import { Challenge } from './screens/Challenge.tsx';
import { Consent } from './screens/Consent.tsx';
import { Credentials } from './screens/Credentials.tsx';
import { Failed } from './screens/Failed.tsx';
import { Importing } from './screens/Importing.tsx';
import { Success } from './screens/Success.tsx';
import { t } from './texts/texts.ts';

export type Leave = () => void;
type Props = { model: Model; conversation: Conversation; onClose: Leave };

const Shown = ({ model, conversation, onClose }: Props) => {
  const { shown, working } = model;
  const { take } = conversation;
  if (shown.kind === 'starting') return <Spinner label={t.loading} />;
  if (shown.kind === 'failed') {
    const again = shown.again ? conversation.startAgain : undefined;
    return <Failed reason={shown.reason} startAgain={again} onClose={onClose} />;
  }
  const { view } = shown;
  switch (view.state) {
    case 'consent':
      return <Consent view={view} working={working} take={take} />;
    case 'bank':
      return <Bank view={view} working={working} take={take} search={conversation.search} />;
    case 'credentials':
      return <Credentials key={view.institution.id} view={view} working={working} take={take} />;
    case 'challenge':
      return <Challenge view={view} working={working} take={take} poll={conversation.poll} />;
    case 'accounts':
      return <Accounts view={view} working={working} take={take} />;
    case 'importing':
      return <Importing view={view} />;
    case 'finished':
      return <Success view={view} onClose={onClose} />;
    case 'failed': {
      const { reason, canRetry } = view;
      return (
        <Failed
          reason={reason}
          view={view}
          retry={canRetry === 'none' ? undefined : { to: canRetry, working, take }}
          startAgain={conversation.startAgain}
          onClose={onClose}
        />
      );
    }
  }
};

/** The whole page while it is open. */
export const App = ({ model, conversation, onClose }: Props) => {
  const { shown } = model;
  const view = shown.kind === 'view' ? shown.view : undefined;
  // Where closing is all that is left, the screen offers it in large, and once is enough.
  const closesBelow = shown.kind === 'failed' && !shown.again;
  return (
    <div class="ground">
      <div class="card" role="dialog" aria-modal="true" aria-labelledby="title">
        <header class="bar">
          {goesBack(view) && (
            <button
              type="button"
              class="round back"
              aria-label={t.back}
              disabled={model.working}
              onClick={() => conversation.take({ kind: 'back' })}
            >
              <Icon name="back" />
            </button>
          )}
          <h1 id="title" class={model.lost ? 'unseen' : undefined}>
            {t.title}
          </h1>
          {model.lost && (
            <p class="lost" role="status">
              {t.lost}
            </p>
          )}
          {!closesBelow && (
            <button type="button" class="round close" aria-label={t.close} onClick={onClose}>
              <Icon name="close" />
            </button>
          )}
        </header>
        <Shown model={model} conversation={conversation} onClose={onClose} />
        {view?.application.environment === 'sandbox' && <p class="strip">{t.sandbox}</p>}
      </div>
    </div>
  );
};
