// The card with the screen of the current view.

import { Card } from './components/Card.tsx';
import { LeaveQuestion } from './components/LeaveQuestion.tsx';
import { Skeleton } from './components/Skeleton.tsx';
import type { ReturnChannel } from './returnChannel.ts';
import { Accounts } from './screens/Accounts.tsx';
import { Challenge } from './screens/Challenge.tsx';
import { Consent } from './screens/Consent.tsx';
import { Credentials } from './screens/Credentials.tsx';
import { Failed, offersClose } from './screens/Failed.tsx';
import { Importing } from './screens/Importing.tsx';
import { SelectInstitution } from './screens/SelectInstitution.tsx';
import { Success } from './screens/Success.tsx';
import { canGoBack } from './screens/screenProps.ts';
import type { PageState, SessionController } from './sessionController.ts';

export type CloseHandler = () => void;
type Props = {
  state: PageState;
  controller: SessionController;
  returnChannel: ReturnChannel;
  /** Asks the user first if something would be lost. */
  onClose: CloseHandler;
  /** The user has confirmed that they leave. */
  onLeave: CloseHandler;
};

const CurrentScreen = ({ state, controller, returnChannel, onClose }: Props) => {
  const { content, submitting } = state;
  const { submitStep } = controller;
  if (content.kind === 'loading') return <Skeleton />;
  const failed = { submitting, submitStep, restart: controller.restart, onClose };
  if (content.kind === 'failed') return <Failed {...content} {...failed} />;
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
          typed={state.typed?.institutionId === view.institution.id ? state.typed.values : undefined}
        />
      );
    case 'challenge':
      return (
        <Challenge
          view={view}
          submitting={submitting}
          submitStep={submitStep}
          poll={controller.pollApproval}
          resumed={state.resumed}
          returnChannel={returnChannel}
        />
      );
    case 'accounts':
      return <Accounts view={view} submitting={submitting} submitStep={submitStep} />;
    case 'importing':
      return <Importing view={view} />;
    case 'finished':
      return <Success view={view} onClose={onClose} />;
    case 'failed':
      return <Failed reason={view.reason} view={view} {...failed} />;
  }
};

/** The page while the widget is open. */
export const App = (props: Props) => {
  const { state, controller, onClose, onLeave } = props;
  const { content, submitting, offline } = state;
  const view = content.kind === 'view' ? content.view : undefined;
  return (
    <div class="backdrop">
      <Card
        {...{ submitting, offline }}
        onBack={canGoBack(view) ? controller.goBack : undefined}
        // One button with each action.
        onClose={offersClose(content) ? undefined : onClose}
        isSandbox={view?.application.environment === 'sandbox'}
      >
        <CurrentScreen {...props} />
      </Card>
      {state.leaveQuestion && (
        <LeaveQuestion text={state.leaveQuestion} onStay={controller.stay} onLeave={onLeave} />
      )}
    </div>
  );
};
