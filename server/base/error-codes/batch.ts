import type { ErrorTable } from './entry.ts';

/** Batches. */
export const batchErrors = {
  'batch.empty': { status: 400, text: () => 'the batch has no operations: ops is empty' },
  'batch.tooManyOps': {
    status: 400,
    text: (p: { max: number }) => `the batch has more than ${p.max} operations`,
  },
  'batch.opUnknown': {
    status: 400,
    text: (p: { op: string }) =>
      `op must be "create", "update", "delete", "move", "link" or "unlink", not ${JSON.stringify(p.op)}`,
  },
  'batch.kindUnknown': {
    status: 400,
    text: (p: { kind: string }) => `there is no kind ${JSON.stringify(p.kind)} in batches`,
  },
  'batch.opNotSupported': {
    status: 400,
    text: (p: { op: string; kind: string }) => `a batch cannot ${p.op} objects of the kind ${p.kind}`,
  },
  'batch.idRequired': { status: 400, text: () => 'id is missing' },
  'batch.idInvalid': {
    status: 400,
    text: () => 'id must be an integer above 0, or "@" and the ref of an earlier create',
  },
  'batch.collectionRequired': {
    status: 400,
    text: () => 'collection is missing: the slug or the ID of the collection of an entry',
  },
  'batch.dataInvalid': {
    status: 400,
    text: () => 'data must be an object',
  },
  'batch.refInvalid': {
    status: 400,
    text: () => 'ref must be 1 to 64 letters, digits, "_", "-" or "."',
  },
  'batch.refDuplicate': {
    status: 400,
    text: (p: { ref: string }) => `an earlier operation has the ref "${p.ref}" already`,
  },
  'batch.refUnknown': {
    status: 400,
    text: (p: { ref: string }) =>
      `no earlier operation creates such an object with the ref ${JSON.stringify(p.ref)}`,
  },
  'batch.keyInvalid': {
    status: 400,
    text: (p: { max: number }) => `idempotency_key must be a text of 1 to ${p.max} characters`,
  },
  'batch.keyReused': {
    status: 409,
    text: (p: { idempotency_key: string }) =>
      `another batch has been applied with the key ${JSON.stringify(p.idempotency_key)}`,
  },
  'batch.conflict': {
    status: 409,
    text: (p: { count: number; conflicts: readonly object[] }) =>
      `${p.count} ${p.count === 1 ? 'object' : 'objects'} changed since you read them. Nothing was saved. Read them again and retry.`,
  },
  'batch.onBehalfTooLong': {
    status: 400,
    text: (p: { max: number }) => `the person to write for has more than ${p.max} characters`,
  },
} satisfies ErrorTable;
