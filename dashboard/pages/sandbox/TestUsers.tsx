// Lists the sandbox users with their challenges and the answers.
import type { Sandbox, SandboxUser } from '../../api/sandbox.ts';
import { Card } from '../../components/Card.tsx';
import { CopyButton } from '../../components/CopyButton.tsx';
import { type Column, Table } from '../../components/Table.tsx';
import { accountText, challengeText, traitText } from '../../labels/sandbox.ts';

export const TestUsers = ({ sandbox }: { sandbox: Sandbox | undefined }) => (
  <Card
    title="Test users"
    description={
      sandbox && (
        <>
          Available at every sandbox institution. The username selects the behavior. The password is{' '}
          <code>{sandbox.password}</code>, or any text starting with it.
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
      skeletonRows={12}
    />
  </Card>
);

const columns: Column<SandboxUser>[] = [
  {
    heading: 'Username',
    cell: ({ username }) => (
      <span className="row" style={{ flexWrap: 'nowrap' }}>
        <code className="nowrap">{username}</code>
        <CopyButton text={username} label={`username ${username}`} />
      </span>
    ),
  },
  { heading: 'Behavior', cell: traitText },
  { heading: 'The bank asks', cell: (user) => <Challenges user={user} /> },
  { heading: 'Accounts', cell: accountText },
  { heading: 'Currency', cell: ({ currency }) => currency, end: true },
];

const Challenges = ({ user }: { user: SandboxUser }) =>
  user.challenges.length === 0 ? (
    <span className="muted">Nothing</span>
  ) : (
    <ol>
      {user.challenges.map((challenge) => {
        const { label, answer } = challengeText(challenge);
        return (
          <li key={challenge.kind}>
            {label}
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
