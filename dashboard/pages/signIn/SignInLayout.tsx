// The layout of pages without a session: one centered card.
import type { ReactNode } from 'react';
import { useDocumentTitle } from '../../components/Page.tsx';
import { Brand } from '../../shell/Brand.tsx';

type SignInLayoutProps = { title: string; description?: ReactNode; children?: ReactNode };

export const SignInLayout = ({ title, description, children }: SignInLayoutProps) => {
  const heading = useDocumentTitle(title);
  return (
    <div className="sign-in-layout">
      <main>
        <div className="brand">
          <Brand />
        </div>
        <div className="card">
          <div className="card-body">
            <div className="stack tight">
              <h1 ref={heading} tabIndex={-1}>
                {title}
              </h1>
              {description && <p className="muted">{description}</p>}
            </div>
            {children}
          </div>
        </div>
      </main>
    </div>
  );
};
