// Links to a connection's page with the last characters of its id.
import { Link } from 'wouter';

type ConnectionLinkProps = {
  /** The path of the application's connections. */
  path: string;
  id: string | null;
};

export const ConnectionLink = ({ path, id }: ConnectionLinkProps) =>
  id ? (
    <Link to={`${path}/${id}`} title={id}>
      <code className="nowrap">con_…{id.slice(-6)}</code>
    </Link>
  ) : (
    <span className="muted">None</span>
  );
