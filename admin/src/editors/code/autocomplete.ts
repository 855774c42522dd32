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
  const complete = async (context: CompletionContext): Promise<CompletionResult> => {
    const before = context.state.sliceDoc(Math.max(0, context.pos - maxBefore), context.pos);
    const found = completionAfter(before, await facts());
    if (found === undefined) return nothing(context);
    return {
      from: context.pos - found.length,
      options: found.offers.map(({ label, detail }) => ({ label, detail })),
      validFor: /^[\w/.-]*$/,
    };
  };
  return [
    autocompletion({
      override: [(context) => complete(context).catch(() => nothing(context))],
      icons: false,
    }),
    keymap.of(completionKeymap),
  ];
}

/** No offers here. Unlike null it makes the editor ask again when something was typed before this answer came. */
function nothing({ pos }: CompletionContext): CompletionResult {
  return { from: pos, options: [] };
}
