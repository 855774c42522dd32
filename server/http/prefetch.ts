/** Headers in which browsers say why they load something. */
export const purposeHeaders = ['sec-purpose', 'purpose', 'x-purpose', 'x-moz'] as const;

/** Whether a value of such a header means that something is loaded in advance. */
export function isPrefetch(value: string): boolean {
  return /^\s*(?:prefetch|prerender|preview)/i.test(value);
}
