// What a hostile page, frame or visitor can try, and what comes of it. That a page of another origin cannot frame
// the widget at all is shown in loader.test.ts.
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { collectRequests, launchBrowser } from '../support/browser.ts';
import { type HostPage, type WidgetFixture, startWidgetFixture, openHostPage } from './hostPage.ts';
import { answer, selectInstitution, press, shareAll, signIn } from './widgetSteps.ts';

let stage: WidgetFixture;
beforeAll(async () => {
  stage = await startWidgetFixture();
});
afterAll(() => stage.close());

const consent = (host: HostPage) => host.widget.getByRole('button', { name: 'Continue' });

/** Another frame in the host page; it belongs to the host's origin and is not the widget's parent. */
const addSiblingFrame = (host: HostPage): Promise<void> =>
  host.page.evaluate(() => {
    const neighbour = document.createElement('iframe');
    neighbour.name = 'neighbour';
    document.body.append(neighbour);
  });

describe('forged messages', () => {
  const forged = {
    success: { kind: 'success', openId: 1, result: { connectionId: 'con_forged' } },
    exit: { kind: 'exit', openId: 1 },
    ready: { kind: 'ready', title: 'Forged' },
  };
  test('to the host, from its own window or from another frame, are not heard', async () => {
    const host = await openHostPage(stage);
    await host.open();
    await consent(host).waitFor();
    await addSiblingFrame(host);
    await host.page.evaluate(async (messages) => {
      const neighbour = window.frames[1] as Window & { eval: (code: string) => void };
      for (const message of messages) {
        const text = JSON.stringify({ serviceConnect: 1, ...message });
        window.postMessage(JSON.parse(text), '*');
        const script = neighbour.document.createElement('script');
        script.textContent = `parent.postMessage(${text}, '*')`;
        neighbour.document.body.append(script);
      }
      await new Promise((resolve) => setTimeout(resolve, 300));
    }, Object.values(forged));
    await host.expectEvents('onInit');
    await consent(host).waitFor();
    expect(await host.page.getByRole('dialog').getAttribute('aria-label')).toBe('Connect your bank');
    await host.close();
  });

  test('to the host, from a page of another origin in the widget’s own frame, are not heard', async () => {
    const host = await openHostPage(stage);
    await host.open();
    await consent(host).waitFor();
    await host.page.evaluate(() => {
      document.querySelector('iframe')!.src = '/forger';
    });
    await host.expectEvents('onInit', 'onExit');
    await host.close();
  });

  test('to the page, from a window that is not its parent, are not heard', async () => {
    const host = await openHostPage(stage);
    await host.open();
    await consent(host).waitFor();
    const frame = await host.frame();
    // From the frame's own window, which is the nearest that another window can come.
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
    await host.widget.getByRole('searchbox').waitFor();
    await host.expectEvents('onInit');
    await host.close();
  });

  test('with another version, another shape or for another opening are not heard either', async () => {
    const host = await openHostPage(stage);
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
    await host.widget.getByRole('searchbox').waitFor();
    expect(host.consoleErrors).toEqual([]);
    await host.close();
  });
});

describe('the session', () => {
  test('keeps its secret out of every address and every storage, and is worth nothing when it is over', async () => {
    const host = await openHostPage(stage);
    const requests = collectRequests(host.page);
    const created = host.page.waitForResponse((response) =>
      response.url().endsWith('/connect/api/link-sessions'),
    );
    await host.open();
    const { session } = await (await created).json();
    await selectInstitution(host.widget);
    await signIn(host.widget, 'otp');
    await answer(host.widget, 'Code sent', '123456');
    await shareAll(host.widget);
    const acknowledged = host.page.waitForResponse((response) => response.url().endsWith('/acknowledgement'));
    await host.expectEvents('onInit', 'onSuccess');
    expect((await acknowledged).status()).toBe(204);

    expect(session.secret).toMatch(/^[A-Za-z0-9_-]{43}$/);
    expect(requests.urls().filter((url) => url.includes(session.secret))).toEqual([]);
    requests.expectOnlyTo(stage.service.url, stage.site.origin);
    const frame = await host.frame();
    const stored = await frame.evaluate(() =>
      JSON.stringify([
        { ...localStorage },
        { ...sessionStorage },
        document.cookie,
        history.state,
        location.href,
      ]),
    );
    expect(stored).not.toContain(session.secret);
    expect(stored).not.toContain('sct_');

    const again = await fetch(`${stage.service.url}/connect/api/link-sessions/${session.id}`, {
      headers: { authorization: `Bearer ${session.secret}` },
    });
    expect(again.status).toBe(410);
    expect(await again.text()).not.toContain('sct_');
    await host.close();
  });

  test('is given up when the user leaves, so that nothing of it can be gone on with', async () => {
    const host = await openHostPage(stage);
    const created = host.page.waitForResponse((response) =>
      response.url().endsWith('/connect/api/link-sessions'),
    );
    await host.open();
    const { session } = await (await created).json();
    await selectInstitution(host.widget);
    await signIn(host.widget, 'otp');
    await host.widget.getByLabel('Code sent').waitFor();
    // The whole host page goes away, and the frame with it.
    await host.page.goto('about:blank');
    const ask = async () => {
      const response = await fetch(`${stage.service.url}/connect/api/link-sessions/${session.id}`, {
        headers: { authorization: `Bearer ${session.secret}` },
      });
      return (await response.json()).view?.reason;
    };
    await expect.poll(ask).toBe('cancelled');
    await host.close();
  });
});

describe('credentials', () => {
  test('are out of the reach of the host page, and out of the form once they are sent', async () => {
    const host = await openHostPage(stage);
    await host.open();
    await selectInstitution(host.widget);
    const seen = await host.page.evaluate(() => {
      const { contentDocument, contentWindow } = document.querySelector('iframe')!;
      try {
        return [contentDocument, contentWindow!.document.body.textContent];
      } catch (error) {
        return [contentDocument, (error as Error).name];
      }
    });
    expect(seen).toEqual([null, 'SecurityError']);
    await signIn(host.widget, 'good', 'wrong-password');
    await host.widget.getByRole('alert').waitFor();
    expect(await host.widget.getByLabel('Username').inputValue()).toBe('good');
    expect(await host.widget.getByLabel('Password').inputValue()).toBe('');
    expect(await (await host.frame()).content()).not.toContain('wrong-password');
    await host.close();
  });

  test('are fields that password managers know, and that can be shown and pasted into', async () => {
    const host = await openHostPage(stage, {
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
  test('has a policy without any exception for inline code, and nothing inline', async () => {
    const response = await fetch(`${stage.service.url}/connect?application=${stage.service.application.id}`);
    const policy = response.headers.get('content-security-policy')!;
    expect(policy).toContain(`frame-ancestors ${stage.site.origin}`);
    expect(policy).toContain("default-src 'none'");
    expect(policy).not.toMatch(/unsafe|\*/);
    const html = await response.text();
    expect(html).not.toMatch(/<style|\sstyle=|\son\w+=|<script(?![^>]*\ssrc=)/);
  });

  test('by itself, outside of any application, says so and asks nothing', async () => {
    const page = await (await launchBrowser()).newPage({ locale: 'en-US' });
    const requests = collectRequests(page);
    await page.goto(`${stage.service.url}/connect?application=${stage.service.application.id}`);
    await page.getByText('This page belongs to an application.').waitFor();
    expect(await page.getByRole('button').count()).toBe(0);
    expect(requests.urls().filter((url) => url.includes('/api/'))).toEqual([]);
    await page.close();
  });
});
