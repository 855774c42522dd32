import { Checkbox, NativeSelect, Select, TextInput } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { t } from '../../base/i18n/index.ts';
import { collections } from '../../content/collections.ts';
import { entryCollectionQuery } from '../../content/entries.ts';
import { usePageTree } from '../../content/pages.ts';
import { FileField } from '../files/file-field.tsx';
import classes from './parts.module.css';
import { changeLinkTarget, changeParts, findLinkKind, joinFaults, linkKinds, readParts } from './parts.ts';
import { PartsBox } from './parts-box.tsx';
import { ReferenceInput } from './reference-input.tsx';
import type { ValueInputProps } from './value-input.ts';

/** Most pages on offer; more are found by typing. */
const maxOffers = 50;

/** Where a link leads, its text, and whether it opens a new tab. */
export function LinkInput({ field, value, error, faults = {}, help, onChange }: ValueInputProps) {
  const parts = readParts(value);
  const kindOfValue = findLinkKind(value);
  // What kind is looked for before a target is chosen. The value knows it afterwards.
  const [wanted, setWanted] = useState(kindOfValue);
  const kind = kindOfValue ?? wanted;
  const set = (target: unknown) => onChange(changeLinkTarget(value, kind, target));
  return (
    <PartsBox field={field} help={help} error={joinFaults({ error, inner: faults })}>
      <div className={classes['pair']}>
        <NativeSelect
          label={t('values.linkTo')}
          data={[
            { value: '', label: t('values.linkKinds.none') },
            ...linkKinds.map((name) => ({ value: name, label: t(`values.linkKinds.${name}`) })),
          ]}
          value={kind ?? ''}
          onChange={(event) => {
            const chosen = linkKinds.find((name) => name === event.currentTarget.value);
            setWanted(chosen);
            // A text without a target is no link.
            onChange(chosen === undefined ? null : changeLinkTarget(value, undefined, null));
          }}
        />
        {kind === 'page' && <PageTarget id={readId(parts['page'])} onChange={set} />}
        {kind === 'entry' && <EntryTarget id={readId(parts['entry'])} onChange={set} />}
        {kind === 'file' && (
          <FileField
            label={t('values.linkKinds.file')}
            value={readId(parts['file']) ?? null}
            onChange={set}
          />
        )}
        {kind === 'url' && (
          <TextInput
            label={t('values.linkKinds.url')}
            placeholder="https://"
            value={String(parts['url'] ?? '')}
            onChange={(event) => set(event.currentTarget.value)}
          />
        )}
      </div>
      {kind !== undefined && (
        <>
          <TextInput
            label={t('values.linkText')}
            value={String(parts['text'] ?? '')}
            onChange={(event) => onChange(changeParts(value, { text: event.currentTarget.value }))}
          />
          <Checkbox
            label={t('values.newTab')}
            checked={parts['new_tab'] === true}
            onChange={(event) =>
              onChange(changeParts(value, { new_tab: event.currentTarget.checked || null }))
            }
          />
        </>
      )}
    </PartsBox>
  );
}

function readId(part: unknown): number | undefined {
  return Number(part) || undefined;
}

interface TargetProps {
  readonly id: number | undefined;
  onChange(id: number | null): void;
}

function PageTarget({ id, onChange }: TargetProps) {
  const { data: pages = [] } = usePageTree();
  const data = pages.map((page) => ({ value: String(page.id), label: `${page.title} (${page.path})` }));
  const isKnown = id === undefined || pages.some((page) => page.id === id);
  return (
    <Select
      label={t('values.linkKinds.page')}
      placeholder={t('values.choosePage')}
      data={isKnown ? data : [{ value: String(id), label: `#${id}` }, ...data]}
      limit={maxOffers}
      searchable
      nothingFoundMessage={t('entries.noHit')}
      value={id === undefined ? null : String(id)}
      onChange={(next) => onChange(next === null ? null : Number(next))}
    />
  );
}

/** An entry by its collection; that of a stored entry is looked up, because the link knows the entry alone. */
function EntryTarget({ id, onChange }: TargetProps) {
  const { data: all = [] } = collections.useList();
  const { data: found } = useQuery({ ...entryCollectionQuery(id ?? 0), enabled: id !== undefined });
  const [chosen, setChosen] = useState<number>();
  const collection = chosen ?? found ?? null;
  return (
    <>
      <NativeSelect
        label={t('values.collection')}
        data={[
          { value: '', label: t('schema.chooseCollection') },
          ...all.map(({ id: own, name }) => ({ value: String(own), label: name })),
        ]}
        value={String(collection ?? '')}
        onChange={(event) => {
          setChosen(Number(event.currentTarget.value) || undefined);
          onChange(null);
        }}
      />
      {collection !== null && (
        <ReferenceInput
          key={collection}
          field={{
            name: 'entry',
            label: t('values.linkKinds.entry'),
            type: 'reference',
            required: false,
            options: [],
            collection,
          }}
          value={id ?? null}
          onChange={(next) => onChange(Number(next) || null)}
        />
      )}
    </>
  );
}
