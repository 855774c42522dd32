/** References in a folder that mean nothing. */
import type { FolderContent, FolderObject } from '../content.ts';
import type { SourceFiles } from '../source-files.ts';
import { isFields } from '../text-file.ts';
import { createLookup, findMeaning } from './names.ts';
import { replaceReferences } from './places.ts';
import type { ReferencePlace } from './reference-place.ts';

export function checkReferences(content: FolderContent, report: SourceFiles['report']): void {
  const lookup = createLookup(content);
  const has = (key: string) => content.objects.has(key);
  for (const object of content.objects.values()) {
    replaceReferences(object.kind, object.fields, lookup, (value, place) => {
      if (findMeaning(value, place, has) === undefined && !isNothing(value, place))
        report({ ...locate(object, place), ...describe(value, place) });
      return value;
    });
    checkTranslations(object, has, report);
  }
}

/** No file is 0 or null, also in what somebody has written by hand. */
function isNothing(value: unknown, { offset }: ReferencePlace): boolean {
  return offset === undefined && (value === null || value === 0 || value === '');
}

function describe(value: unknown, { kind, offset, field }: ReferencePlace) {
  const noun = kind === 'item' ? 'entry' : kind.replace('_', ' ');
  if (typeof value === 'number')
    return {
      level: 'warning' as const,
      code: 'folder.idReference',
      message: `${value} is an ID, which is another ${noun} on another server. Write its name here.`,
    };
  const place = offset === undefined ? ` ("${field}")` : '';
  return {
    code: 'folder.referenceMissing',
    message: `There is no ${noun} ${JSON.stringify(value)}${place}. Add it, or correct the name.`,
  };
}

function locate({ files, places, fields }: FolderObject, { field, offset }: ReferencePlace) {
  const place = places[field];
  const text = fields[field];
  if (place === undefined || offset === undefined || typeof text !== 'string')
    return place ?? { file: files[0] ?? '' };
  const before = text.slice(0, offset).split('\n');
  const column = (before.at(-1)?.length ?? 0) + (before.length === 1 ? place.column : 1);
  return { file: place.file, line: place.line + before.length - 1, column };
}

function checkTranslations(
  { kind, fields, files }: FolderObject,
  has: (key: string) => boolean,
  report: SourceFiles['report'],
): void {
  const { translations } = fields;
  if ((kind !== 'page' && kind !== 'item') || !isFields(translations)) return;
  for (const value of Object.values(translations)) {
    const place = { kind, field: 'translations', collection: fields['collection'] ?? null } as const;
    if (findMeaning(value, place, has) === undefined)
      report({ file: files[0] ?? '', ...describe(value, place) });
  }
}
