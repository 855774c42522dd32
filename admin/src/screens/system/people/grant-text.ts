/** Grants as sentences, such as "May read and edit pages below /news." */
import type { Grant } from '../../../api/generated/schema.ts';
import { currentLanguage, findText, t } from '../../../base/i18n/index.ts';

/** What limits of grants call the objects that they name by ID. */
export interface GrantNames {
  page(id: number): string;
  site(id: number): string;
  collection(ref: number | string): string;
  workflow(id: number): string;
}

export type Limits = NonNullable<Grant['on']>;
export type LimitName = keyof Limits;

export const limitNames = [
  'kinds',
  'sites',
  'pages',
  'collections',
  'languages',
  'workflows',
] as const satisfies readonly LimitName[];

/** Kinds of objects that limits of grants are for. Users, roles, tokens and settings have actions of their own. */
export const grantKinds = [
  'page',
  'item',
  'collection',
  'global_block',
  'file',
  'folder',
  'redirect',
  'snippet',
  'asset',
  'source',
  'pen',
  'workflow',
  'flow_node',
] as const;

/** Actions on objects that are said together. */
const plainActions = ['read', 'edit', 'publish', 'delete'] as const;

/** What a grant allows, a sentence for each way to use it; none if it allows nothing. */
export function describeGrant({ actions, on = {} }: Grant, names: GrantNames): readonly string[] {
  const has = (action: Grant['actions'][number]) => actions.includes(action);
  const plain = plainActions.filter(has).map((action) => t(`rights.verbs.${action}`));
  const isNothing = Object.values(on).some((entries) => entries?.length === 0);
  const where = describeLimits(on, names);
  const objects = describeKinds(on);
  return [
    ...(plain.length > 0 && !isNothing
      ? [t('rights.may', { actions: joinTexts(plain), objects: `${objects}${where}` })]
      : []),
    ...(has('code') && !isNothing ? [t('rights.mayCode', { objects: `${objects}${where}` })] : []),
    ...(has('run') && !isNothing ? [t('rights.mayRun', { where })] : []),
    // Settings and users have no object, so no limit concerns them.
    ...(has('settings') ? [t('rights.maySettings')] : []),
    ...(has('users') ? [t('rights.mayUsers')] : []),
  ];
}

function describeKinds({ kinds, pages, collections, workflows }: Limits): string {
  if (kinds !== undefined) return joinTexts(kinds.map((kind) => findText(`rights.kinds.${kind}`) ?? kind));
  if (pages !== undefined) return t('rights.kinds.page');
  if (collections !== undefined) return t('rights.kinds.item');
  if (workflows !== undefined) return t('rights.kinds.workflow');
  return t('rights.everything');
}

function describeLimits(limits: Limits, names: GrantNames): string {
  const { sites, pages, collections, languages, workflows } = limits;
  const parts = [
    pages && t('rights.below', { names: orTexts(pages.map(names.page)) }),
    collections && t('rights.ofCollections', { names: orTexts(collections.map(names.collection)) }),
    workflows && t('rights.ofWorkflows', { names: orTexts(workflows.map(names.workflow)) }),
    sites && t('rights.ofSites', { names: orTexts(sites.map(names.site)) }),
    languages && t('rights.inLanguages', { names: orTexts(languages) }),
  ];
  return parts.map((part) => (part === undefined ? '' : ` ${part}`)).join('');
}

function joinTexts(texts: readonly string[]): string {
  return new Intl.ListFormat(currentLanguage()).format(texts);
}

function orTexts(texts: readonly string[]): string {
  return new Intl.ListFormat(currentLanguage(), { type: 'disjunction' }).format(texts);
}
