import Type from 'typebox';
import { fieldLimits } from '../../content/common-fields.ts';

export const MarkdownText = Type.Object(
  {
    text: Type.String({
      maxLength: fieldLimits.template,
      description: 'CommonMark with the extensions of GitHub.',
    }),
  },
  { title: 'MarkdownText', description: 'A text to convert.', examples: [{ text: '*Open* daily' }] },
);

export const MarkdownHtml = Type.Object(
  {
    html: Type.String({
      description: 'As the filter `markdown` makes it; HTML in the text is passed through.',
    }),
  },
  { title: 'MarkdownHtml', description: 'A text as HTML.' },
);
