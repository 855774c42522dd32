import type { Scheme } from '../../http/origin.ts';
import type { Headers, SecurityHeaders } from '../../http/security-headers.ts';
import type { SecuritySettings } from './model.ts';

/** The headers of all answers. @param scheme browsers take HSTS over HTTPS only */
export function headersOfAll(settings: SecuritySettings, scheme: Scheme): Headers {
  const { referrer_policy, hsts } = settings;
  return [
    ['X-Content-Type-Options', 'nosniff'],
    ...headerIf(referrer_policy !== '', 'Referrer-Policy', referrer_policy),
    ...headerIf(hsts && scheme === 'https', 'Strict-Transport-Security', hstsValue(settings)),
  ];
}

/** The headers that pages of websites have besides those of all answers. */
export function headersOfSite(settings: SecuritySettings): Headers {
  const { framing, csp, csp_report_only, permissions_policy } = settings;
  // A policy that is only reported keeps nobody out, so it does not replace the setting.
  const ownFraming = !csp_report_only && /(?:^|;)\s*frame-ancestors(?:\s|;|$)/i.test(csp);
  const ancestors = framing === 'domains' && !ownFraming ? frameAncestors(settings) : '';
  const enforced = [csp_report_only ? '' : csp, ancestors].filter((policy) => policy !== '').join('; ');
  const frameOptions = ownFraming ? '' : (frameOptionsOf[framing] ?? '');
  return [
    ...headerIf(frameOptions !== '', 'X-Frame-Options', frameOptions),
    ...headerIf(permissions_policy, 'Permissions-Policy', blockedFeatures),
    ...headerIf(enforced !== '', 'Content-Security-Policy', enforced),
    ...headerIf(csp !== '' && csp_report_only, 'Content-Security-Policy-Report-Only', csp),
  ];
}

/** The headers of all answers and of pages, made once per change of the settings. */
export function computeHeaders(settings: SecuritySettings): SecurityHeaders['current'] {
  const ofScheme = (scheme: Scheme) => {
    const all = headersOfAll(settings, scheme);
    return { all, site: [...all, ...headersOfSite(settings)] };
  };
  return { http: ofScheme('http'), https: ofScheme('https') };
}

function headerIf(wanted: boolean, name: string, value: string): Headers {
  return wanted ? [[name, value]] : [];
}

function hstsValue({ hsts_max_age, hsts_subdomains, hsts_preload }: SecuritySettings): string {
  const flags = [hsts_subdomains ? '; includeSubDomains' : '', hsts_preload ? '; preload' : ''];
  return `max-age=${hsts_max_age}${flags.join('')}`;
}

function frameAncestors({ frame_domains }: SecuritySettings): string {
  return ['frame-ancestors', "'self'", ...frame_domains].join(' ');
}

const frameOptionsOf: Readonly<Partial<Record<SecuritySettings['framing'], string>>> = {
  sameorigin: 'SAMEORIGIN',
  deny: 'DENY',
};

const blockedFeatures = [
  'camera',
  'microphone',
  'geolocation',
  'payment',
  'usb',
  'serial',
  'bluetooth',
  'hid',
  'midi',
  'browsing-topics',
]
  .map((feature) => `${feature}=()`)
  .join(', ');
