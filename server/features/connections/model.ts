import Type, { type Static } from 'typebox';
import { fieldLimits } from '../../content/common-fields.ts';
import { BundleInfo, KindDiff } from '../bundle/model.ts';

export const Connection = Type.Object(
  {
    id: Type.Integer({ description: 'ID of the connection.' }),
    name: Type.String({ description: 'Name for people.' }),
    url: Type.String({ description: 'Address of the other instance, without a slash at the end.' }),
    token_prefix: Type.String({ description: 'First characters of the token, which itself is never shown.' }),
    last_sync_at: Type.Union([Type.Integer(), Type.Null()], {
      description: 'Last push or pull in Unix seconds; null before the first.',
    }),
    last_sync: Type.String({ description: '`push` or `pull`; empty before the first.' }),
    created_at: Type.Integer({ description: 'When it was made, in Unix seconds.' }),
  },
  { title: 'Connection', description: 'Another instance that this one is connected to.' },
);
export type Connection = Static<typeof Connection>;

const name = Type.String({ minLength: 1, maxLength: fieldLimits.name, description: 'Name for people.' });
const url = Type.String({
  maxLength: 2000,
  description: 'Address of the other instance; without a scheme https is meant.',
});
const tokenText = (minLength: number) =>
  Type.String({
    minLength,
    maxLength: 500,
    pattern: '^[!-~]*$',
    description: 'A token that may write there.',
  });

export const ConnectionCreate = Type.Object(
  { name, url, token: tokenText(1) },
  {
    title: 'ConnectionCreate',
    description: 'A new connection.',
    examples: [{ name: 'Live', url: 'www.example.org', token: 'ic_...' }],
  },
);
export type ConnectionCreate = Static<typeof ConnectionCreate>;

export const ConnectionUpdate = Type.Object(
  {
    name: Type.Optional(name),
    url: Type.Optional(url),
    token: Type.Optional(tokenText(0)),
  },
  {
    title: 'ConnectionUpdate',
    description:
      'The fields that change. An empty token stays as it is; on another scheme, host or port the stored one is cleared.',
    examples: [{ name: 'Live' }],
  },
);
export type ConnectionUpdate = Static<typeof ConnectionUpdate>;

export const Select = Type.Object(
  { id: Type.Integer({ minimum: 0, description: 'ID of the connection; 0 ends remote mode.' }) },
  { title: 'Select', description: 'The instance that requests are forwarded to.', examples: [{ id: 1 }] },
);

export const ConnectionStatus = Type.Object(
  {
    reachable: Type.Boolean({ description: 'Whether the other instance has told what it is.' }),
    error: Type.String({ description: 'Why it has not; empty if it has.' }),
    remote: Type.Union([BundleInfo, Type.Null()], { description: 'Its `/bundle/info`.' }),
    local_schema: Type.Integer({ description: 'Schema of this instance.' }),
    synced: Type.Boolean({ description: 'Whether both have the same content, live entries left aside.' }),
    local_changed: Type.Boolean({
      description: 'Whether this instance has changed since the last push or pull.',
    }),
    remote_changed: Type.Boolean({ description: 'Whether the other one has.' }),
    local_version: Type.String({ description: 'Version of this instance.' }),
    local_commit: Type.String({ description: 'Commit of this instance; empty if unknown.' }),
    version_mismatch: Type.Boolean({
      description: 'Whether schema or version differ; of development builds also the commit.',
    }),
  },
  { title: 'ConnectionStatus', description: 'A connection as it is now.' },
);
export type ConnectionStatus = Static<typeof ConnectionStatus>;

export const SyncStart = Type.Object(
  { connection_id: Type.Integer({ minimum: 1, description: 'The other instance.' }) },
  {
    title: 'SyncStart',
    description: 'Which instance to exchange content with.',
    examples: [{ connection_id: 1 }],
  },
);

export const SyncResult = Type.Object(
  {
    hash: Type.String({ description: 'Hash of the content that both have now.' }),
    synced_at: Type.Integer({ description: 'When, in Unix seconds.' }),
    backup: Type.String({ description: 'Backup of what was replaced, on the instance that was changed.' }),
  },
  { title: 'SyncResult', description: 'A push or pull that is done.' },
);
export type SyncResult = Static<typeof SyncResult>;

export const SyncState = Type.Object(
  {
    running: Type.Boolean({ description: 'Whether a push or pull is running.' }),
    phase: Type.Enum(['', 'check', 'compare', 'transfer', 'import', 'done', 'failed'], {
      description: 'What is being done; empty before the first push or pull.',
    }),
    done: Type.Integer({ description: 'Bytes transferred so far.' }),
    total: Type.Integer({ description: 'Bytes to transfer, as far as known.' }),
    error: Type.String({ description: 'Why it failed; empty if it did not.' }),
  },
  { title: 'SyncState', description: 'The running or last push or pull.' },
);
export type SyncState = Static<typeof SyncState>;

export const DiffQuery = Type.Object({
  direction: Type.Optional(Type.Enum(['push', 'pull'], { description: 'Default: push.' })),
});

export const Diff = Type.Object(
  {
    direction: Type.Enum(['push', 'pull'], { description: 'The direction that was asked for.' }),
    hash: Type.String({ description: 'Hash of the content that both would have.' }),
    kinds: Type.Record(Type.String(), KindDiff, { description: 'By kind.' }),
  },
  { title: 'Diff', description: 'What a push or pull would do, object by object.' },
);
