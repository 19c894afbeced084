// The users that every sandbox institution knows, and what to type for each.

import { Card } from '../../parts/Card.tsx';
import { CopyButton } from '../../parts/Copy.tsx';
import { type Column, Table } from '../../parts/Table.tsx';
import type { Sandbox, SandboxUser } from '../../service/sandbox.ts';
import { accountText, stepText, traitText } from '../../texts/sandbox.ts';

export const TestUsers = ({ sandbox }: { sandbox: Sandbox | undefined }) => (
  <Card
    title="Test users"
    note={
      sandbox && (
        <>
          The same at every sandbox institution. The username chooses what happens; the password is{' '}
          <code>{sandbox.password}</code>, or anything that begins with it.
        </>
      )
    }
    flush
  >
    <Table
      label="Test users"
      columns={columns}
      rows={sandbox?.users}
      keyOf={({ username }) => username}
      expects={12}
    />
  </Card>
);

const columns: Column<SandboxUser>[] = [
  {
    heading: 'Username',
    cell: ({ username }) => (
      <span className="row" style={{ flexWrap: 'nowrap' }}>
        <code>{username}</code>
        <CopyButton text={username} what={`username ${username}`} />
      </span>
    ),
  },
  { heading: 'What is special', cell: traitText },
  { heading: 'The bank asks', cell: (user) => <Steps user={user} /> },
  { heading: 'Accounts', cell: accountText },
  { heading: 'Currency', cell: ({ currency }) => currency, end: true },
];

const Steps = ({ user }: { user: SandboxUser }) =>
  user.steps.length === 0 ? (
    <span className="soft">Nothing more</span>
  ) : (
    <ol>
      {user.steps.map((step) => {
        const { what, answer } = stepText(step);
        return (
          <li key={step.kind}>
            {what}
            {answer && (
              <>
                : <code>{answer}</code>
              </>
            )}
          </li>
        );
      })}
    </ol>
  );
