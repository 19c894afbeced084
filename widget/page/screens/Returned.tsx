// The page to which the bank sends the user back. It passes what came with its address to the service, and the code of the
// response to the widget that has opened this window; where that cannot be reached, it shows the code.
import { useEffect, useState } from 'preact/hooks';
import { type AcceptedReturn, type ApiClient, retryUntilAnswered } from '../apiClient.ts';
import { Icon, Screen, Spinner } from '../components.tsx';
import { sendReturn } from '../returnChannel.ts';
import { t } from '../texts/texts.ts';

type Outcome = { kind: 'passedOn' | 'ended' } | { kind: 'code'; accepted: AcceptedReturn };

const passOn = async (api: ApiClient, query: string): Promise<Outcome> => {
  const state = new URLSearchParams(query).get('state');
  if (!state) return { kind: 'ended' };
  const { signal } = new AbortController();
  const body = { state, query, attempt: crypto.randomUUID() };
  const send = () => api.returnFromInstitution(body, { signal });
  const accepted = await retryUntilAnswered(send, signal, () => {});
  if (!(await sendReturn(accepted.code))) return { kind: 'code', accepted };
  // Works where a script has opened the window.
  window.close();
  return { kind: 'passedOn' };
};

export const Returned = ({ api, query }: { api: ApiClient; query: string }) => {
  const [outcome, setOutcome] = useState<Outcome>();
  useEffect(() => {
    void passOn(api, query).then(setOutcome, () => setOutcome({ kind: 'ended' }));
  }, []);
  return (
    <div class="backdrop">
      <main class="card">
        <header class="header">
          <h1 id="title">{t.title}</h1>
        </header>
        {outcome ? <OutcomeScreen {...outcome} /> : <Spinner label={t.loading} />}
      </main>
    </div>
  );
};

const OutcomeScreen = (outcome: Outcome) => {
  if (outcome.kind === 'code') {
    const { code, application, institution } = outcome.accepted;
    return (
      <Screen
        title={t.returned.codeTitle}
        lead={t.returned.codeLead(application.name, institution.name)}
        centered
      >
        <p class="return-code">{code}</p>
        <p class="hint">{t.returned.warning(application.name)}</p>
      </Screen>
    );
  }
  const isDone = outcome.kind === 'passedOn';
  const top = (
    <span class={isDone ? 'badge' : 'badge danger'}>
      <Icon name={isDone ? 'check' : 'clock'} />
    </span>
  );
  return isDone ? (
    <Screen title={t.returned.done} lead={t.returned.close} top={top} centered />
  ) : (
    <Screen title={t.returned.ended} lead={t.returned.endedLead} top={top} centered />
  );
};
