import Type from 'typebox';
import { jsonType, Reply } from '../../api/reply.ts';
import { defineRoute, type Route } from '../../api/route.ts';
import { StrictQuery } from '../../api/validate.ts';
import { unixSeconds } from '../../base/clock.ts';
import type { Kind } from '../../content/kinds/kind.ts';
import type { SharedServices } from '../../feature.ts';
import { noDryRun } from './form.ts';
import { BatchAnswer, BatchRequest, batchLimits, StoredBatch } from './model.ts';
import { applyBatch, type BatchDeps, findAnswer } from './service.ts';

const KeyParams = Type.Object({
  key: Type.String({ minLength: 1, description: 'The `idempotency_key` of a batch.' }),
});

const BatchQuery = Type.Object({
  ...StrictQuery.properties,
  change_set: Type.Optional(
    Type.Integer({ minimum: 1, description: 'The change set that gets the operations; they are not run.' }),
  ),
});

export function batchRoutes(
  {
    reader,
    changes,
    clock,
    collect,
  }: Pick<SharedServices, 'reader' | 'changes' | 'clock'> & Pick<BatchDeps, 'collect'>,
  kinds: ReadonlyMap<string, Kind>,
): Route[] {
  return [
    defineRoute({
      method: 'POST',
      path: '/batch',
      access: 'write',
      needs: 'objects',
      summary: `Make up to ${batchLimits.ops} changes together or not at all`,
      query: BatchQuery,
      body: BatchRequest,
      takesAnyBody: true,
      cleanedField: 'on_behalf_of',
      response: BatchAnswer,
      errors: [...formErrors, 'batch.conflict', 'batch.keyReused', ...setErrors, ...errorsOf(kinds)],
      async handle({ actor, query, rawQuery, body }) {
        if (new URLSearchParams(rawQuery).has('dry_run')) throw noDryRun();
        const { answer, isReplay } = await applyBatch(
          { reader, changes, kinds, collect },
          actor,
          body,
          query,
        );
        return Reply.text(answer, jsonType, isReplay ? { headers: [['Idempotent-Replay', 'true']] } : {});
      },
    }),
    defineRoute({
      method: 'GET',
      path: '/batch/{key}',
      access: 'read',
      needs: 'objects',
      summary: 'The answer of a batch that was applied with an idempotency key',
      params: KeyParams,
      response: StoredBatch,
      handle: ({ actor, params: { key } }) => findAnswer(reader, actor, key, unixSeconds(clock)),
    }),
  ];
}

const formErrors = [
  'batch.empty',
  'batch.tooManyOps',
  'batch.opUnknown',
  'batch.kindUnknown',
  'batch.opNotSupported',
  'batch.idRequired',
  'batch.idInvalid',
  'batch.collectionRequired',
  'batch.dataInvalid',
  'batch.refInvalid',
  'batch.refDuplicate',
  'batch.refUnknown',
  'batch.keyInvalid',
  'batch.onBehalfTooLong',
] as const;

const setErrors = ['changeset.closed', 'changeset.tooManyItems', 'changeset.tooLarge'] as const;

/** The errors of all kinds that a batch may change. */
function errorsOf(kinds: ReadonlyMap<string, Kind>) {
  const changeable = [...kinds.values()].filter(({ batch }) => batch !== undefined);
  return new Set(
    changeable.flatMap(({ errors = {}, batch }) => [
      ...(errors.create ?? []),
      ...(errors.update ?? []),
      ...Object.values(batch?.more ?? {}).flatMap((operation) => operation.errors),
    ]),
  );
}
