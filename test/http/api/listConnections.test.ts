// GET /connections.
import { expect, test } from 'vitest';
import { describeOperation } from './commonErrors.ts';

describeOperation('listConnections', (fixture) => {
  test('all connections of an end user, oldest first', async () => {
    const { data } = await fixture.client().GET('/connections');
    const timestamp = expect.stringMatching(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/);
    const active = { status: 'active', createdAt: timestamp, refreshedAt: timestamp };
    const { north, south } = fixture.ada;
    expect(data).toEqual({
      connections: [
        { ...active, id: north.connectionId, institution: { id: 'north-bank', name: 'North Bank' } },
        { ...active, id: south.connectionId, institution: { id: 'south-bank', name: 'South Bank' } },
      ],
    });
  });

  test('the connection of an anonymous end user', async () => {
    const { data } = await fixture.client(fixture.ben.token).GET('/connections');
    expect(data?.connections.map(({ id }) => id)).toEqual([fixture.ben.north.connectionId]);
  });
});
