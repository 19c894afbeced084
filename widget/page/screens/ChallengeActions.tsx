// Alternatives to answering a challenge, if the bank allows them: resending the code or request, or choosing another method.
import { useEffect, useState } from 'preact/hooks';
import { LinkButton } from '../components/buttons.tsx';
import { t } from '../texts/texts.ts';
import type { ScreenProps } from './screenProps.ts';

/** The seconds left of `seconds`, counted from the first render and from each change of `restart`. */
const useCountdown = (seconds: number, restart: number): number => {
  const [left, setLeft] = useState(seconds);
  useEffect(() => {
    const end = Date.now() + seconds * 1000;
    const update = () => {
      const remaining = Math.max(0, Math.ceil((end - Date.now()) / 1000));
      setLeft(remaining);
      if (remaining === 0) clearInterval(timer);
    };
    const timer = setInterval(update, 250);
    update();
    return () => clearInterval(timer);
  }, [seconds, restart]);
  return left;
};

export const ChallengeActions = ({ view, submitting, submitStep }: ScreenProps<'challenge'>) => {
  const { resend, otherMethod } = view.challenge;
  const [resends, setResends] = useState(0);
  const secondsLeft = useCountdown(resend?.afterSeconds ?? 0, resends);
  if (!resend && !otherMethod && resends === 0) return null;
  const sendAgain = () => {
    setResends(resends + 1);
    submitStep({ kind: 'challengeAction', action: 'resend' });
  };
  return (
    <div class="challenge-actions">
      {resend && (
        <LinkButton
          action="send-again"
          label={secondsLeft > 0 ? t.challenge.resendIn(secondsLeft) : t.challenge.resend}
          disabled={submitting || secondsLeft > 0}
          onClick={sendAgain}
        />
      )}
      {otherMethod && (
        <LinkButton
          action="other-way"
          label={t.challenge.otherMethod}
          disabled={submitting}
          onClick={() => submitStep({ kind: 'challengeAction', action: 'otherMethod' })}
        />
      )}
      <span class="hint" role="status">
        {resends > 0 && !submitting && !view.error && t.challenge.resent}
      </span>
    </div>
  );
};
