import fc from 'fast-check';

const text = fc.oneof(
  fc.string({ maxLength: 12 }),
  fc.constantFrom(
    '<b>&',
    '<!--/ic-block:x-->',
    '\u{F0000}\u{F0101}',
    '\x80\x81\x9f',
    '{{ x }}',
    '\n',
    '"',
    '__proto__',
  ),
);
const id = fc.option(fc.oneof(fc.constantFrom('a', 'b', 'ä', ''), fc.stringMatching(/^[\w-]{1,64}$/)), {
  nil: undefined,
});

/** Valid trees of the types of `createBlockTypes`: every block fits its type, with IDs of any kind. */
export const blockTrees = fc.letrec((tie) => ({
  list: fc.array(tie('block'), { maxLength: 3, depthIdentifier: 'tree' }),
  block: fc.oneof(
    { depthSize: 'small', maxDepth: 4, depthIdentifier: 'tree' },
    fc.record({
      id,
      type: fc.constant('heading'),
      params: fc.record({
        text: text.filter((value) => value !== ''),
        level: fc.constantFrom('2', '3', null, undefined),
      }),
    }),
    fc.record({
      id,
      type: fc.constant('every'),
      params: fc.record(
        {
          text,
          textarea: text,
          number: fc.oneof(fc.integer(), fc.constant('7.5')),
          boolean: fc.boolean(),
          markdown: text,
          html: fc.constantFrom('<i>x</i>', '<!--ic-block:a:b:c-->', '<b data-ic-field="x">y</b>'),
          select: fc.constantFrom('a', 'b'),
          date: fc.constant('2026-02-28'),
          reference: fc.constantFrom(0, 'entry'),
          unknown: fc.anything({ maxDepth: 1 }).map(() => 1),
        },
        { requiredKeys: [] },
      ),
    }),
    fc.constant({ global: 'global' }),
    fc.record({
      id,
      type: fc.constant('columns'),
      slots: fc.record({ left: tie('list'), right: tie('list') }, { requiredKeys: [] }),
    }),
  ),
})).list;

/** What the blocks of {@link blockTrees} refer to. */
export interface TreeTargets {
  readonly entry: number;
  readonly global: number;
}

/** A tree with the IDs of a server. */
export function withTargets(tree: unknown, { entry, global }: TreeTargets): unknown {
  const json = JSON.stringify(tree).replaceAll('"global":"global"', `"global":${global}`);
  return JSON.parse(json.replaceAll('"reference":"entry"', `"reference":${entry}`));
}
