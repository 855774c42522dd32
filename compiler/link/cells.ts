/** Cells: the places through which a unit calls another template. A cell is filled when it is called the first time. */
import type { Reference, Variant } from '../emit/variant.ts';
import type { Cell, CompiledFunction, LinkedUnit, LoadedTemplate } from './model.ts';
import { plainVariant } from './variants.ts';

/** What a cell needs of the linker. */
export interface CellLinks {
  /** Called with the state of the render that calls a cell which is not filled yet. */
  onLink(state: unknown): void;
  named(name: string): LoadedTemplate | undefined;
  /** @throws TemplateError */
  link(loaded: LoadedTemplate, variant: Variant): LinkedUnit;
}

/** A cell that links its template or macro when it is called the first time. */
export function createCell(links: CellLinks, reference: Reference): Cell {
  const cell: Cell = {
    table: undefined,
    run: (...args) => {
      links.onLink(args[0]);
      if (reference.kind === 'macro') {
        cell.run = linkMacro(links, reference);
        return cell.run(...args);
      }
      const linked = links.link(required(links, reference.template), reference.variant);
      cell.run = linked.run;
      cell.table = linked.table;
      const [state, context, table, ...values] = args;
      return linked.run(state, context, table ?? linked.table, ...values);
    },
  };
  return cell;
}

function linkMacro(links: CellLinks, reference: Reference & { kind: 'macro' }): CompiledFunction {
  const linked = links.link(required(links, reference.template), plainVariant(reference.async));
  const macro = linked.macros?.get(reference.macro);
  if (macro === undefined) throw new Error(`"${reference.template}" has no macro "${reference.macro}"`);
  return macro;
}

function required(links: CellLinks, name: string): LoadedTemplate {
  const loaded = links.named(name);
  if (loaded === undefined) throw new MissingTemplate(name);
  return loaded;
}

/** Thrown while rendering if no template has the literal name. */
export class MissingTemplate extends Error {
  constructor(name: string) {
    super(`there is no snippet "${name}"`);
  }
}
