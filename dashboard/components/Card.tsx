// A part of a page with its heading.
import { type ReactNode, useId } from 'react';

type CardProps = {
  title?: string;
  description?: ReactNode;
  actions?: ReactNode;
  /** What fills the card from edge to edge, such as a table. */
  flush?: boolean;
  children: ReactNode;
};

export const Card = ({ title, description, actions, flush, children }: CardProps) => {
  const id = useId();
  return (
    <section className="card" aria-labelledby={title ? id : undefined}>
      {title && (
        <div className="card-head">
          <div className="words">
            <h2 id={id}>{title}</h2>
            {description && <p>{description}</p>}
          </div>
          {actions && <div className="actions">{actions}</div>}
        </div>
      )}
      {flush ? children : <div className="card-body">{children}</div>}
    </section>
  );
};
