import { describe, expect, it } from 'vitest';
import { readConfig } from '../../server/config/config.ts';
import { helpText } from '../../server/config/help.ts';
import { type OptionName, options } from '../../server/config/options.ts';

/** The twin of each option in the environment, with two values that differ from the default. */
const twins = {
  data: ['IC_DATA', '/srv/a', '/srv/b'],
  addr: ['IC_ADDR', ':9001', '[::1]:9002'],
  database: ['IC_DATABASE', 'postgres://a@db.example/one', 'postgres://a@db.example/two'],
  lease: ['IC_LEASE', '3', '20'],
  'cache-mb': ['IC_CACHE_MB', '7', '0'],
  'media-cache-mb': ['IC_MEDIA_CACHE_MB', '7', '0'],
  'max-upload-mb': ['IC_MAX_UPLOAD_MB', '5', '6'],
  'max-bundle-mb': ['IC_MAX_BUNDLE_MB', '5', '6'],
  avif: ['IC_AVIF', '1', '0'],
  'no-country-sync': ['IC_NO_COUNTRY_SYNC', '1', '0'],
  'rate-limit': ['IC_RATE_LIMIT', '33', '0'],
  workers: ['IC_WORKERS', '17', '18'],
  front: ['IC_FRONT', 'node', 'uws'],
  render: ['IC_RENDER', 'threads', 'processes'],
  'front-threads': ['IC_FRONT_THREADS', '3', '4'],
  'keep-alive': ['IC_KEEP_ALIVE', '5', '60'],
  'header-timeout': ['IC_HEADER_TIMEOUT', '5', '60'],
  'body-timeout': ['IC_BODY_TIMEOUT', '5', '60'],
  'tls-cert': ['IC_TLS_CERT', 'a.pem', 'b.pem'],
  'tls-key': ['IC_TLS_KEY', 'a.key', 'b.key'],
  log: ['IC_LOG', 'debug', 'silent'],
  'secure-cookies': ['IC_SECURE_COOKIES', '1', '0'],
  headless: ['IC_HEADLESS', '1', '0'],
  'disable-admin': ['IC_DISABLE_ADMIN', '1', '0'],
  'enable-admin': ['IC_ENABLE_ADMIN', '1', '0'],
  'admin-host': ['IC_ADMIN_HOST', 'a.example', 'b.example'],
  outgoing: ['IC_OUTGOING', 'public', 'open'],
  'outgoing-allow': ['IC_OUTGOING_ALLOW', 'a.example, *.b.example, 10.0.0.0/8', 'c.example'],
  demo: ['IC_DEMO', '1', '0'],
  'create-token': ['IC_CREATE_TOKEN', 'a', 'b'],
  'copy-to': ['IC_COPY_TO', 'postgres://a@db.example/one', '/srv/site'],
  'reset-password': ['IC_RESET_PASSWORD', 'ada', 'ben'],
  backup: ['IC_BACKUP', 'a.zip', 'b.zip'],
  restore: ['IC_RESTORE', 'a.zip', 'b.zip'],
  force: ['IC_FORCE', '1', '0'],
  'reset-factors': ['IC_RESET_FACTORS', '1', '0'],
  help: ['IC_HELP', '1', '0'],
} as const satisfies Readonly<Record<OptionName, readonly [string, string, string]>>;

/** Options that are valid only beside another one. */
const beside: { readonly [Name in OptionName]?: readonly string[] } = {
  'tls-cert': ['-tls-key', 'beside'],
  'tls-key': ['-tls-cert', 'beside'],
  'outgoing-allow': ['-outgoing', 'allowlist'],
  force: ['-restore', 'a.zip'],
  'reset-factors': ['-reset-password', 'ada'],
};

const cases = options.map(({ name, flag }) => {
  const [variable, value, other] = twins[name];
  return { name, flag, variable, value, other, more: beside[name] ?? [] };
});

describe.each(cases)('-$name', ({ name, flag, variable, value, other, more }) => {
  const line = (text: string) => [...(flag ? [`-${name}`] : [`-${name}`, text]), ...more];
  const wanted = readConfig(line(value), {});

  it('is an option that has an effect, with one dash or two', () => {
    expect(wanted).not.toEqual(flag ? readConfig([], {}) : readConfig(line(other), {}));
    expect(readConfig([`--${name}`, ...line(value).slice(1)], {})).toEqual(wanted);
  });

  it(`is ${variable} in the environment`, () => {
    expect(readConfig(more, { [variable]: value })).toEqual(wanted);
    if (flag) expect(readConfig(more, { [variable]: 'true' })).toEqual(wanted);
  });

  it('on the command line wins over the environment', () => {
    expect(readConfig(line(value), { [variable]: other })).toEqual(wanted);
  });

  it('is in the help', () => {
    expect(helpText()).toMatch(new RegExp(`^  -${name} `, 'm'));
  });
});

it.each(cases.filter(({ flag }) => flag))('$variable takes 1, 0, true and false only', ({ variable }) => {
  for (const off of ['0', 'false', ''])
    expect(readConfig([], { [variable]: off })).toEqual(readConfig([], {}));
  for (const wrong of ['yes', '2', 'TRUE', ' 1'])
    expect(() => readConfig([], { [variable]: wrong })).toThrow(`environment variable ${variable} must be`);
});
