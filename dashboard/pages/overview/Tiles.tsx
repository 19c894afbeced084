// The four key figures.

import type { ReactNode } from 'react';
import { Link } from 'wouter';
import type { Application, Overview } from '../../api/applications.ts';
import { ShareBar } from '../../charts/ShareBar.tsx';
import { formatNumber, formatPercent } from '../../format.ts';
import { useOrgContext } from '../../shell/orgContext.ts';
import { ratio, totalsOf } from './health.ts';

type TilesProps = { application: Application; overview: Overview };

export const Tiles = ({ application, overview }: TilesProps) => {
  const { root } = useOrgContext();
  const totals = totalsOf(overview);
  const { pending, active, needsReconnect, revoked } = overview.connections;
  const refreshes = totals.succeeded + totals.refused + totals.failed;
  const needsReconnectPath = `${root}/connections?application=${application.id}&state=needs_reconnect`;
  return (
    <dl className="tiles">
      <Tile label="Active connections" value={formatNumber(active)}>
        <ShareBar
          isThin
          parts={[
            { name: 'active', value: active, tone: 'good' },
            { name: 'needsReconnect', value: needsReconnect, tone: 'warn' },
            { name: 'others', value: pending + revoked, tone: 'plain' },
          ]}
        />
        {formatNumber(pending)} being linked, {formatNumber(revoked)} revoked
      </Tile>
      <Tile label="Need attention" value={formatNumber(needsReconnect)}>
        {needsReconnect > 0 ? <Link to={needsReconnectPath}>Show them</Link> : 'No action needed'}
      </Tile>
      <Tile label="Successful refreshes" value={formatPercent(ratio(totals.succeeded, refreshes))}>
        {refreshes > 0
          ? `${formatNumber(totals.succeeded)} of ${formatNumber(refreshes)}`
          : 'None in this period'}
      </Tile>
      <Tile
        label="Successful requests"
        value={formatPercent(ratio(totals.requests - totals.serverErrors, totals.requests))}
      >
        {totals.requests > 0
          ? `${formatNumber(totals.requests)} requests, ${formatNumber(totals.clientErrors)} refused`
          : 'None in this period'}
      </Tile>
    </dl>
  );
};

const Tile = ({ label, value, children }: { label: string; value: string; children: ReactNode }) => (
  <div className="tile">
    <dt>{label}</dt>
    <dd className="stat-value">{value}</dd>
    <dd className="small muted">{children}</dd>
  </div>
);
