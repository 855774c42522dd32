import { type AddressRange, classifyAddress, isInRange, parseRange } from '../base/ip-address.ts';

/** Which targets the server may reach: all, public ones only, or those of the list. */
export const outgoingModes = ['open', 'public', 'allowlist'] as const;
export type OutgoingMode = (typeof outgoingModes)[number];

/** What `-outgoing` and `-outgoing-allow` say. */
export interface OutgoingRules {
  readonly mode: OutgoingMode;
  /** Entries of the list, for mode `allowlist`. */
  readonly allow: readonly AllowedTarget[];
}

/** A host, all hosts below a domain, or a range of addresses. */
export type AllowedTarget =
  | { readonly kind: 'host'; readonly host: string }
  | { readonly kind: 'below'; readonly domain: string }
  | { readonly kind: 'range'; readonly range: AddressRange };

/** Reads a list such as `api.example, *.example.org, 10.0.0.0/8`; undefined if an entry is none of these. */
export function parseAllowList(text: string): AllowedTarget[] | undefined {
  const entries = text.split(',').map((entry) => entry.trim().toLowerCase());
  const targets = entries.filter((entry) => entry !== '').map(parseAllowed);
  return targets.every((target) => target !== undefined) ? targets : undefined;
}

function parseAllowed(entry: string): AllowedTarget | undefined {
  const range = parseRange(entry.replace(/^\[(.*)\]$/, '$1'));
  if (range !== undefined) return { kind: 'range', range };
  const [, wildcard, name = ''] = /^(\*\.)?([a-z\d](?:[a-z\d._-]{0,250}[a-z\d])?)$/.exec(entry) ?? [];
  // Digits only would be an address in another notation, which no host of a request ever has.
  if (name === '' || /^[\d.]+$/.test(name)) return undefined;
  return wildcard === undefined ? { kind: 'host', host: name } : { kind: 'below', domain: name };
}

/** A host with all its addresses. */
export interface ResolvedHost {
  /** Lower case, without brackets and final dot. */
  readonly host: string;
  readonly addresses: readonly string[];
}

/** Why a target must not be reached. The text continues a sentence that begins with the host. */
export type Refusal = keyof typeof refusalTexts;

export const refusalTexts = {
  metadata: 'has the address of a metadata service',
  notPublic: 'is not a public address',
  mixed: 'has public and private addresses at the same time',
  notAllowed: 'is not in the list of allowed targets (-outgoing-allow)',
} as const;

/**
 * Whether the rules refuse a target. One refused address refuses the host, because an answer of the name
 * service with different kinds of addresses is how private addresses are reached under a public name.
 *
 * @param mustBePublic the target was chosen by others than those who operate this server
 */
export function findTargetRefusal(
  rules: OutgoingRules,
  { host, addresses }: ResolvedHost,
  mustBePublic: boolean,
): Refusal | undefined {
  const classes = new Set(addresses.map(classifyAddress));
  if (classes.has('metadata') || classes.size === 0) return 'metadata';
  if ((mustBePublic || rules.mode === 'public') && classes.has('private')) return 'notPublic';
  if (rules.mode === 'allowlist')
    return isNamed(rules, host) || isWithinRanges(rules, addresses) ? undefined : 'notAllowed';
  return classes.size > 1 ? 'mixed' : undefined;
}

/** Whether a host is in this network. A target that such a host leads to may be private as well. */
export function isPrivate(addresses: readonly string[]): boolean {
  return addresses.length > 0 && addresses.every((address) => classifyAddress(address) === 'private');
}

function isNamed({ allow }: OutgoingRules, host: string): boolean {
  return allow.some(
    (target) =>
      (target.kind === 'host' && target.host === host) ||
      (target.kind === 'below' && host.endsWith(`.${target.domain}`)),
  );
}

function isWithinRanges({ allow }: OutgoingRules, addresses: readonly string[]): boolean {
  return addresses.every((address) =>
    allow.some((target) => target.kind === 'range' && isInRange(address, target.range)),
  );
}
