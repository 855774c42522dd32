/** An answer that is meant to differ from what an older program has answered. */
export interface ExpectedDifference {
  /** Names of the folders of states. */
  readonly states: readonly string[];
  readonly address: RegExp;
  /** Why the older answer is not kept. */
  readonly reason: string;
}

export const expectedDifferences: readonly ExpectedDifference[] = [
  {
    states: ['first'],
    address: /^\/api\/v1\/connections\/\d+\/diff$/,
    reason: 'The text of `connection.failed` now says what to check; code and status are the same.',
  },
  {
    states: ['first', 'nodes'],
    address: /^\/api\/v1\/revisions[/?]/,
    reason: 'Versions also have `state_author` and `state_at`, which are null in those stored before.',
  },
  {
    states: ['first', 'nodes'],
    address: /^\/api\/v1\/system$/,
    reason: 'The settings have `public_max_entries`, which is off.',
  },
  {
    states: ['first', 'nodes', 'failing-pages'],
    address: /^\/api\/v1\/(?:pages|revisions)\/\d+$/,
    reason: 'Pages have `regions` and `region_schema`, which are empty.',
  },
  {
    states: ['first', 'nodes', 'failing-pages'],
    address: /^\/api\/v1\/pages(?:\?roots=1)?$/,
    reason: 'Root pages have a `zone`, which is empty.',
  },
  {
    states: ['first', 'nodes', 'failing-pages'],
    address: /^\/api\/v1\/(?:schema|bundle\/info)$/,
    reason: 'The hashes of content and schema count the new columns of pages.',
  },
  {
    states: ['nodes', 'failing-pages'],
    address: /^\/api\/v1\/system$/,
    reason: 'The settings have `trash_days`, `trash_max_mb`, `public_url` and `idle_minutes`.',
  },
  {
    states: ['first', 'nodes', 'failing-pages'],
    address: /^\/api\/v1\/cleanup$/,
    reason: 'The clean-up tells the size of the trash.',
  },
  {
    states: ['first', 'nodes'],
    address: /^\/(not\/there|visit\/tides|de\/besuch\/gezeiten)$/,
    reason: 'The built-in error page has a colour for links.',
  },
  {
    states: ['first', 'nodes', 'failing-pages'],
    address: /^\/draft\?ic_preview=/,
    reason: 'Previews mark links to drafts.',
  },
  {
    states: ['first', 'nodes', 'failing-pages'],
    address: /^\/api\/v1\/(?:auth\/status|users|tokens)$/,
    reason: 'Users have roles, a name and an e-mail address; tokens have roles, an end and an owner.',
  },
  {
    states: ['change-sets'],
    address: /^\/api\/v1\/(?:auth\/(?:me|status)|users(?:\/\d+)?)$/,
    reason: 'The sign-in tells of OpenID Connect, users of their factors and of how editors save.',
  },
];
