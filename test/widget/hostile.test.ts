// Attacks by a hostile page, frame or user. That a page of another origin cannot frame the widget is shown in
// unavailable.test.ts.
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { collectRequests, launchBrowser } from '../support/browser.ts';
import {
  type HostPage,
  nextLinkSession,
  openHostPage,
  requestLinkSession,
  startWidgetFixture,
  type WidgetFixture,
} from './hostPage.ts';
import { answer, press, selectInstitution, shareAll, signIn } from './widgetSteps.ts';

let fixture: WidgetFixture;
beforeAll(async () => {
  fixture = await startWidgetFixture();
});
afterAll(() => fixture.close());

const consent = (host: HostPage) => host.widget.locator('[data-action=continue]');

/** Adds a frame of the host's origin to the host page. */
const addSiblingFrame = (host: HostPage): Promise<void> =>
  host.page.evaluate(() => {
    const sibling = document.createElement('iframe');
    sibling.name = 'sibling';
    document.body.append(sibling);
  });

describe('forged messages', () => {
  const forged = {
    success: { kind: 'success', openId: 1, result: { connectionId: 'con_forged' } },
    exit: { kind: 'exit', openId: 1 },
    ready: { kind: 'ready', title: 'Forged' },
  };
  test('to the host from its own window or another frame are ignored', async () => {
    const host = await openHostPage(fixture);
    await host.open();
    await consent(host).waitFor();
    await addSiblingFrame(host);
    await host.page.evaluate(async (messages) => {
      const sibling = window.frames[1] as Window & { eval: (code: string) => void };
      for (const message of messages) {
        const text = JSON.stringify({ serviceConnect: 1, ...message });
        window.postMessage(JSON.parse(text), '*');
        const script = sibling.document.createElement('script');
        script.textContent = `parent.postMessage(${text}, '*')`;
        sibling.document.body.append(script);
      }
      await new Promise((resolve) => setTimeout(resolve, 300));
    }, Object.values(forged));
    await host.expectEvents('onInit');
    await consent(host).waitFor();
    expect(await host.page.getByRole('dialog').getAttribute('aria-label')).toBe('Connect your bank');
    await host.close();
  });

  test('to the host from a page of another origin in the widget’s frame are ignored', async () => {
    const host = await openHostPage(fixture);
    await host.open();
    await consent(host).waitFor();
    await host.page.evaluate(() => {
      document.querySelector('iframe')!.src = '/forger';
    });
    await host.expectEvents('onInit', 'onExit');
    await host.close();
  });

  test('to the page from a window other than its parent are ignored', async () => {
    const host = await openHostPage(fixture);
    await host.open();
    await consent(host).waitFor();
    const frame = await host.frame();
    // Posted by the frame's own window.
    await frame.evaluate(async () => {
      for (const message of [
        { kind: 'close', openId: 1 },
        { kind: 'handshake' },
        { kind: 'open', openId: 9 },
      ]) {
        window.postMessage({ serviceConnect: 1, ...message }, '*');
      }
      await new Promise((resolve) => setTimeout(resolve, 300));
    });
    await consent(host).click();
    await host.widget.getByRole('combobox').waitFor();
    await host.expectEvents('onInit');
    await host.close();
  });

  test('with another version, form or openId are ignored', async () => {
    const host = await openHostPage(fixture);
    await host.open();
    await consent(host).waitFor();
    await host.page.evaluate(async () => {
      const page = document.querySelector('iframe')!.contentWindow!;
      const messages = [
        { serviceConnect: 2, kind: 'close', openId: 1 },
        { serviceConnect: 1, kind: 'close', openId: 7 },
        { serviceConnect: 1, kind: 'resultReceived', openId: 7 },
        { serviceConnect: 1, kind: 'constructor', openId: 1 },
        { serviceConnect: 1 },
        'close',
        null,
      ];
      for (const message of messages) page.postMessage(message, '*');
      await new Promise((resolve) => setTimeout(resolve, 300));
    });
    await consent(host).click();
    await host.widget.getByRole('combobox').waitFor();
    expect(host.consoleErrors).toEqual([]);
    await host.close();
  });
});

describe('the link session', () => {
  test('keeps its secret out of URLs, and ends with the acknowledgement, as does what the tab has kept', async () => {
    const host = await openHostPage(fixture);
    const requests = collectRequests(host.page);
    const created = nextLinkSession(host);
    await host.open();
    const session = await created;
    await selectInstitution(host.widget);
    await signIn(host.widget, 'otp');
    await answer(host.widget, 'Code sent', '123456');
    await shareAll(host.widget);
    const acknowledged = host.page.waitForResponse((response) => response.url().endsWith('/acknowledgement'));
    await host.expectEvents('onInit', 'onSuccess');
    expect((await acknowledged).status()).toBe(204);

    expect(session.secret).toMatch(/^[A-Za-z0-9_-]{43}$/);
    expect(requests.urls().filter((url) => url.includes(session.secret))).toEqual([]);
    requests.expectOnlyTo(fixture.service.url, fixture.site.origin);
    const frame = await host.frame();
    const stored = await frame.evaluate(() => {
      // Browsers that deny storage to frames of other sites throw at its name.
      const read = (name: 'localStorage' | 'sessionStorage') => {
        try {
          return { ...window[name] };
        } catch (error) {
          if ((error as Error).name === 'SecurityError') return 'denied';
          throw error;
        }
      };
      const storage = [read('localStorage'), read('sessionStorage')];
      return JSON.stringify([storage, document.cookie, history.state, location.href]);
    });
    expect(stored).not.toContain(session.secret);
    expect(stored).not.toContain('sct_');

    const again = await requestLinkSession(fixture, session);
    expect(again.status).toBe(410);
    expect(await again.text()).not.toContain('sct_');
    await host.close();
  });

  test('is cancelled when the user leaves the host page before they have signed in', async () => {
    const host = await openHostPage(fixture);
    const created = nextLinkSession(host);
    await host.open();
    const session = await created;
    await selectInstitution(host.widget);
    await host.widget.getByLabel('Username').fill('good');
    await host.page.goto('about:blank');
    const failedReason = async () => (await (await requestLinkSession(fixture, session)).json()).view?.reason;
    await expect.poll(failedReason).toBe('cancelled');
    await host.close();
  });
});

describe('credentials', () => {
  test('cannot be read by the host page, and secrets are cleared on submit', async () => {
    const host = await openHostPage(fixture);
    await host.open();
    await selectInstitution(host.widget);
    const readable = await host.page.evaluate(() => {
      const { contentDocument, contentWindow } = document.querySelector('iframe')!;
      try {
        return [contentDocument, contentWindow!.document.body.textContent];
      } catch (error) {
        return [contentDocument, (error as Error).name];
      }
    });
    expect(readable).toEqual([null, 'SecurityError']);
    await signIn(host.widget, 'good', 'wrong-password');
    await host.widget.getByRole('alert').waitFor();
    expect(await host.widget.getByLabel('Username').inputValue()).toBe('good');
    expect(await host.widget.getByLabel('Password').inputValue()).toBe('');
    expect(await (await host.frame()).content()).not.toContain('wrong-password');
    await host.close();
  });

  test('are fields for password managers, which can be shown and pasted into', async () => {
    const host = await openHostPage(fixture, {
      browser: { permissions: ['clipboard-read', 'clipboard-write'] },
    });
    await host.open();
    await selectInstitution(host.widget);
    const username = host.widget.getByLabel('Username');
    const password = host.widget.getByLabel('Password');
    expect(await username.getAttribute('autocomplete')).toBe('username');
    expect(await password.getAttribute('autocomplete')).toBe('current-password');
    expect(await password.getAttribute('type')).toBe('password');
    await press(host.widget, 'Show');
    expect(await password.getAttribute('type')).toBe('text');
    await press(host.widget, 'Hide');
    expect(await password.getAttribute('type')).toBe('password');
    await username.fill('good');
    await username.press('ControlOrMeta+a');
    await username.press('ControlOrMeta+c');
    await password.press('ControlOrMeta+v');
    expect(await password.inputValue()).toBe('good');
    await host.close();
  });
});

describe('the page', () => {
  test('has a strict content security policy and no inline code', async () => {
    const response = await fetch(
      `${fixture.service.url}/connect?application=${fixture.service.application.id}&origin=${fixture.site.origin}`,
    );
    const policy = response.headers.get('content-security-policy')!;
    expect(policy).toContain(`frame-ancestors ${fixture.site.origin}`);
    expect(policy).toContain("default-src 'none'");
    expect(policy).not.toMatch(/unsafe|\*/);
    const html = await response.text();
    expect(html).not.toMatch(/<style|\sstyle=|\son\w+=|<script(?![^>]*\ssrc=)/);
  });

  test('may be nested in frames, if the application allows the origins of all of them', async () => {
    const { service, site } = fixture;
    const outer = createServer((request, response) => {
      response.setHeader('content-type', 'text/html');
      response.end(`<iframe src="${site.origin}/early${request.url!.slice(1)}"></iframe>`);
    });
    await new Promise<void>((resolve) => outer.listen(0, '127.0.0.1', resolve));
    const outerOrigin = `http://localhost:${(outer.address() as AddressInfo).port}`;
    for (const origins of [[site.origin, outerOrigin], [site.origin]]) {
      const { id } = await service.addApplication({ origins });
      const page = await (await launchBrowser()).newPage({ locale: 'en-US' });
      await page.goto(`${outerOrigin}/?application=${id}`);
      const host = page.frameLocator('iframe');
      const continues = host.frameLocator('iframe').locator('[data-action=continue]');
      await (origins.length === 2 ? continues : host.getByRole('button', { name: 'Try again' })).waitFor();
      await page.close();
    }
    outer.closeAllConnections();
    await new Promise((resolve) => outer.close(resolve));
  });

  test('without a host shows an explanation and sends no requests', async () => {
    const page = await (await launchBrowser()).newPage({ locale: 'en-US' });
    const requests = collectRequests(page);
    await page.goto(`${fixture.service.url}/connect?application=${fixture.service.application.id}`);
    await page.getByText('This page is part of another app.').waitFor();
    expect(await page.getByRole('button').count()).toBe(0);
    expect(requests.urls().filter((url) => url.includes('/api/'))).toEqual([]);
    await page.close();
  });
});
