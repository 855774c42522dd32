/** Addresses of a pen outside of the editor. */
export const penAddresses = {
  /** Result and code, as visitors see them; an administrator asks for that view. */
  view: (uuid: string) => `/cms-admin/pen/${uuid}?view=1`,
  result: (uuid: string) => `/cms-admin/pen/${uuid}/result`,
  /** What is given to others. */
  shared: (uuid: string) => `${location.origin}/cms-admin/pen/${uuid}`,
} as const;
