import Type, { type Static } from 'typebox';

const at = (what: string) => Type.Integer({ description: `${what}, in Unix seconds; 0 for never.` });

/** Data, Automation and Operations, "Statistics": geo state. */
export const GeoState = Type.Object(
  {
    enabled: Type.Boolean({ description: 'Whether countries are recorded, and lists are asked for.' }),
    running: Type.Boolean({ description: 'Whether lists are being asked for at the moment.' }),
    ranges: Type.Integer({ description: 'Number of address ranges of all lists.' }),
    updated_at: at('When a list was stored last'),
    checked_at: at('When a list was asked for last'),
    sources: Type.Array(
      Type.Object({
        rir: Type.String({ description: 'Registry: `afrinic`, `apnic`, `arin`, `lacnic` or `ripencc`.' }),
        ranges: Type.Integer({ description: 'Number of address ranges of its list.' }),
        updated_at: at('When its list was stored'),
        checked_at: at('When its list was asked for'),
        error: Type.String({ description: 'Why the last attempt failed; empty if it did not.' }),
      }),
      { description: 'The five registries.' },
    ),
  },
  { title: 'GeoState', description: 'The data that tells the countries of addresses.' },
);
export type GeoState = Static<typeof GeoState>;

export const GeoUpdate = Type.Object(
  { enabled: Type.Boolean({ description: 'False: nothing is recorded, no list is asked for.' }) },
  { title: 'GeoUpdate', description: 'The setting.', examples: [{ enabled: false }] },
);

export const GeoForm = Type.Object(
  {
    file: Type.Array(
      Type.String({ format: 'binary', description: 'An allocation list, also compressed with gzip.' }),
      { description: 'One list or several; all are stored, or none.' },
    ),
  },
  { title: 'GeoForm', description: 'Allocation lists of registries.' },
);
