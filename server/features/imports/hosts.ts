import { TimeSlices } from '../../base/timers.ts';
import { hostGroups } from './known-hosts.ts';
import type { ScanResult } from './model.ts';
import { isSameSite } from './parsing/address.ts';
import type { ResourceKind, ResourceLink } from './parsing/messages.ts';

type HostEntry = ScanResult['hosts'][number];

/** The hosts that files come from: the website's own first, then those of most files. */
export async function collectHosts(resources: Iterable<ResourceLink>, base: URL): Promise<HostEntry[]> {
  const byHost = new Map<string, Map<ResourceKind, number>>();
  const slices = new TimeSlices();
  for (const { url, kind } of resources) {
    await slices.next();
    const { host } = new URL(url);
    const kinds = byHost.get(host) ?? new Map<ResourceKind, number>();
    kinds.set(kind, (kinds.get(kind) ?? 0) + 1);
    byHost.set(host, kinds);
  }
  if (!byHost.has(base.host)) byHost.set(base.host, new Map());
  return [...byHost]
    .map(([host, kinds]) => entryOf(host, kinds, base))
    .sort(
      (left, right) =>
        Number(right.category === 'site') - Number(left.category === 'site') ||
        right.count - left.count ||
        (left.host < right.host ? -1 : 1),
    );
}

function entryOf(host: string, kinds: ReadonlyMap<ResourceKind, number>, base: URL): HostEntry {
  const count = [...kinds.values()].reduce((sum, number) => sum + number, 0);
  const onlyScripts = count > 0 && kinds.get('js') === count;
  return { host, ...describeHost(host, base, onlyScripts), count, kinds: Object.fromEntries(kinds) };
}

function describeHost(
  host: string,
  base: URL,
  onlyScripts: boolean,
): Pick<HostEntry, 'category' | 'label' | 'suggested'> {
  if (isSameSite(new URL(`${base.protocol}//${host}`), base))
    return { category: 'site', label: 'This website', suggested: true };
  for (const { category, suggested, hosts } of hostGroups) {
    const label = labelIn(hosts, host.replace(/:\d+$/, ''));
    if (label !== undefined) return { category, label, suggested };
  }
  return { category: 'other', label: 'Other host', suggested: !onlyScripts };
}

/** The label of the host or of the nearest domain above it. */
function labelIn(hosts: Readonly<Record<string, string>>, host: string): string | undefined {
  for (let name = host; name.includes('.'); name = name.slice(name.indexOf('.') + 1))
    if (Object.hasOwn(hosts, name)) return hosts[name];
  return undefined;
}
