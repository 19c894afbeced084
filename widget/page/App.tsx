// Renders the card with the screen for the current view.

import { Card } from './components/Card.tsx';
import { LeaveQuestion } from './components/LeaveQuestion.tsx';
import { Skeleton } from './components/Skeleton.tsx';
import { isSubmitting, type Model, viewOf } from './model.ts';
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
import type { Transport } from './transport.ts';

export type CloseHandler = () => void;
type Props = {
  model: Model;
  transport: Transport;
  returnChannel: ReturnChannel;
  /** Asks the user first if something would be lost. */
  onClose: CloseHandler;
  /** The user has confirmed leaving. */
  onLeave: CloseHandler;
};

const CurrentScreen = ({ model, transport, returnChannel, onClose }: Props) => {
  const { content } = model;
  const { dispatch, submitStep } = transport;
  const submitting = isSubmitting(model);
  if (content.kind === 'loading') return <Skeleton />;
  const failed = { submitting, submitStep, restart: transport.restart, onClose };
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
          search={transport.searchInstitutions}
          notListed={model.notListed}
          dispatch={dispatch}
        />
      );
    case 'credentials':
      return (
        <Credentials
          key={view.institution.id}
          view={view}
          submitting={submitting}
          submitStep={submitStep}
          retryAfterSeconds={model.retryAfterSeconds}
          typed={model.typed?.institutionId === view.institution.id ? model.typed.values : undefined}
        />
      );
    case 'challenge':
      return (
        <Challenge
          view={view}
          submitting={submitting}
          submitStep={submitStep}
          poll={() => dispatch({ kind: 'approval_poll' })}
          resumed={model.resumed}
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
  const { model, transport, onClose, onLeave } = props;
  const { content, offline, leaveQuestion } = model;
  const { dispatch } = transport;
  const view = viewOf(model);
  return (
    <div class="backdrop">
      <Card
        submitting={isSubmitting(model)}
        offline={offline}
        onBack={canGoBack(view) ? () => dispatch({ kind: 'back' }) : undefined}
        // There is only one button for each action.
        onClose={offersClose(content) ? undefined : onClose}
        isSandbox={view?.application.environment === 'sandbox'}
      >
        <CurrentScreen {...props} />
      </Card>
      {leaveQuestion && (
        <LeaveQuestion
          text={leaveQuestion}
          onStay={() => dispatch({ kind: 'leave_question', text: undefined })}
          onLeave={onLeave}
        />
      )}
    </div>
  );
};
