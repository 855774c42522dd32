/** The budgets of a render, and the errors of renders that exceed them. */
import { TemplateFault } from './faults.ts';

/** The budgets of a render. It stops with an error when it exceeds one of them. */
export const renderLimits = {
  /** Rounds of all loops together. */
  rounds: 1_000_000,
  /** Include, component and macro nesting; a page is level 1. */
  depth: 50,
  /** UTF-16 units of output. */
  outputLength: 20 * 1024 * 1024,
  timeMs: 10_000,
  /** Templates linked during the render. Each counts once per set of variables that it is included with. */
  linked: 5_000,
} as const;

/** Functions that call each other for one level of nesting, at most: code of two templates, and the linker. */
const framesPerLevel = 20;

/** Keeps the whole stack trace, because the engine reads from it which templates call each other. */
export function tooDeep(): TemplateFault {
  const usual = Error.stackTraceLimit;
  Error.stackTraceLimit = Math.max(usual, framesPerLevel * renderLimits.depth);
  const fault = new NestingFault(`more than ${renderLimits.depth} levels of include, component and macro`);
  Error.stackTraceLimit = usual;
  return fault;
}

/** Too many levels of nesting. The engine adds the chain of templates to the message. */
export class NestingFault extends TemplateFault {}

export function checkOutput(length: number): void {
  if (length > renderLimits.outputLength)
    throw new TemplateFault(`more than ${renderLimits.outputLength / 2 ** 20} MB of output`);
}
