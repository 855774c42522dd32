import type { Random } from '../delivery/random.ts';

/** Some are names of snippets, because templates include what a title names. */
export const titles = ['s1', 's2', 's3', 's4', 's4', 'none'];
export const slugs = ['a', 'b', 'c', 'd', 'x'];

/** The form of a mistake that no page survives. */
const mistake = '{{ 1|nofilter }}';

/** Random templates, some of which fail in some pages only. */
export class RandomTemplates {
  readonly snippetNames = ['s1', 's2', 's3', 's4', 'l1', 't1', 't2'];
  readonly #random: Random;
  readonly #fragments: readonly string[];

  constructor(random: Random, source: string) {
    this.#random = random;
    this.#fragments = [
      ...this.snippetNames.slice(0, 4).map((name) => `{% include "${name}" %}`),
      '{% include ["none", "s4"] %}',
      '{{ page.title }}',
      '{{ page.parent.title }}{% if page.parent %}{% include page.parent.title %}{% endif %}',
      '{% include page.title %}',
      '{% include site.title %}',
      '{% for e in data("parts") %}{% include e.part %}{% endfor %}',
      '{% for e in data("parts", "slug", "x") %}{% include e.part %}{% endfor %}',
      '{% with e=item("parts", "slug", route.slug) %}{% if e %}{% include e.part %}{% endif %}{% endwith %}',
      '{% set e = item("parts", "slug", route.slug) %}{% if not e %}{{ not_found() }}{% endif %}{% include e.part %}',
      '{% for n in nav() %}{% if n.title == "none" %}{% include n.title %}{% endif %}{% endfor %}',
      '{% blocks page.blocks %}',
      '{% blocks page.blocks %}',
      '{{ now|date:"H:i" }}{% include "s3" %}',
      `{% include "s2" %}{% for e in data("${source}") %}{{ e }}{% endfor %}{% include "s1" %}`,
      '{% if page.title == "none" %}{% include "none" %}{% endif %}',
    ];
  }

  page(): string {
    if (this.#random.below(14) === 0) return mistake;
    const text = `${this.fragment()} ${this.fragment()}`;
    return this.#random.below(3) > 0 ? text : `{% extends "l1" %}{% block a %}${text}{% endblock %}`;
  }

  fragment(): string {
    return this.#random.one(this.#fragments) ?? '';
  }

  /** Snippets include only those after them, so that there are no circles. */
  snippet(name: string): string {
    if (this.#random.below(5) === 0) return `line\n  ${mistake}`;
    const version = this.#random.below(100);
    switch (name) {
      case 'l1':
        return `v${version}[{% block a %}{% endblock %}]`;
      case 's1':
        return `v${version}{% include "s3" %}`;
      case 's2':
        return `v${version}{% if page.title != "s4" %}{% include "s4" %}{% endif %}`;
      case 't1':
        return `v${version}{% include x %}{% slot %}-{% endslot %}`;
      default:
        return `v${version}{{ page.title }}`;
    }
  }

  /** The fields that make it a block type, if it is one. */
  schema(name: string): object {
    if (!name.startsWith('t')) return {};
    return { schema: { block: true, params: [{ name: 'x', type: 'text' }], slots: [{ name: 'default' }] } };
  }

  /** @param globals IDs of global blocks that it may show */
  tree(globals: readonly number[], levels = 2): object[] {
    const count = levels === 0 ? 0 : this.#random.below(3);
    return Array.from({ length: count }, () => this.#block(globals, levels));
  }

  #block(globals: readonly number[], levels: number): object {
    const global = this.#random.below(3) === 0 ? this.#random.one(globals) : undefined;
    if (global !== undefined) return { global };
    return {
      type: this.#random.one(['t1', 't2']),
      params: { x: this.#random.one(['s3', 's4', 'none']) },
      slots: { default: this.tree(globals, levels - 1) },
    };
  }
}
