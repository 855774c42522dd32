import Type from 'typebox';
import type { ErrorCode } from '../../base/errors.ts';
import type { ArrangingOp, KindOperation } from '../../content/kinds/kind.ts';
import { PageMove } from './model.ts';
import { movePage } from './move.ts';
import { TranslationLink } from './translations/model.ts';
import { linkErrors, linkTranslation, unlinkTranslation } from './translations/service.ts';

export const moveErrors: readonly ErrorCode[] = [
  'page.slugReserved',
  'page.slugTaken',
  'translation.noLang',
  'translation.langTaken',
];
/** What a batch does with pages besides the operations of every kind. Each body has passed its schema. */
export const pageOperations: Readonly<Record<Exclude<ArrangingOp, 'replace'>, KindOperation>> = {
  move: {
    body: PageMove,
    idFields: ['parent_id'],
    errors: moveErrors,
    // Type boundary: the body has passed `PageMove`.
    run: (change, id, body) => movePage(change, id, body as PageMove),
  },
  link: {
    body: TranslationLink,
    idFields: ['page_id'],
    errors: linkErrors,
    // Type boundary: the body has passed `TranslationLink`.
    run: (change, id, body) => linkTranslation(change, id, body as TranslationLink),
  },
  unlink: {
    body: Type.Object({}),
    idFields: [],
    errors: [],
    run: (change, id) => unlinkTranslation(change, id),
  },
};
