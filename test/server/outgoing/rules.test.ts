import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { classifyAddress } from '../../../server/base/ip-address.ts';
import {
  findTargetRefusal,
  type OutgoingMode,
  type OutgoingRules,
  parseAllowList,
  type Refusal,
} from '../../../server/config/outgoing-rules.ts';
import { parseTarget, parseTargetHost } from '../../../server/http/outgoing/target.ts';

/** Which targets the server reaches with outgoing requests. */

describe('an address', () => {
  const classes = {
    metadata: [
      ...['169.254.169.254', '169.254.170.2', '169.254.170.23', '169.254.0.1', '169.254.42.42'],
      ...['100.100.100.200', '192.0.0.192', '168.63.129.16'],
      ...['fd00:ec2::254', 'fd00:ec2::23', 'fd20:ce::254', 'fd00:42::42', 'fe80::a9fe:a9fe', 'fe80::1%eth0'],
      // The same inside of IPv6: mapped, compatible, translated, NAT64, 6to4, Teredo.
      ...['::ffff:169.254.169.254', '::ffff:a9fe:a9fe', '::169.254.169.254', '::ffff:0:a9fe:a9fe'],
      ...[
        '64:ff9b::a9fe:a9fe',
        '64:ff9b:1::a9fe:a9fe',
        '64:ff9b:1:a9fe:a9:fe00::',
        '64:ff9b:1:a9:fe:a9fe::',
        '64:ff9b:1:0:a9:fea9:fe00::',
        '2002:a9fe:a9fe::1',
        '2001:0:a9fe:a9fe::1',
      ],
      ...['2001:0:1:1:0:0:5601:5601', '0:0:0:0:0:FFFF:6464:64C8'],
      // No address at all is as forbidden.
      ...['', 'localhost', '1.2.3', '0x7f000001', '1.2.3.4.5', '1.2.3.4/8', '::g'],
    ],
    private: [
      ...['127.0.0.1', '127.255.255.254', '0.0.0.0', '10.0.0.1', '172.16.0.1', '172.31.255.255'],
      ...['192.168.0.1', '100.64.0.1', '198.18.0.1', '192.0.2.1', '198.51.100.7', '203.0.113.9'],
      ...['224.0.0.1', '240.0.0.1', '255.255.255.255', '192.0.0.8'],
      ...['::', '::1', 'fc00::1', 'fd12:3456::1', 'ff02::1', 'fec0::1', '2001:db8::1', '100::1', '4000::1'],
      ...['::ffff:127.0.0.1', '::ffff:10.0.0.1', '::127.0.0.1', '64:ff9b::10.0.0.1', '2002:c0a8:1::1'],
      ...['2001:0:4136:e378:8000:63bf:3fff:fdd2', '::ffff:8.8.8.8'],
    ],
    public: [
      '8.8.8.8',
      '1.1.1.1',
      '172.32.0.1',
      '93.184.216.34',
      '2606:4700::1111',
      '2a00:1450:4001:81b::200e',
    ],
  } as const;

  it.each(Object.entries(classes).flatMap(([name, list]) => list.map((text) => [text, name] as const)))(
    '%j is %s',
    (text, name) => expect(classifyAddress(text)).toBe(name),
  );
});

describe('an IPv4 address inside of an IPv6 address', () => {
  const byte = fc.integer({ min: 0, max: 255 });
  const forms: readonly ((hex: string) => string)[] = [
    (hex) => `::ffff:${hex}`,
    (hex) => `::${hex}`,
    (hex) => `::ffff:0:${hex}`,
    (hex) => `64:ff9b::${hex}`,
    (hex) => `64:ff9b:1::${hex}`,
    (hex) => `2002:${hex}::1`,
    (hex) => `2001:0:${hex}::`,
  ];

  it('never makes it more public than it is', () => {
    fc.assert(
      fc.property(fc.tuple(byte, byte, byte, byte), fc.constantFrom(...forms), (bytes, form) => {
        const inner = classifyAddress(bytes.join('.'));
        const [high = '', low = ''] = [0, 2].map((at) => Buffer.from(bytes).toString('hex', at, at + 2));
        const outer = classifyAddress(form(`${high}:${low}`));
        const order = ['metadata', 'private', 'public'];
        expect(order.indexOf(outer)).toBeLessThanOrEqual(order.indexOf(inner));
      }),
    );
  });
});

describe('a host in a URL', () => {
  it.each([
    ['http://2852039166/', '169.254.169.254'],
    ['http://0xa9fea9fe/', '169.254.169.254'],
    ['http://0251.0376.0251.0376/', '169.254.169.254'],
    ['http://169.254.43518/', '169.254.169.254'],
    ['http://169.254.169.254./', '169.254.169.254'],
    ['http://１６９.254.169.254/', '169.254.169.254'],
    ['http://169。254。169。254/', '169.254.169.254'],
    ['http://[::ffff:169.254.169.254]/', '::ffff:a9fe:a9fe'],
    ['http://[0:0:0:0:0:ffff:a9fe:a9fe]:80/', '::ffff:a9fe:a9fe'],
    ['http://127.1/', '127.0.0.1'],
    ['http://0/', '0.0.0.0'],
  ])('%s is the address %s', (url, address) => {
    expect(parseTargetHost(parseTarget(url)).address).toBe(address);
  });

  it('that is a name is compared in lower case, without a final dot', () => {
    expect(parseTargetHost(parseTarget('https://API.Example./x'))).toEqual({
      host: 'api.example',
      address: undefined,
    });
  });

  it.each([
    ['', /is not a complete URL/],
    ['/path', /is not a complete URL/],
    ['http://', /is not a complete URL/],
    ['http://1.2.3.256/', /is not a complete URL/],
    ['file:///etc/passwd', /must begin with http:/],
    ['gopher://a.example/', /must begin with http:/],
    ['javascript:alert(1)', /must begin with http:/],
    ['https://user:secret@a.example/', /^a\.example: the address must not contain a user name or password$/],
  ])('%j is refused', (url, message) => {
    expect(() => parseTarget(url)).toThrow(message);
  });
});

describe('a target', () => {
  const rulesOf = (mode: OutgoingMode, list = ''): OutgoingRules => ({
    mode,
    allow: parseAllowList(list) ?? [],
  });
  const list = 'api.example, *.cdn.example,10.1.0.0/16, 2606:4700::/32,192.168.7.7';
  type Case = readonly [
    mode: OutgoingMode,
    host: string,
    addresses: string,
    chosenByOthers: boolean,
    Refusal | undefined,
  ];
  const cases: readonly Case[] = [
    ['open', 'a.example', '8.8.8.8', false, undefined],
    ['open', 'a.example', '8.8.8.8 1.1.1.1', false, undefined],
    ['open', 'intranet', '10.0.0.1', false, undefined],
    ['open', 'a.example', '169.254.169.254', false, 'metadata'],
    ['open', 'a.example', '8.8.8.8 169.254.169.254', false, 'metadata'],
    ['open', 'a.example', '8.8.8.8 127.0.0.1', false, 'mixed'],
    ['open', 'a.example', '2606:4700::1 192.168.1.2', false, 'mixed'],
    ['open', 'a.example', '8.8.8.8', true, undefined],
    ['open', 'a.example', '127.0.0.1', true, 'notPublic'],
    ['open', 'a.example', '8.8.8.8 127.0.0.1', true, 'notPublic'],
    ['open', 'a.example', '', false, 'metadata'],
    ['public', 'a.example', '8.8.8.8 2606:4700::1', false, undefined],
    ['public', 'a.example', '127.0.0.1', false, 'notPublic'],
    ['public', 'a.example', '8.8.8.8 10.0.0.1', false, 'notPublic'],
    ['public', 'a.example', '::ffff:169.254.169.254', false, 'metadata'],
    ['allowlist', 'api.example', '8.8.8.8', false, undefined],
    ['allowlist', 'api.example', '127.0.0.1', false, undefined],
    ['allowlist', 'api.example', '8.8.8.8 127.0.0.1', false, undefined],
    ['allowlist', 'api.example', '169.254.169.254', false, 'metadata'],
    ['allowlist', 'api.example', '127.0.0.1', true, 'notPublic'],
    ['allowlist', 'xapi.example', '8.8.8.8', false, 'notAllowed'],
    ['allowlist', 'a.b.cdn.example', '8.8.8.8', false, undefined],
    ['allowlist', 'cdn.example', '8.8.8.8', false, 'notAllowed'],
    ['allowlist', 'evilcdn.example', '8.8.8.8', false, 'notAllowed'],
    ['allowlist', 'x.test', '10.1.255.255', false, undefined],
    ['allowlist', 'x.test', '::ffff:10.1.2.3', false, undefined],
    ['allowlist', 'x.test', '10.2.0.1', false, 'notAllowed'],
    ['allowlist', 'x.test', '10.1.0.1 10.2.0.1', false, 'notAllowed'],
    ['allowlist', '192.168.7.7', '192.168.7.7', false, undefined],
    ['allowlist', 'x.test', '2606:4700:1::1', false, undefined],
    ['allowlist', 'x.test', '2606:4701::1', false, 'notAllowed'],
  ];
  it.each(cases)(
    'in mode %s: %s with addresses %j, chosen by others %s: %s',
    (mode, host, addresses, chosen, refusal) => {
      const resolved = { host, addresses: addresses.split(' ').filter((address) => address !== '') };
      expect(findTargetRefusal(rulesOf(mode, list), resolved, chosen)).toBe(refusal);
    },
  );

  it.each([
    'a b',
    'http://a.example',
    '*.*.example',
    '*',
    '10.0.0.0/33',
    '::/129',
    '1.2.3',
    '2130706433',
    'a.example/8',
    '-a',
  ])('the list entry %j is refused', (entry) =>
    expect(parseAllowList(`ok.example,${entry}`)).toBeUndefined(),
  );

  it('the list may be empty, and have spaces and empty entries', () => {
    expect(parseAllowList('')).toEqual([]);
    expect(parseAllowList(' a.example ,, [::1] ')).toMatchObject([{ kind: 'host' }, { kind: 'range' }]);
  });
});
