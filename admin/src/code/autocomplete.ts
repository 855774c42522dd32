import {
  autocompletion,
  type CompletionContext,
  type CompletionResult,
  completionKeymap,
} from '@codemirror/autocomplete';
import type { Extension } from '@codemirror/state';
import { keymap } from '@codemirror/view';
import { completionAfter, type TemplateFacts } from './completion.ts';

/** Longest part of a template that is looked at, in characters: a tag is shorter. */
const maxBefore = 2000;

/** Offers names of templates while they are typed. Without facts, for example offline, nothing is offered. */
export function templateCompletion(facts: () => Promise<TemplateFacts>): Extension {
  const complete = async (context: CompletionContext): Promise<CompletionResult | null> => {
    const before = context.state.sliceDoc(Math.max(0, context.pos - maxBefore), context.pos);
    const found = completionAfter(before, await facts());
    if (found === undefined) return null;
    return {
      from: context.pos - found.length,
      options: found.offers.map(({ label, detail }) => ({ label, detail })),
      validFor: /^[\w/.-]*$/,
    };
  };
  return [
    autocompletion({
      override: [(context) => complete(context).catch(() => null)],
      icons: false,
    }),
    keymap.of(completionKeymap),
  ];
}
