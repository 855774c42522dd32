import { expect, it } from 'vitest';
import { checkMarkup } from '../../runtime/tasks/check-markup.ts';
import type { CheckMarkupTask } from '../../runtime/tasks/messages/checks.ts';
import type { Actor } from '../../server/base/actor.ts';
import type { Grants } from '../../server/base/rights.ts';
import type { UseReports } from '../../server/changes/change.ts';
import { type CheckedText, TextAnalysis } from '../../server/changes/text-analysis.ts';
import type { PlacedMarkup } from '../../server/content/fields/markup.ts';
import { refuseUnsafe, refuseUnsafeMarkup } from '../../server/content/kinds/unsafe-markup.ts';
import { recordingLog } from '../support/quiet-log.ts';

interface Words {
  readonly id: number;
  readonly words: readonly string[];
}

const kind = {
  name: 'page',
  rights: { code: [] },
  listMarkup: async (_change: unknown, { words }: Words): Promise<PlacedMarkup[]> =>
    words.map((text, index) => ({ key: `words.${index}`, field: `words.${index}`, type: 'html', text })),
};
const editor: Grants = [{ actions: ['read', 'edit', 'publish', 'delete'], on: {} }];
const unsafe = '<img src=x onerror=alert(1)>';

/** Runs the check as a change does at its end. */
async function check(grants: Grants | undefined, after: readonly string[], before?: readonly string[]) {
  const inspections: { texts: readonly CheckedText[]; use: UseReports }[] = [];
  const actor: Actor = { kind: 'token', id: 1, name: 't', canWrite: true, ...(grants && { grants }) };
  // Type boundary: the check needs nothing else of a change.
  const change = {
    actor,
    inspect: (texts: readonly CheckedText[], use: UseReports) => inspections.push({ texts, use }),
  };
  await refuseUnsafeMarkup(
    change as unknown as Parameters<typeof refuseUnsafeMarkup>[0],
    kind,
    { id: 1, words: after },
    before && { id: 1, words: before },
  );
  const analysis = analysisWith((values) => checkMarkup({ kind: 'check-markup', values }));
  for (const { texts, use } of inspections)
    await use(await Promise.all(texts.map((text) => analysis.reportForSave(text))));
  return inspections.flatMap(({ texts }) => texts).length;
}

function analysisWith(markup: (values: CheckMarkupTask['values']) => ReturnType<typeof checkMarkup>) {
  const never = () => Promise.reject(new Error('not asked'));
  return new TextAnalysis({ template: never, code: never, function: never, markup }, recordingLog());
}

const refusal = { code: 'auth.unsafeHtml', status: 422, params: { field: 'words.1', found: ['onerror'] } };

it('refuses new markup that runs code from who may not write code', async () => {
  await expect(check(editor, ['<p>a</p>', unsafe])).rejects.toMatchObject(refusal);
  await expect(check(editor, ['<p>a</p>', unsafe], ['<p>a</p>', '<p>b</p>'])).rejects.toMatchObject(refusal);
  await expect(check([], ['<p>a</p>', unsafe])).rejects.toMatchObject(refusal);
});

it('takes markup that is stored already, and any from who may write code', async () => {
  expect(await check(editor, ['<p>a</p>', unsafe], ['<p>b</p>', unsafe])).toBe(1);
  expect(await check(undefined, [unsafe])).toBe(0);
  expect(await check([{ actions: ['code'], on: { kinds: ['page'] } }], [unsafe])).toBe(0);
  await expect(check([{ actions: ['code'], on: { kinds: ['item'] } }], ['', unsafe])).rejects.toMatchObject(
    refusal,
  );
});

it('asks for nothing if there is no markup, and in parts if there is much', async () => {
  expect(await check(editor, ['plain', 'a & b: c'])).toBe(0);
  const long = `<p>${'x'.repeat(100_000)}</p>`;
  expect(
    await check(
      editor,
      Array.from({ length: 30 }, () => long),
    ),
  ).toBe(10);
});

it('refuses what cannot be checked', async () => {
  const texts: CheckedText[] = [];
  const uses: UseReports[] = [];
  const inspect = (asked: readonly CheckedText[], use: UseReports) => {
    texts.push(...asked);
    uses.push(use);
  };
  refuseUnsafe({ inspect }, [{ key: 'a', field: 'a', type: 'html', text: '<p>' }]);
  const analysis = analysisWith(() => Promise.reject(new Error('the process died')));
  const reports = await Promise.all(texts.map((text) => analysis.reportForSave(text)));
  expect(() => uses[0]?.(reports)).toThrow(expect.objectContaining({ code: 'common.busy', status: 503 }));
});
