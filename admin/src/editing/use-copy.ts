import { useQuery } from '@tanstack/react-query';
import { useEffect, useMemo, useRef } from 'react';
import { queryClient } from '../api/query-client.ts';
import { send } from '../api/resource.ts';
import { mayPublishQuery, meQuery } from '../api/session/rights.ts';
import { type CopiedObject, type Copy, copyQuery, saveCopy } from '../content/releases/copies.ts';
import { Autosave } from './autosave.ts';
import type { Editable, EditorStore } from './editor-store.ts';
import type { Fields } from './merge/fields.ts';
import type { Preparation } from './preparation.ts';

/** An object whose changes wait in a working copy. */
export interface CopiedValue<Value extends Editable> {
  readonly of: CopiedObject;
  /** Null without unpublished changes. */
  readonly copy: Copy | null;
  readonly live: Value;
  readonly mayPublish: boolean;
}

export interface EditedValue<Value extends Editable> {
  /** What the editor shows; undefined until it is known. */
  readonly value: Value | undefined;
  /** Undefined if the editor saves live. */
  readonly copied: CopiedValue<Value> | undefined;
}

const nothing: CopiedObject = { kind: '', id: 0, path: '' };

/**
 * Decides what an editor edits: the working copy, or the live object if editors save live.
 *
 * @param preparation undefined for what cannot wait
 * @param live the object as visitors have it; undefined until it is loaded
 */
export function useCopy<Value extends Editable>(
  preparation: Preparation<Value> | undefined,
  id: number,
  live: Value | undefined,
): EditedValue<Value> {
  const canWait = preparation !== undefined;
  const of = canWait ? { kind: preparation.kind, id, path: preparation.path } : nothing;
  const me = useQuery({ ...meQuery, enabled: canWait });
  const right = useQuery({ ...mayPublishQuery(of.kind, id), enabled: canWait });
  // Whoever cannot be asked decides with the save.
  const mayPublish = right.data ?? right.isError;
  const isLive = me.data?.live_saves === true && mayPublish;
  const isDecided =
    (me.data !== undefined && me.data.live_saves !== true) ||
    me.isError ||
    right.data !== undefined ||
    right.isError;
  const isCopied = canWait && isDecided && !isLive;
  const { data: copy } = useQuery({ ...copyQuery(of), enabled: isCopied });
  useNewerLive(of, live);
  // biome-ignore lint/correctness/useExhaustiveDependencies: the preparation of an object says the same each time
  const value = useMemo(
    () => (copy === undefined || copy === null ? live : toValue(preparation, copy.object)),
    [copy, live],
  );
  if (!canWait || isLive) return { value: live, copied: undefined };
  if (!isCopied || copy === undefined || live === undefined) return { value: undefined, copied: undefined };
  return { value, copied: { of, copy, live, mayPublish } };
}

/** A copy shows what is changed live, too. */
function useNewerLive(of: CopiedObject, live: Editable | undefined): void {
  const known = useRef(live);
  useEffect(() => {
    const before = known.current;
    known.current = live;
    if (before === undefined || before.id !== live?.id || before.updated_at === live.updated_at) return;
    void queryClient.invalidateQueries({ queryKey: copyQuery(of).queryKey });
  });
}

/** Type boundary: the API answers with the object of the editor, unless the preparation says otherwise. */
function toValue<Value extends Editable>(preparation: Preparation<Value> | undefined, object: object): Value {
  return preparation?.toValue?.(object) ?? (object as Value);
}

const autosaves = new WeakMap<object, unknown>();

/** The autosave of an editor; one for each store. */
export function openAutosave<Value extends Editable>(
  store: EditorStore<Value>,
  of: CopiedObject,
  preparation: Preparation<Value>,
): Autosave<Value> {
  const known = autosaves.get(store) as Autosave<Value> | undefined;
  if (known !== undefined) return known;
  const autosave = new Autosave(store, {
    canWait: (field) => preparation.liveFields?.includes(field) !== true,
    async save(fields: Fields, seen, isStrict) {
      const body = preparation.toBody?.(seen, fields) ?? fields;
      const { updated_at } = seen;
      const sent = { ...body, seen: updated_at, base_updated_at: updated_at };
      return toValue(preparation, (await saveCopy(of, sent, isStrict)).object);
    },
    async load() {
      const copy = await queryClient.fetchQuery({ ...copyQuery(of), staleTime: 0 });
      return toValue(preparation, copy?.object ?? (await send<object>('get', of.path)));
    },
  });
  autosaves.set(store, autosave);
  return autosave;
}
