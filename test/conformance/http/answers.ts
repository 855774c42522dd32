/** Answers that cases of HTTP permit. */
import type { AnswerPattern } from '../../support/http-answers.ts';

export const healthy: AnswerPattern = { status: [200], has: /"status":"ok"/ };
export const echoed: AnswerPattern = { status: [200], has: /<p>hello<\/p>/ };
/** What cannot be read, or could be read differently. */
export const malformed: AnswerPattern = { status: [400] };
export const notAllowed: AnswerPattern = { status: [405], has: /\r\nallow: /i };
/** A page that every front has at hand when the cases run. */
export const atHand: AnswerPattern = { status: [200], has: /<p>At hand/ };
