/** Templates as components whose parameters a block type names, with their code kept for each list of parameters. */
import { type Variant, variantKey } from '../emit/variant.ts';
import type { Library } from './library.ts';
import type { ComponentCode, LinkedUnit, LoadedTemplate } from './model.ts';

interface KeptComponent {
  readonly code: ComponentCode | undefined;
  /** Generation of the library that the code was linked in. */
  readonly generation: number;
}

/** The variables of a block besides its parameters, as {@link ComponentCode} numbers them. */
const ownVariables = [
  ['block', -1],
  ['slots', -2],
] as const;

type Link = (loaded: LoadedTemplate, variant: Variant) => LinkedUnit;

export class Components {
  readonly #library: Library;
  readonly #link: Link;
  /** Code by parameters, then by variant. */
  readonly #kept = new WeakMap<object, Map<string, KeptComponent>>();

  constructor(library: Library, link: Link) {
    this.#library = library;
    this.#link = link;
  }

  /**
   * The code of a named template as a component with certain parameters; undefined if there is no such template.
   *
   * @param key stands for the parameters: code is kept for it until a template changes
   * @throws TemplateError
   */
  codeOf(
    name: string,
    key: { readonly params: readonly string[] },
    variant: Variant,
  ): ComponentCode | undefined {
    const known = this.#kept.get(key) ?? new Map<string, KeptComponent>();
    this.#kept.set(key, known);
    const mode = variantKey(variant, []);
    const kept = known.get(mode);
    if (kept?.generation === this.#library.generation) return kept.code;
    const code = this.#linkedCode(name, key.params, variant);
    known.set(mode, { code, generation: this.#library.generation });
    return code;
  }

  #linkedCode(name: string, params: readonly string[], variant: Variant): ComponentCode | undefined {
    const loaded = this.#library.named(name);
    if (loaded === undefined) return undefined;
    const { surroundings } = this.#library;
    const showsText = surroundings.showsText(name);
    const reads = surroundings.reads(name) ?? 'all';
    if (reads === 'all')
      return { linked: this.#link(loaded, { ...variant, names: [] }), takes: 'context', showsText };
    const places = new Map([...params.map((param, index) => [param, index] as const), ...ownVariables]);
    const names = [...reads].filter((read) => places.has(read)).sort();
    const linked = this.#link(loaded, { ...variant, names });
    return { linked, takes: names.map((read) => places.get(read) ?? -1), showsText };
  }
}
