// The return addresses of native applications: with the application's own scheme or https, never ones that a browser opens or runs.
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { checkReturnAddress, isReturnAddress } from '../../src/domain/applications/application.ts';

test('schemes of applications and https addresses are accepted unchanged', () => {
  for (const address of [
    'shop://bank-return',
    'com.example.shop://bank-return/done',
    'https://shop.example/bank-return',
    'https://shop.example',
    'https://shop.example:8443/Bank_Return~1.2/',
    `shop://${'a'.repeat(293)}`,
  ]) {
    expect(checkReturnAddress(address)).toBe(address);
  }
});

test('anything else is refused, with its text and the expected form', () => {
  for (const address of [
    ...['', 'shop', 'shop:', 'shop:bank-return', 'shop://', 'shop:///bank-return', '//shop.example'],
    ...['/bank-return', 'Shop://bank-return', 'https://Shop.example', ' shop://bank-return'],
    ...['shop://bank-return\n', 'shop://bank-return?code=1', 'shop://bank-return?', 'shop://bank-return#a'],
    ...['https://user:pass@shop.example', 'https://shop.example@evil.example'],
    ...['https://shop.example\\@evil.example', 'https://shop.example/%2e'],
    ...['http://shop.example', 'http://localhost/bank-return', 'ws://shop.example', 'content://shop'],
    ...['javascript', 'data', 'file', 'blob', 'about', 'intent'].map((scheme) => `${scheme}://bank-return`),
    ...['chrome://settings', 'view-source://shop.example', 'moz-extension://shop', 'android-app://shop'],
    `shop://${'a'.repeat(294)}`,
  ]) {
    const sentence = `"${address}" is not a return URL: it must`;
    expect(() => checkReturnAddress(address), address).toThrow(sentence);
  }
});

test('accepts only texts to which a code can be appended, and which no browser runs', () => {
  const run = ['javascript', 'data', 'file', 'blob', 'intent', 'JavaScript', 'java\tscript'];
  const schemes = ['https', 'http', 'shop', ...run];
  const part = fc.oneof(
    fc.string(),
    fc.string({ unit: 'binary' }),
    fc.constantFrom('a', 'shop.example', '/', '?', '#', '@'),
  );
  const address = fc.oneof(
    fc.webUrl({ withQueryParameters: true, withFragments: true }),
    fc.string({ unit: 'binary' }),
    fc
      .tuple(fc.constantFrom(...schemes), fc.constantFrom(':', '://', ':/'), fc.array(part, { maxLength: 4 }))
      .map(([scheme, separator, parts]) => `${scheme}${separator}${parts.join('')}`),
  );
  fc.assert(
    fc.property(address, (text) => {
      if (!isReturnAddress(text)) return;
      const url = new URL(`${text}?code=7Q2M-K9XD`);
      expect(url.searchParams.get('code')).toBe('7Q2M-K9XD');
      expect(url.host).not.toBe('');
      expect([url.username, url.password, url.hash]).toEqual(['', '', '']);
      expect(['http:', 'javascript:', 'data:', 'file:', 'blob:', 'intent:']).not.toContain(url.protocol);
      expect(text.length).toBeLessThanOrEqual(300);
    }),
    { numRuns: 2000 },
  );
});
