// The dialog around every screen: its name, the way back, the way out, and which screen is shown.
import type { SessionController, PageState } from './sessionController.ts';
import { Icon } from './components/Icon.tsx';
import { Spinner } from './components/Spinner.tsx';
import { canGoBack } from './screenProps.ts';
import { Accounts } from './screens/Accounts.tsx';
import { SelectInstitution } from './screens/SelectInstitution.tsx';
import { Challenge } from './screens/Challenge.tsx';
import { Consent } from './screens/Consent.tsx';
import { Credentials } from './screens/Credentials.tsx';
import { Failed } from './screens/Failed.tsx';
import { Importing } from './screens/Importing.tsx';
import { Success } from './screens/Success.tsx';
import { t } from './texts/texts.ts';

export type CloseHandler = () => void;
type Props = { state: PageState; controller: SessionController; onClose: CloseHandler };

const CurrentScreen = ({ state, controller, onClose }: Props) => {
  const { content, submitting } = state;
  const { submitStep } = controller;
  if (content.kind === 'starting') return <Spinner label={t.loading} />;
  if (content.kind === 'failed') {
    const again = content.again ? controller.restart : undefined;
    return <Failed reason={content.reason} restart={again} onClose={onClose} />;
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
        />
      );
    case 'credentials':
      return (
        <Credentials key={view.institution.id} view={view} submitting={submitting} submitStep={submitStep} />
      );
    case 'challenge':
      return (
        <Challenge
          view={view}
          submitting={submitting}
          submitStep={submitStep}
          poll={controller.pollApproval}
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
          retry={
            retryTarget === 'none' ? undefined : { to: retryTarget, working: submitting, take: submitStep }
          }
          restart={controller.restart}
          onClose={onClose}
        />
      );
    }
  }
};

/** The whole page while it is open. */
export const App = ({ state, controller, onClose }: Props) => {
  const { content } = state;
  const view = content.kind === 'view' ? content.view : undefined;
  // Where closing is all that is left, the screen offers it in large, and once is enough.
  const closesBelow = content.kind === 'failed' && !content.again;
  return (
    <div class="ground">
      <div class="card" role="dialog" aria-modal="true" aria-labelledby="title">
        <header class="bar">
          {canGoBack(view) && (
            <button
              type="button"
              class="round back"
              aria-label={t.back}
              disabled={state.submitting}
              onClick={() => controller.submitStep({ kind: 'back' })}
            >
              <Icon name="back" />
            </button>
          )}
          <h1 id="title" class={state.offline ? 'unseen' : undefined}>
            {t.title}
          </h1>
          {state.offline && (
            <p class="lost" role="status">
              {t.offline}
            </p>
          )}
          {!closesBelow && (
            <button type="button" class="round close" aria-label={t.close} onClick={onClose}>
              <Icon name="close" />
            </button>
          )}
        </header>
        <CurrentScreen state={state} controller={controller} onClose={onClose} />
        {view?.application.environment === 'sandbox' && <p class="strip">{t.sandbox}</p>}
      </div>
    </div>
  );
};
