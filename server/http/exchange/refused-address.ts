/** One line for the operator. @param code of the system's error, empty if it is not known */
export function refusalText(host: string, port: number, code: string): string {
  const reason = reasons.get(code);
  return `cannot listen on ${host}:${port}: ${reason ?? 'the port is taken or the address is not available'}`;
}

const reasons: ReadonlyMap<string, string> = new Map([
  ['EADDRINUSE', 'the port is taken by another program'],
  ['EACCES', 'no permission for this port (ports below 1024 usually need special rights)'],
  ['EADDRNOTAVAIL', 'the address does not belong to this machine'],
  ['ENOTFOUND', 'the host name is not known'],
]);
