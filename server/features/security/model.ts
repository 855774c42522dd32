import Type, { type Static } from 'typebox';

const referrerPolicies = [
  'no-referrer',
  'no-referrer-when-downgrade',
  'origin',
  'origin-when-cross-origin',
  'same-origin',
  'strict-origin',
  'strict-origin-when-cross-origin',
  'unsafe-url',
  '',
] as const;

/** Longest policy in characters, and longest time in seconds (Data, Automation and Operations, "Limits"). */
export const securityLimits = { csp: 4000, hsts_max_age: 63_072_000, frame_domains: 100 } as const;

/** Data, Automation and Operations, "System, security, mail, storage settings". */
export const SecuritySettings = Type.Object(
  {
    referrer_policy: Type.Enum(referrerPolicies, {
      description: 'Value of the header Referrer-Policy; empty = no header.',
    }),
    framing: Type.Enum(['sameorigin', 'deny', 'any', 'domains'], {
      description: 'Who may show pages in a frame; `domains`: the website itself and `frame_domains`.',
    }),
    frame_domains: Type.Array(Type.String({ maxLength: 300 }), {
      maxItems: securityLimits.frame_domains,
      description:
        'Origins for `framing` `domains`, such as `https://example.com` or `https://*.example.com`.',
    }),
    hsts: Type.Boolean({ description: 'Sends Strict-Transport-Security, over HTTPS only.' }),
    hsts_max_age: Type.Integer({
      minimum: 0,
      maximum: securityLimits.hsts_max_age,
      description: 'How long browsers remember to use HTTPS, in seconds.',
    }),
    hsts_subdomains: Type.Boolean({ description: 'HSTS for all subdomains too.' }),
    hsts_preload: Type.Boolean({
      description: 'HSTS from the lists of browsers; needs `hsts_subdomains` and at least one year.',
    }),
    permissions_policy: Type.Boolean({
      description: 'Blocks camera, microphone, position, payment, devices and Topics for pages.',
    }),
    csp: Type.String({
      maxLength: securityLimits.csp,
      description: 'Own Content-Security-Policy of pages; line breaks become spaces.',
    }),
    csp_report_only: Type.Boolean({ description: 'Browsers only report what `csp` forbids.' }),
    hide_version: Type.Boolean({
      description:
        '`/healthz` tells only `status` and `db`; callers without a credential see the version nowhere.',
    }),
  },
  { title: 'SecuritySettings', description: 'What browsers may do with answers of this server.' },
);
export type SecuritySettings = Static<typeof SecuritySettings>;

export const SecurityUpdate = Type.Partial(SecuritySettings, {
  title: 'SecurityUpdate',
  description: 'The security settings that change.',
  examples: [{ framing: 'deny', hsts: true }],
});
export type SecurityUpdate = Static<typeof SecurityUpdate>;

const Header = Type.Object(
  {
    name: Type.String({ description: 'Name of the header.' }),
    value: Type.String({ description: 'Its value.' }),
  },
  { title: 'Header', description: 'A header of answers.' },
);

export const Security = Type.Object(
  {
    settings: SecuritySettings,
    headers: Type.Object(
      {
        all: Type.Array(Header, { description: 'Headers of every answer; HSTS over HTTPS only.' }),
        site: Type.Array(Header, { description: 'Headers that the pages of websites have besides.' }),
      },
      { description: 'The headers that the settings give.' },
    ),
  },
  { title: 'Security', description: 'The security settings and the headers that they give.' },
);
export type Security = Static<typeof Security>;

export const defaultSecurity: SecuritySettings = {
  referrer_policy: 'strict-origin-when-cross-origin',
  framing: 'sameorigin',
  frame_domains: [],
  hsts: false,
  hsts_max_age: 31_536_000,
  hsts_subdomains: false,
  hsts_preload: false,
  permissions_policy: false,
  csp: '',
  csp_report_only: false,
  hide_version: false,
};
