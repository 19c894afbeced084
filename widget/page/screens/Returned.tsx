// The page to which the bank returns the user. It sends the query to the service, and the resulting code to the widget that
// opened this window or to the native application. If it reaches neither, it shows the code.
import { useEffect, useState } from 'preact/hooks';
import { type AcceptedReturn, type ApiClient, retryUntilAnswered } from '../apiClient.ts';
import { Icon } from '../components/Icon.tsx';
import { Screen } from '../components/Screen.tsx';
import { Spinner } from '../components/Spinner.tsx';
import { sendReturn } from '../returnChannel.ts';
import { t } from '../texts/texts.ts';

type CodeOutcome = { kind: 'code'; accepted: AcceptedReturn; applicationUrl: string | undefined };
type Outcome = { kind: 'passedOn' | 'ended' } | CodeOutcome;

const passOn = async (api: ApiClient, query: string): Promise<Outcome> => {
  const state = new URLSearchParams(query).get('state');
  if (!state) return { kind: 'ended' };
  const { signal } = new AbortController();
  const body = { state, query, attempt: crypto.randomUUID() };
  const send = () => api.returnFromInstitution(body, { signal });
  const accepted = await retryUntilAnswered(send, signal, () => {});
  if (!(await sendReturn(accepted.code))) {
    const { returnAddress, code } = accepted;
    const applicationUrl = returnAddress && `${returnAddress}?code=${code}`;
    // Some browsers open an application only after a click, and some do not report that there is none.
    if (applicationUrl) location.href = applicationUrl;
    return { kind: 'code', accepted, applicationUrl };
  }
  // Works only if a script opened the window.
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
  if (outcome.kind === 'code') return <CodeScreen {...outcome} />;
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

const CodeScreen = ({ accepted: { code, application, institution }, applicationUrl }: CodeOutcome) => (
  <Screen
    title={applicationUrl ? t.returned.done : t.returned.codeTitle}
    lead={
      applicationUrl
        ? t.returned.nativeLead(application.name, institution.name)
        : t.returned.codeLead(application.name, institution.name)
    }
    centered
    footer={
      applicationUrl && (
        <a class="primary-button" href={applicationUrl} data-first>
          {t.returned.backTo(application.name)}
        </a>
      )
    }
  >
    <p class="return-code">{code}</p>
    <p class="hint">{t.returned.warning(application.name)}</p>
  </Screen>
);
