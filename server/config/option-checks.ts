/** Host and port of `<host>:<port>`; an empty host stands for all interfaces. Undefined if it is none. */
export function parseListenAddress(text: string): { host: string; port: number } | undefined {
  const [, name, bracketed, digits] = /^(?:([^\s:[\]]*)|\[([\da-fA-F:.]+)\]):(\d{1,5})$/.exec(text) ?? [];
  const port = Number(digits);
  if (digits === undefined || port > 65535) return undefined;
  return { host: bracketed ?? name ?? '', port };
}

/** A check of a whole number; its bounds are allowed values. */
export function wholeNumber(min: number, max: number): (text: string) => string | undefined {
  return (text) =>
    /^\d{1,9}$/.test(text) && Number(text) >= min && Number(text) <= max
      ? undefined
      : `must be a whole number from ${min} to ${max}`;
}

export function isHostName(text: string): boolean {
  return /^(?:[a-z\d](?:[a-z\d.-]{0,251}[a-z\d])?|\[[\da-f:.]{2,45}\])$/i.test(text);
}
