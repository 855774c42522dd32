/** Addresses of a pen outside of the editor. */
export interface PenAddresses {
  /** Result and code, as visitors see them; an administrator asks for that view. */
  readonly view: string;
  readonly result: string;
  /** What is given to others. */
  readonly shared: string;
}

/** @param server address of the server that has the pen; in remote mode that is another one */
export function penAddresses(uuid: string, server = location.origin): PenAddresses {
  const shared = `${server.replace(/\/$/, '')}/cms-admin/pen/${uuid}`;
  return { shared, view: `${shared}?view=1`, result: `${shared}/result` };
}
