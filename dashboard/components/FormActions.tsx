// The buttons at the end of a form in a dialog: one closes the dialog, and one submits the form.
import type { ReactNode } from 'react';
import { Button } from './Button.tsx';

type FormActionsProps = {
  onCancel: () => void;
  isPending: boolean;
  /** The label of the submit button. */
  children: ReactNode;
};

export const FormActions = ({ onCancel, isPending, children }: FormActionsProps) => (
  <div className="actions">
    <Button onPress={onCancel}>Cancel</Button>
    <Button type="submit" primary isPending={isPending}>
      {children}
    </Button>
  </div>
);
