// Asks for confirmation before the user leaves and loses progress.
import { useLayoutEffect, useRef } from 'preact/hooks';
import { t } from '../texts/texts.ts';
import { PrimaryButton, SecondaryButton } from './buttons.tsx';

type Props = { text: string; onStay: () => void; onLeave: () => void };

/** A modal dialog over the card. The browser restores focus when it closes. */
export const LeaveQuestion = ({ text, onStay, onLeave }: Props) => {
  const dialog = useRef<HTMLDialogElement>(null);
  useLayoutEffect(() => {
    const question = dialog.current!;
    question.showModal();
    return () => question.close();
  }, []);
  return (
    <dialog
      ref={dialog}
      class="leave-question"
      role="alertdialog"
      aria-labelledby="leave-title"
      aria-describedby="leave-text"
      onCancel={(event) => {
        event.preventDefault();
        onStay();
      }}
    >
      <h2 id="leave-title">{t.leave.title}</h2>
      <p id="leave-text" class="lead">
        {text}
      </p>
      <PrimaryButton action="stay" label={t.leave.stay} onClick={onStay} />
      <SecondaryButton action="leave" label={t.leave.leave} onClick={onLeave} />
    </dialog>
  );
};
