/** A part of an answer that varies though the state is the same. */
export interface Variation {
  readonly address: RegExp;
  /** Path of the value in the body; `*` stands for every key. */
  readonly at: readonly string[];
  /** What varies in a text; default: all of the value. */
  readonly text?: RegExp;
  readonly reason: string;
}

const program = 'names the program that answers';

/** All that is not compared. */
export const variations: readonly Variation[] = [
  { address: /\/system$/, at: ['version'], reason: program },
  { address: /\/system$/, at: ['options'], reason: 'options of the start, such as the data directory' },
  ...['version', 'build', 'commit', 'schema'].map((name) => ({
    address: /\/bundle\/info$/,
    at: [name],
    reason: program,
  })),
  ...['local_version', 'local_commit', 'local_schema'].map((name) => ({
    address: /\/connections\/\d+\/status$/,
    at: [name],
    reason: program,
  })),
  { address: /\/mhtml$/, at: [], text: /^Date: .*$/gm, reason: 'the time of the answer' },
];

const ofRuns = 'runs are not in bundles';
const inBackground = 'variants that a bundle does not bring are made after the import';

/** What is not compared after the import of a bundle. */
export const notInBundles: readonly Variation[] = [
  ...['last_run_at', 'last_status'].flatMap((name) => [
    { address: /\/workflows$/, at: ['*', name], reason: ofRuns },
    { address: /\/workflows\/\d+$/, at: [name], reason: ofRuns },
  ]),
  { address: /\/files\/\d+$/, at: ['usage'], reason: 'change sets, which use files too, are not in bundles' },
  { address: /\/files$/, at: ['*', 'variants'], reason: inBackground },
  { address: /\/files\/\d+$/, at: ['variants'], reason: inBackground },
];
