// Four numbers that answer most questions.
import type { ReactNode } from 'react';
import { Link } from 'wouter';
import { ShareBar } from '../../charts/ShareBar.tsx';
import type { Application, Overview } from '../../service/applications.ts';
import { usePlace } from '../../shell/place.ts';
import { number, percent, shareOf, totalsOf } from './health.ts';

type TilesProps = { application: Application; overview: Overview };

export const Tiles = ({ application, overview }: TilesProps) => {
  const { root } = usePlace();
  const totals = totalsOf(overview);
  const { pending, active, needsReconnect, revoked } = overview.connections;
  const refreshes = totals.succeeded + totals.refused + totals.failed;
  const waiting = `${root}/connections?application=${application.id}&state=needs_reconnect`;
  return (
    <dl className="tiles">
      <Tile label="Active connections" value={number(active)}>
        <ShareBar
          isThin
          parts={[
            { name: 'active', count: active, tone: 'good' },
            { name: 'needsReconnect', count: needsReconnect, tone: 'warn' },
            { name: 'others', count: pending + revoked, tone: 'plain' },
          ]}
        />
        {number(pending)} being linked, {number(revoked)} revoked
      </Tile>
      <Tile label="Need reconnecting" value={number(needsReconnect)}>
        {needsReconnect > 0 ? <Link to={waiting}>Show them</Link> : 'No user has to do anything'}
      </Tile>
      <Tile label="Refreshes that succeeded" value={percent(shareOf(totals.succeeded, refreshes))}>
        {refreshes > 0 ? `${number(totals.succeeded)} of ${number(refreshes)}` : 'None in this time'}
      </Tile>
      <Tile
        label="Requests answered"
        value={percent(shareOf(totals.requests - totals.serverErrors, totals.requests))}
      >
        {totals.requests > 0
          ? `${number(totals.requests)} requests, ${number(totals.clientErrors)} refused`
          : 'None in this time'}
      </Tile>
    </dl>
  );
};

const Tile = ({ label, value, children }: { label: string; value: string; children: ReactNode }) => (
  <div className="tile">
    <dt>{label}</dt>
    <dd className="big">{value}</dd>
    <dd className="small soft">{children}</dd>
  </div>
);
