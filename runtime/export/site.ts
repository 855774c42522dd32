/** How the addresses in exported files look: absolute from `/`, behind the whole base, or relative to the file. */
export type LinkStyle = 'root' | 'base' | 'relative';

/** What all files of one static export have in common. Plain data, so that it can cross processes. */
export interface ExportedSite {
  readonly siteId: number;
  /** Scheme of absolute addresses. */
  readonly scheme: 'http' | 'https';
  /** Host of absolute addresses, with the path of the base behind it; undefined if no base is known. */
  readonly base: string | undefined;
  /** Hosts whose absolute addresses lead to the website. */
  readonly hosts: readonly string[];
  readonly links: LinkStyle;
}

/** Stands for the host of a website without one; its addresses lose it again. No such host exists (RFC 2606). */
const noHost = 'export.invalid';

export function getSiteHost({ base }: ExportedSite): string {
  return base ?? noHost;
}

/** Makes the absolute addresses of a website without a known host absolute from `/`. */
export function withoutUnknownHost({ base }: ExportedSite, text: string): string {
  if (base !== undefined || !text.includes(noHost)) return text;
  return text.replaceAll(/https?:\/\/export\.invalid\/?/g, '/');
}

/** What stands in front of a path: nothing, the path of the base, or the whole base. */
export function computePathPrefix({ scheme, base, links }: ExportedSite): string {
  if (base === undefined || links === 'relative') return '';
  if (links === 'base') return `${scheme}://${base}`;
  const slash = base.indexOf('/');
  return slash < 0 ? '' : base.slice(slash);
}
