import type { PublicResponse } from './public-exchange.ts';

/** Headers of answers in plain text. */
export const textHeaders: PublicResponse['headers'] = [
  ['Content-Type', 'text/plain; charset=utf-8'],
  ['Cache-Control', 'no-cache'],
];

/** The answer for a reserved address at which there is nothing. */
export const nothingThere: PublicResponse = {
  status: '404 Not Found',
  headers: textHeaders,
  body: 'Not found\n',
};
