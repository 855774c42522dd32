/**
 * The items of the flat list that the grammar returns. Text, outputs and tags without a body are nodes
 * already. nest/ pairs the tags that open, divide and close a body, and makes nodes of them.
 */
import type { Binding, Expression, MacroParam, Node, Span, TemplateRef } from './ast.ts';

export type Item =
  | LeafNode
  | (Span & { readonly kind: 'comment' })
  | (Span & { readonly kind: 'unknown'; readonly tag: string })
  | Tag;

/** A node without a body. */
export type LeafNode = Extract<
  Node,
  {
    readonly type:
      | 'Text'
      | 'Output'
      | 'Set'
      | 'Include'
      | 'Extends'
      | 'Import'
      | 'FirstOf'
      | 'Cycle'
      | 'CycleNext'
      | 'ResetCycle'
      | 'Now'
      | 'Regroup'
      | 'WidthRatio'
      | 'Lorem'
      | 'QueryString'
      | 'Blocks';
  }
>;

export type Tag = Span & { readonly kind: 'tag' } & TagContent;

export type TagContent =
  | { readonly tag: 'if'; readonly test: Expression }
  | { readonly tag: 'elif'; readonly test: Expression }
  | { readonly tag: 'else' }
  | { readonly tag: 'empty' }
  | { readonly tag: 'spaceless' }
  | {
      readonly tag: 'for';
      readonly targets: readonly string[];
      readonly iterable: Expression;
      readonly reversed: boolean;
    }
  | { readonly tag: 'with'; readonly bindings: readonly Binding[] }
  | { readonly tag: 'block'; readonly name: string }
  | { readonly tag: 'fill'; readonly name: string }
  | { readonly tag: 'slot'; readonly name: string }
  | {
      readonly tag: 'component';
      readonly template: TemplateRef;
      readonly bindings: readonly Binding[];
      readonly selfClosing: boolean;
    }
  | { readonly tag: 'macro'; readonly name: string; readonly params: readonly MacroParam[] }
  | { readonly tag: 'autoescape'; readonly on: boolean }
  | { readonly tag: 'filter'; readonly value: Expression }
  | { readonly tag: 'ifchanged'; readonly values: readonly Expression[] }
  | { readonly tag: 'cache'; readonly timeout: Expression }
  | { readonly tag: 'region'; readonly name: string; readonly bindings: readonly Binding[] }
  | { readonly tag: 'partialdef'; readonly name: string; readonly inline: boolean }
  | { readonly tag: 'partial'; readonly name: string }
  | { readonly [End in EndTag]: { readonly tag: End; readonly name?: string } }[EndTag];

/** Paired tags, with the tags that may divide their body and with their end tag. */
export const pairedTags = {
  if: { between: ['elif', 'else'], end: 'endif' },
  for: { between: ['empty'], end: 'endfor' },
  with: { between: [], end: 'endwith' },
  block: { between: [], end: 'endblock' },
  component: { between: ['fill'], end: 'endcomponent' },
  fill: { between: [], end: 'endfill' },
  slot: { between: [], end: 'endslot' },
  macro: { between: [], end: 'endmacro' },
  autoescape: { between: [], end: 'endautoescape' },
  filter: { between: [], end: 'endfilter' },
  spaceless: { between: [], end: 'endspaceless' },
  ifchanged: { between: ['else'], end: 'endifchanged' },
  cache: { between: [], end: 'endcache' },
  region: { between: [], end: 'endregion' },
  partialdef: { between: [], end: 'endpartialdef' },
} as const;

export type PairedTag = keyof typeof pairedTags;
export type EndTag = (typeof pairedTags)[PairedTag]['end'];

const singleTags = [
  'elif',
  'else',
  'empty',
  'set',
  'include',
  'extends',
  'import',
  'firstof',
  'cycle',
  'resetcycle',
  'now',
  'regroup',
  'widthratio',
  'lorem',
  'templatetag',
  'querystring',
  'partial',
  'blocks',
  'load',
  'csrf_token',
  'debug',
];

/** Every tag the grammar has a rule for; anything else is reported as unknown. */
export const knownTags: ReadonlySet<string> = new Set([
  ...Object.keys(pairedTags),
  ...Object.values(pairedTags).map(({ end }) => end),
  ...singleTags,
  'verbatim',
  'endverbatim',
  'comment',
  'endcomment',
]);
