// The card around every screen: title, back button, close button and the screen of the current view.

import { canGoBack, Icon, Spinner } from './components.tsx';
import type { ReturnChannel } from './returnChannel.ts';
import { Accounts } from './screens/Accounts.tsx';
import { Challenge } from './screens/Challenge.tsx';
import { Consent } from './screens/Consent.tsx';
import { Credentials } from './screens/Credentials.tsx';
import { Failed } from './screens/Failed.tsx';
import { Importing } from './screens/Importing.tsx';
import { SelectInstitution } from './screens/SelectInstitution.tsx';
import { Success } from './screens/Success.tsx';
import type { PageState, SessionController } from './sessionController.ts';
import { t } from './texts/texts.ts';

export type CloseHandler = () => void;
type Props = {
  state: PageState;
  controller: SessionController;
  returnChannel: ReturnChannel;
  onClose: CloseHandler;
};

const CurrentScreen = ({ state, controller, returnChannel, onClose }: Props) => {
  const { content, submitting } = state;
  const { submitStep } = controller;
  if (content.kind === 'loading') return <Spinner label={t.loading} />;
  if (content.kind === 'failed') {
    const restart = content.canRestart ? controller.restart : undefined;
    return <Failed reason={content.reason} restart={restart} onClose={onClose} />;
  }
  const { view } = content;
  switch (view.state) {
    case 'consent':
      return <Consent view={view} submitting={submitting} submitStep={submitStep} />;
    case 'institution':
      return (
        <SelectInstitution
          view={view}
          submitting={submitting}
          submitStep={submitStep}
          search={controller.searchInstitutions}
          notListed={state.notListed}
          showNotListed={controller.showNotListed}
          goBack={controller.goBack}
        />
      );
    case 'credentials':
      return (
        <Credentials
          key={view.institution.id}
          view={view}
          submitting={submitting}
          submitStep={submitStep}
          retryAfterSeconds={state.retryAfterSeconds}
        />
      );
    case 'challenge':
      return (
        <Challenge
          view={view}
          submitting={submitting}
          submitStep={submitStep}
          poll={controller.pollApproval}
          returnChannel={returnChannel}
        />
      );
    case 'accounts':
      return <Accounts view={view} submitting={submitting} submitStep={submitStep} />;
    case 'importing':
      return <Importing view={view} />;
    case 'finished':
      return <Success view={view} onClose={onClose} />;
    case 'failed': {
      const { reason, retryTarget } = view;
      return (
        <Failed
          reason={reason}
          view={view}
          retry={retryTarget === 'none' ? undefined : { target: retryTarget, submitting, submitStep }}
          restart={controller.restart}
          onClose={onClose}
        />
      );
    }
  }
};

/** The page while the widget is open. */
export const App = (props: Props) => {
  const { state, controller, onClose } = props;
  const { content } = state;
  const view = content.kind === 'view' ? content.view : undefined;
  // If closing is the only action, the screen has a large close button and the header has none.
  const hasCloseAction = content.kind === 'failed' && !content.canRestart;
  return (
    <div class="backdrop">
      <div class="card" role="dialog" aria-modal="true" aria-labelledby="title">
        <header class="header">
          {canGoBack(view) && (
            <button
              type="button"
              class="icon-button back"
              aria-label={t.back}
              disabled={state.submitting}
              onClick={controller.goBack}
            >
              <Icon name="back" />
            </button>
          )}
          <h1 id="title" class={state.offline ? 'visually-hidden' : undefined}>
            {t.title}
          </h1>
          {state.offline && (
            <p class="offline" role="status">
              {t.offline}
            </p>
          )}
          {!hasCloseAction && (
            <button type="button" class="icon-button close" aria-label={t.close} onClick={onClose}>
              <Icon name="close" />
            </button>
          )}
        </header>
        <CurrentScreen {...props} />
        {view?.application.environment === 'sandbox' && <p class="sandbox-notice">{t.sandbox}</p>}
      </div>
    </div>
  );
};
