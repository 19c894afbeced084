// The logo of an application: uploaded and removed in the dashboard, and shown in the widget.
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { parseLogo } from '../../../connectors/kit/logo.ts';
import type { components } from '../../../generated/management.ts';
import { jpeg, losslessWebp, png, pngOfSize } from '../../logos/files.ts';
import { oneDatabase } from '../../support/databases.ts';
import { openLinkSession, startService, type TestService } from '../../support/testService.ts';
import { auditEvents, createMember, type DashboardUser } from './users.ts';

type Application = components['schemas']['Application'];

const pathOf = (file: Buffer): string => `/logos/${parseLogo(file)!.hash}`;
const rule = 'must be a PNG, JPEG or WebP file of at most 100 kB and 512 by 512 pixels';

describe.each(oneDatabase)('the logo of an application on $name', (database) => {
  let service: TestService;
  let owner: DashboardUser;
  beforeAll(async () => {
    service = await startService({ database });
    owner = await createMember(service, { role: 'owner', email: 'owner@example.com' });
  });
  afterAll(() => service.close());
  beforeEach(() => remove());

  const path = (id = service.application.id) => `/management/applications/${id}/logo`;
  const upload = (file: Buffer | string, id?: string): Promise<Response> =>
    owner.fetch(path(id), {
      method: 'PUT',
      headers: { 'Content-Type': 'application/octet-stream' },
      body: file as BodyInit,
    });
  const remove = (id?: string): Promise<Response> => owner.fetch(path(id), { method: 'DELETE' });
  const statusOf = async (file: Buffer): Promise<number> =>
    (await fetch(`${service.url}${pathOf(file)}`)).status;
  const storedLogos = () => service.service.db.write('application_logos').select('*');

  test('is uploaded, served, and shown in the widget until it is removed', async () => {
    const response = await upload(png);
    expect(response.status).toBe(200);
    expect(((await response.json()) as Application).logo).toBe(pathOf(png));
    const served = await fetch(`${service.url}${pathOf(png)}`);
    expect(served.headers.get('content-type')).toBe('image/png');
    expect(served.headers.get('content-security-policy')).toBe('sandbox');
    expect(Buffer.from(await served.arrayBuffer())).toEqual(png);
    expect((await openLinkSession(service)).view.application.logo).toBe(pathOf(png));

    const removed = await remove();
    expect(removed.status).toBe(200);
    expect(await removed.json()).not.toHaveProperty('logo');
    expect((await openLinkSession(service)).view.application).not.toHaveProperty('logo');
    expect(await statusOf(png)).toBe(404);
    expect(await storedLogos()).toEqual([]);
  });

  test('is replaced by another one, which deletes it, and each change is audited once', async () => {
    for (const file of [png, png, jpeg, losslessWebp]) expect((await upload(file)).status).toBe(200);
    const statuses = [await statusOf(png), await statusOf(jpeg), await statusOf(losslessWebp)];
    expect(statuses).toEqual([404, 404, 200]);
    expect(await storedLogos()).toMatchObject([{ bytes: losslessWebp }]);
    const events = await auditEvents(service, { action: 'application_logo_changed' });
    expect(events.slice(-3).map(({ details }) => details)).toEqual([
      { before: '', after: pathOf(png) },
      { before: pathOf(png), after: pathOf(jpeg) },
      { before: pathOf(jpeg), after: pathOf(losslessWebp) },
    ]);
  });

  test('comes with a color, which the widget gets, until the default is restored', async () => {
    const application = `/management/applications/${service.application.id}`;
    const setColor = (color: string | null): Promise<Response> =>
      owner.fetch(application, {
        method: 'PATCH',
        headers: { 'Content-Type': 'application/json' },
        body: JSON.stringify({ color }),
      });
    expect(await (await setColor('#A0206F')).json()).toMatchObject({ color: '#a0206f' });
    expect((await openLinkSession(service)).view.application).toMatchObject({ color: '#a0206f' });
    expect((await setColor('red')).status).toBe(400);
    expect(await (await setColor(null)).json()).not.toHaveProperty('color');
    expect((await openLinkSession(service)).view.application).not.toHaveProperty('color');
    expect(await auditEvents(service, { action: 'application_color_changed' })).toMatchObject([
      { details: { before: '', after: '#a0206f' } },
      { details: { before: '#a0206f', after: '' } },
    ]);
  });

  test('stays while another application has the same one', async () => {
    const { id } = await service.addApplication();
    await upload(png);
    await upload(png, id);
    await remove();
    expect(await statusOf(png)).toBe(200);
    await remove(id);
    expect(await statusOf(png)).toBe(404);
  });

  test.each([
    ['a file of another kind', Buffer.from('<svg xmlns="http://www.w3.org/2000/svg"/>')],

    ['an image with too many pixels', pngOfSize(513, 1)],
    ['a file of more than 100 kB', Buffer.concat([png, Buffer.alloc(100_000)])],
    ['a file of many megabytes', Buffer.alloc(20_000_000, png)],
  ])('refuses %s, says what is expected, and keeps the logo', async (_name, file) => {
    await upload(jpeg);
    const response = await upload(file);
    const { code, errors } = (await response.json()) as components['schemas']['Problem'];
    expect({ status: response.status, code, errors }).toEqual({
      status: 400,
      code: 'invalid_request',
      errors: [{ path: '/body', message: rule }],
    });
    expect(await statusOf(jpeg)).toBe(200);
  });

  test('is not served if its bytes were changed in the database', async () => {
    await upload(png);
    const { write } = service.service.db;
    for (const bytes of [Buffer.from('<script>'), jpeg]) {
      await write('application_logos').update({ bytes });
      expect(await statusOf(png)).toBe(404);
    }
  });
});
