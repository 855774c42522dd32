import { findVariableReads } from '../../compiler/index.ts';
import { TemplateError } from '../engine.ts';
import type { ReadPosition, VariableReadsTask } from './messages/checks.ts';

/** Where a template reads a variable; nowhere if it does not parse. */
export async function variableReadsTask({
  source,
  name,
  variable,
}: VariableReadsTask): Promise<readonly ReadPosition[]> {
  try {
    return findVariableReads(source, name, variable);
  } catch (error) {
    if (error instanceof TemplateError) return [];
    throw error;
  }
}
