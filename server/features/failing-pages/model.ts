import Type, { type Static, type TSchema } from 'typebox';
import { BreakingChange } from '../feed/model.ts';

function orNull<Schema extends TSchema>(schema: Schema, description: string) {
  return Type.Union([schema, Type.Null()], { description });
}

export const FailingPage = Type.Object(
  {
    path: Type.String({ description: 'Path on the website.' }),
    page_id: Type.Integer({ description: 'ID of the page.' }),
    error: Type.String({ description: 'Why it cannot be rendered.' }),
    template: orNull(
      Type.String(),
      'Template of the error: path of the page or name of a snippet; null where it is not known.',
    ),
    line: orNull(Type.Integer(), 'Line in the template, from 1; null where it is not known.'),
    column: orNull(Type.Integer(), 'Column in the line, from 1; null where it is not known.'),
    since: Type.Integer({ description: 'When that was found, in Unix seconds.' }),
    change: orNull(
      BreakingChange,
      'The change that broke the page; null if the page failed before anybody looked.',
    ),
    found_by: Type.Enum(['visit', 'check'], {
      description: 'Whether a visitor met it, or the check after a change.',
    }),
  },
  { title: 'FailingPage', description: 'A page that visitors cannot see, because it cannot be rendered.' },
);
export type FailingPage = Static<typeof FailingPage>;
