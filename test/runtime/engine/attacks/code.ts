// biome-ignore-all lint/suspicious/noTemplateCurlyInString: texts like placeholders are the attack.
/** Attacks with texts, literals and names that could end a string or a comment in generated code. */
import type { Attacks } from './attack.ts';

const payload = '`${process.exit()}` \u2028\u2029 */ ");process.exit();//';

export const codeAttacks: Attacks = {
  'text is printed as it is': { template: `${payload}\\`, outcome: `${payload}\\` },
  'text with control characters is printed as it is': {
    template: '\u0001\u0002 \u00015\u0002 \u0000 {{ "\u00010\u0002" }}',
    outcome: '\u0001\u0002 \u00015\u0002 \u0000 \u00010\u0002',
  },
  'halves of surrogate pairs stay halves': { template: '\ud800 {{ "\udc00" }}', outcome: '\ud800 \udc00' },
  'literals are printed as they are': {
    template: `{{ '${payload}' }}{{ "\\");process.exit();//" }}`,
    outcome: `${payload}");process.exit();//`,
  },
  'names of blocks stay names': {
    template: '{% extends "base" %}{% block ");process.exit();//${`*/ %}page{% endblock %}',
    templates: { base: '[{% block ");process.exit();//${`*/ %}base{% endblock %}]' },
    outcome: '[page]',
  },
  'names of blocks with control characters stay names': {
    template: '{% block \u00013\u0002 %}b{% endblock %}',
    outcome: 'b',
  },
  'names of slots stay names': {
    template: `{% component "box" %}{% fill '${payload}' %}x{% endfill %}{% endcomponent %}`,
    templates: { box: `{% slot '${payload}' %}none{% endslot %}` },
    outcome: 'x',
  },
  'names of snippets stay names': {
    template: `{% include '${payload}' %}{% component '${payload}' / %}`,
    templates: { [payload]: 'found ' },
    outcome: 'found found ',
  },
  'names of unknown snippets stay names': {
    template: `{% include '");process.exit();//' %}`,
    outcome: 'error: page:1:1: there is no snippet "");process.exit();//"',
  },
  'keys stay keys': {
    template: `{{ {'"]);process.exit();//': 1}['"]);process.exit();//'] }}{{ map['${payload}'] }}`,
    context: { map: { [payload]: 2 } },
    outcome: '12',
  },
  'keywords of JavaScript are ordinary names': {
    template:
      '{% with var=1 function=2 await=3 return=4 %}{{ var }}{{ function }}{{ await }}{{ return }}{% endwith %}{% macro class(new) %}{{ new }}{% endmacro %}{{ class(5) }}{% set yield = 6 %}{{ yield }}',
    outcome: '123456',
  },
  'names in other scripts stay different': {
    template: '{% with ä=1 ö=2 %}{{ ä }}{{ ö }}{% endwith %}',
    outcome: '12',
  },
  'comments leave nothing in the output': {
    template: '{# */ process.exit() #}{% comment */ %} */ {{ " {% endcomment %}ok',
    outcome: 'ok',
  },
  'a line comment of JavaScript in a verbatim': {
    template: '{% verbatim %}\n// {{ x }} \u2028 process.exit(){% endverbatim %}',
    outcome: '\n// {{ x }} \u2028 process.exit()',
  },
};
