import { type FieldFault, invalidFields } from '../../base/errors.ts';
import type { Change } from '../../changes/changes.ts';
import { defineSettings } from '../../db/settings.ts';
import { headersOfAll, headersOfSite } from './headers.ts';
import { defaultSecurity, type Security, SecuritySettings, type SecurityUpdate } from './model.ts';

const securitySettings = defineSettings({
  name: 'security',
  schema: SecuritySettings,
  defaults: defaultSecurity,
});

export const readSecurity = securitySettings.read;

/** The answer to GET /security. The list of headers is that of HTTPS. */
export function presentSecurity(settings: SecuritySettings): Security {
  const list = (headers: ReturnType<typeof headersOfAll>) =>
    headers.map(([name, value]) => ({ name, value }));
  return {
    settings,
    headers: { all: list(headersOfAll(settings, 'https')), site: list(headersOfSite(settings)) },
  };
}

/** PUT /security: merges the settings. @throws ApiError `common.invalid` with all faulty fields */
export function updateSecurity(change: Change, body: SecurityUpdate): Promise<SecuritySettings> {
  return securitySettings.update(change.tx, (before) => {
    const merged = { ...before, ...body };
    const settings = {
      ...merged,
      csp: merged.csp.replace(/\s*[\r\n]+\s*/g, ' ').trim(),
      frame_domains: merged.frame_domains.map((domain) => domain.trim()),
    };
    const faults = faultsIn(settings);
    if (faults.length > 0) throw invalidFields(faults);
    return settings;
  });
}

const oneYear = 31_536_000;

function faultsIn(settings: SecuritySettings): FieldFault[] {
  const { framing, frame_domains, hsts_preload, hsts_subdomains, hsts_max_age, csp } = settings;
  const wrongDomain = frame_domains.find((domain) => !sourcePattern.test(domain));
  const rules: readonly (readonly [boolean, string, string])[] = [
    [
      wrongDomain !== undefined,
      'frame_domains',
      `must be addresses such as https://example.com or https://*.example.com, not ${JSON.stringify(wrongDomain)}`,
    ],
    [
      framing === 'domains' && frame_domains.length === 0,
      'frame_domains',
      'must name at least one domain if framing is "domains"',
    ],
    [
      hsts_preload && !(hsts_subdomains && hsts_max_age >= oneYear),
      'hsts_preload',
      `needs hsts_subdomains and an hsts_max_age of at least ${oneYear}`,
    ],
    [!/^[ -~]*$/.test(csp), 'csp', 'must consist of visible ASCII characters and spaces'],
  ];
  return rules.flatMap(([isBroken, field, reason]) => (isBroken ? [{ field, reason }] : []));
}

/** An optional scheme, a host whose first label may be `*`, an optional port; nothing that ends a directive. */
const sourcePattern =
  /^(?:https?:\/\/)?(?:\*\.)?[a-z\d](?:[a-z\d-]*[a-z\d])?(?:\.[a-z\d](?:[a-z\d-]*[a-z\d])?)*(?::(?:\d{1,5}|\*))?$/i;
