// The page without a host, which explains where to connect a bank.
import { t } from '../texts/texts.ts';

export const NoHost = () => (
  <main class="no-host">
    <h1>{t.title}</h1>
    <p>{t.noHost}</p>
  </main>
);
