/** What "Show as API call" shows. */
import { expect, it } from 'vitest';
import { asCurl, asFetch, withoutSecrets } from '../../admin/src/kit/api-calls/call.ts';

const origin = 'https://example.org';
const save = { method: 'PUT', path: '/api/v1/pages/2?strict=true', body: { title: "It's\nEND" } };

it('is a command for a shell, with the token as a variable', () => {
  expect(asCurl(save, origin)).toBe(
    `curl -s -X PUT 'https://example.org/api/v1/pages/2?strict=true' \\
  -H "Authorization: Bearer $TOKEN" \\
  -H 'Content-Type: application/json' \\
  -d @- <<'END'
{
  "title": "It's\\nEND"
}
END`,
  );
  const read = { method: 'GET', path: "/api/v1/pages?q='x'", body: undefined };
  expect(asCurl(read, origin)).toBe(
    `curl -s 'https://example.org/api/v1/pages?q='\\''x'\\''' \\
  -H "Authorization: Bearer $TOKEN"`,
  );
});

it('is JavaScript that can be parsed', () => {
  const code = asFetch(save, origin);
  expect(code).toContain("Authorization: 'Bearer ' + token");
  expect(() => new Function('token', `return async () => { ${code} }`)).not.toThrow();
});

it.each([
  ['multipart/form-data', ' -F file=@FILE', 'body: form'],
  ['application/zip', " -H 'Content-Type: application/zip' --data-binary @FILE", 'body: file'],
])('sends a file as %s', (fileType, options, body) => {
  const upload = { method: 'POST', path: '/api/v1/files', body: undefined, fileType };
  expect(asCurl(upload, origin).replaceAll(/ \\\n */g, ' ')).toBe(
    `curl -s -X POST 'https://example.org/api/v1/files' -H "Authorization: Bearer $TOKEN"${options}`,
  );
  expect(asFetch(upload, origin)).toContain(body);
  expect(() => new Function('token', `return async () => { ${asFetch(upload, origin)} }`)).not.toThrow();
});

it.each([
  '/api/v1/system/mail',
  '/api/v1/extdb',
  '/api/v1/workflow-secrets/shop',
  '/api/v1/sources/1',
  '/api/v1/users/1',
  '/api/v1/storage',
])('hides the texts of %s, which may be secrets', (path) => {
  const body = { host: 'mail.example.org', port: 587, password: 'very secret', rows: [{ value: 'secret' }] };
  expect(withoutSecrets({ method: 'PUT', path, body })).toEqual({
    method: 'PUT',
    path,
    body: { host: '***', port: 587, password: '***', rows: [{ value: '***' }] },
  });
});

it('shows content as it is', () => {
  expect(withoutSecrets(save)).toEqual(save);
});

it('shows of a source what is no secret: not its headers, no login, no values of a query but placeholders', () => {
  const body = {
    method: 'GET',
    url: 'https://me:pass@example.org/list?key=abc&p={p}',
    headers: { 'X-Key': 'abc' },
    params: { p: 'abc' },
    list_path: 'a.b',
    timeout: 5,
  };
  expect(withoutSecrets({ method: 'POST', path: '/api/v1/sources/test', body }).body).toEqual({
    method: 'GET',
    url: 'https://***@example.org/list?key=***&p={p}',
    headers: { 'X-Key': '***' },
    params: { p: '***' },
    list_path: 'a.b',
    timeout: 5,
  });
});
