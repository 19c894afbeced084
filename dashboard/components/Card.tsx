// A section of a page with a heading.
import { type ReactNode, useId } from 'react';

type CardProps = {
  title?: string;
  description?: ReactNode;
  actions?: ReactNode;
  /** Without padding around the content, for example for a table. */
  flush?: boolean;
  children: ReactNode;
};

export const Card = ({ title, description, actions, flush, children }: CardProps) => {
  const id = useId();
  return (
    <section className="card" aria-labelledby={title ? id : undefined}>
      {title && (
        <div className="card-head">
          <div className="heading-text">
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
