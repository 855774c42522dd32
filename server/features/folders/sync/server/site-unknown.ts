/** A server with several websites needs to be told which one. */
export class SiteUnknown extends Error {}
