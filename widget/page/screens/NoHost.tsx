// The page without a host around it: nothing can be connected here, and nothing is asked.
import { t } from '../texts/texts.ts';

export const NoHost = () => (
  <main class="outside">
    <h1>{t.title}</h1>
    <p>{t.noHost}</p>
  </main>
);
