import { useQuery } from '@tanstack/react-query';
import { type CollectionField, useCollection } from '../../../content/collections.ts';
import { entryQuery } from '../../../content/entries.ts';
import { entryTitle } from '../../../content/entry-title.ts';
import { fileQuery } from '../../../content/files.ts';
import { Thumbnail } from '../../../editors/files/thumbnail.tsx';
import { cellText } from './cell-text.ts';
import classes from './cell-value.module.css';

export interface CellValueProps {
  readonly field: CollectionField;
  readonly value: unknown;
  /** Shown in place of an empty value. */
  readonly otherwise?: string;
}

/** A value in a table: images as pictures, linked entries by their titles. */
export function CellValue({ field, value, otherwise = '' }: CellValueProps) {
  if (value === null || value === undefined || value === '') return otherwise;
  if (field.type === 'image') return <ImageCell id={Number(value)} />;
  if (field.type === 'reference') return <ReferenceCell collection={field.collection} id={Number(value)} />;
  return cellText(field, value);
}

function ImageCell({ id }: { readonly id: number }) {
  const { data: file } = useQuery({ ...fileQuery(id), retry: false, staleTime: 60_000 });
  if (file === undefined) return `#${id}`;
  return (
    <span className={classes['image']}>
      <Thumbnail file={file} />
      <span className="visually-hidden">{file.alt || file.name}</span>
    </span>
  );
}

function ReferenceCell({ collection, id }: { readonly collection: number | null; readonly id: number }) {
  const target = useCollection(String(collection));
  const { data: entry } = useQuery({
    ...entryQuery(collection ?? 0, id),
    enabled: collection !== null,
    retry: false,
    staleTime: 60_000,
  });
  if (entry === undefined || target === undefined || target === null) return `#${id}`;
  return entryTitle(target, entry);
}
