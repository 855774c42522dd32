/** What the grammar returns: a flat list. nest/ pairs what opens with what closes. */
import type { Binding, Expression, Import, Lorem, MacroParam, Span, TemplateRef } from './ast.ts';

export type Item =
  | (Span & { readonly kind: 'text'; readonly value: string })
  | (Span & { readonly kind: 'comment' })
  | (Span & { readonly kind: 'output'; readonly value: Expression })
  | (Span & { readonly kind: 'unknown'; readonly tag: string })
  | Tag;

export type Tag = Span & { readonly kind: 'tag' } & TagContent;

export type TagContent =
  | { readonly tag: 'if'; readonly test: Expression }
  | { readonly tag: 'elif'; readonly test: Expression }
  | { readonly tag: 'else' }
  | { readonly tag: 'empty' }
  | { readonly tag: 'nothing' }
  | { readonly tag: 'spaceless' }
  | {
      readonly tag: 'for';
      readonly targets: readonly string[];
      readonly iterable: Expression;
      readonly reversed: boolean;
    }
  | { readonly tag: 'with'; readonly bindings: readonly Binding[] }
  | { readonly tag: 'set'; readonly name: string; readonly value: Expression }
  | {
      readonly tag: 'include';
      readonly template: TemplateRef;
      readonly bindings: readonly Binding[];
      readonly only: boolean;
    }
  | { readonly tag: 'extends'; readonly template: TemplateRef }
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
  | { readonly tag: 'import'; readonly template: TemplateRef; readonly names: Import['names'] }
  | { readonly tag: 'autoescape'; readonly on: boolean }
  | { readonly tag: 'filter'; readonly value: Expression }
  | { readonly tag: 'firstof'; readonly values: readonly Expression[]; readonly as?: string }
  | {
      readonly tag: 'cycle';
      readonly values: readonly Expression[];
      readonly as?: string;
      readonly silent: boolean;
    }
  | { readonly tag: 'now'; readonly format: Expression; readonly as?: string }
  | { readonly tag: 'ifchanged'; readonly values: readonly Expression[] }
  | {
      readonly tag: 'regroup';
      readonly list: Expression;
      readonly entry: string;
      readonly key: Expression;
      readonly as: string;
    }
  | { readonly tag: 'resetcycle'; readonly name?: string }
  | {
      readonly tag: 'widthratio';
      readonly value: Expression;
      readonly max: Expression;
      readonly width: Expression;
      readonly as?: string;
    }
  | {
      readonly tag: 'lorem';
      readonly count: Expression;
      readonly method: Lorem['method'];
      readonly random: boolean;
    }
  | { readonly tag: 'templatetag'; readonly text: string }
  | {
      readonly tag: 'querystring';
      readonly bases: readonly Expression[];
      readonly bindings: readonly Binding[];
      readonly as?: string;
    }
  | { readonly tag: 'cache'; readonly timeout: Expression }
  | { readonly tag: 'blocks'; readonly tree: Expression }
  | { readonly tag: 'partialdef'; readonly name: string; readonly inline: boolean }
  | { readonly tag: 'partial'; readonly name: string }
  | { readonly [End in EndTag]: { readonly tag: End; readonly name?: string } }[EndTag];

/** Tags that open something, with what may come between and what closes them. */
export const blocks = {
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
  partialdef: { between: [], end: 'endpartialdef' },
} as const;

export type BlockTag = keyof typeof blocks;
export type EndTag = (typeof blocks)[BlockTag]['end'];

const singles = [
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
  ...Object.keys(blocks),
  ...Object.values(blocks).map((block) => block.end),
  ...singles,
  'verbatim',
  'endverbatim',
  'comment',
  'endcomment',
]);
