import { type Filter, markupFilter, textFilter, unsafeTextFilter } from '../filter.ts';
import { toText } from '../text.ts';
import { quote, URL_RESERVED } from './shared/quote.ts';
import { urlize } from './shared/urlize.ts';
import { integerArgument } from './shared/values.ts';

/** Filters for addresses. */
export const urlFilters: readonly Filter[] = [
  textFilter('iriencode', [0, 0], (text) => quote(text, URL_RESERVED)),
  unsafeTextFilter('urlencode', [0, 1], (text, safe) => quote(text, safe === undefined ? '/' : toText(safe))),
  markupFilter('urlize', [0, 0], (text, mustEscape) => urlize(text, { mustEscape, limit: Infinity })),
  markupFilter('urlizetrunc', [1, 1], (text, mustEscape, limit) =>
    urlize(text, { mustEscape, limit: integerArgument('urlizetrunc', limit) }),
  ),
];
