/** Moments as the clock of a time zone shows them, in the form of inputs for date and time. */

/** `YYYY-MM-DDTHH:MM:SS` in a zone. */
export function formatInZone(moment: Date, zone: string): string {
  const parts = new Intl.DateTimeFormat('en', {
    timeZone: zone,
    hourCycle: 'h23',
    year: 'numeric',
    month: '2-digit',
    day: '2-digit',
    hour: '2-digit',
    minute: '2-digit',
    second: '2-digit',
  }).formatToParts(moment);
  const part = (type: Intl.DateTimeFormatPartTypes) => parts.find((one) => one.type === type)?.value ?? '';
  return `${part('year').padStart(4, '0')}-${part('month')}-${part('day')}T${part('hour')}:${part('minute')}:${part('second')}`;
}

/** The moment in UTC; null for nothing. Text that is no moment stays, and the server refuses it. */
export function parseInZone(text: string, zone: string): string | null {
  const wanted = Date.parse(`${text}Z`);
  if (Number.isNaN(wanted)) return text || null;
  // The zone may have another offset at the first guess than at the moment itself.
  let moment = wanted;
  for (let guess = 0; guess < 2; guess++)
    moment = wanted - (Date.parse(`${formatInZone(new Date(moment), zone)}Z`) - moment);
  return `${new Date(moment).toISOString().slice(0, 19)}Z`;
}
