/**
 * Templates written once for languages that differ in little. What a language says in another way than its
 * neighbours is written for it alone and goes beside them.
 */
import type { Language, Sources } from './workload.ts';

interface Written {
  /** Django's language in the part that nunjucks, liquidjs and handlebars know under other names. */
  readonly django: Sources;
  /** JavaScript between `<%` and `%>`, as for eta; `include('name', data)` calls another template. */
  readonly javascript: Sources;
  readonly pug: Sources;
}

type Overrides = Partial<Record<Language, Sources>>;

/** Sources of all languages. `own` wins. */
export function allDialects(
  { django, javascript, pug }: Written,
  own: Overrides = {},
): Record<Language, Sources> {
  return {
    incipit: django,
    nunjucks: converted(django, toNunjucks),
    liquidjs: converted(django, toLiquid),
    handlebars: converted(django, toHandlebars),
    eta: converted(javascript, toEta),
    ejs: converted(javascript, toEjs),
    edge: converted(javascript, toEdge),
    pug,
    ...own,
  };
}

function converted(sources: Sources, convert: (source: string) => string): Sources {
  const made = Object.fromEntries(Object.entries(sources).map(([name, source]) => [name, convert(source)]));
  return { ...made, main: convert(sources.main) };
}

// --------------------------------------------------------------------------------- Django's relatives

const argument = /\|(\w+):("[^"]*"|[\w.]+)/g;

/** Lists are true here if they have entries; in nunjucks and liquidjs they always are. */
const listTest = /\{% if (\w+\.(?:tags|children|replies)) %\}/g;

/** `page - 1` */
const difference = /(\w+) - (\d+)/g;

function bindings(text: string): readonly (readonly [name: string, value: string])[] {
  return [...text.matchAll(/(\w+)=("[^"]*"|[\w.]+)/g)].map(([, name = '', value = '']) => [name, value]);
}

function toNunjucks(source: string): string {
  return source
    .replace(/\{% include "(\w+)" with ([^%]*?) %\}/g, (_, name: string, given: string) => {
      const sets = bindings(given).map(([to, from]) => (to === from ? '' : `{% set ${to} = ${from} %}`));
      return `${sets.join('')}{% include "${name}" %}`;
    })
    .replace(/\{% with (\w+)=(.*?) %\}/g, '{% set $1 = $2 %}')
    .replaceAll('{% endwith %}', '')
    .replace(listTest, '{% if $1.length > 0 %}')
    .replaceAll('{% empty %}', '{% else %}')
    .replaceAll('forloop.counter0', 'loop.index0')
    .replaceAll('forloop.counter', 'loop.index')
    .replaceAll('forloop.', 'loop.')
    .replace(argument, '|$1($2)');
}

function toLiquid(source: string): string {
  return source
    .replace(difference, '$1|minus:$2')
    .replace(/\{% include "(\w+)" with ([^%]*?) %\}/g, (_, name: string, given: string) => {
      const pairs = bindings(given).map(([to, from]) => `, ${to}: ${from}`);
      return `{% render '${name}'${pairs.join('')} %}`;
    })
    .replace(/\{% extends "(\w+)" %\}/g, "{% layout '$1' %}")
    .replace(/\{% with (\w+)=(.*?) %\}/g, '{% assign $1 = $2 %}')
    .replaceAll('{% endwith %}', '')
    .replaceAll('{% empty %}', '{% else %}')
    .replace(listTest, '{% if $1.size > 0 %}')
    .replaceAll('{% elif ', '{% elsif ')
    .replaceAll('forloop.counter0', 'forloop.index0')
    .replaceAll('forloop.counter', 'forloop.index')
    .replace(argument, ' | $1: $2')
    .replace(/\|(length)\b/g, '.size')
    .replace(/(\w) ?\|(\w+)/g, '$1 | $2')
    .replace(/\| (linebreaksbr|json)\b(?! \| raw)/g, '| $1 | raw')
    .replace(/\|? ?\|safe\b|\| safe\b/g, '| raw')
    .replaceAll('| raw | raw', '| raw');
}

/** Entries of a loop hide the variables around it, so these are reached by `../`. */
function toHandlebars(source: string): string {
  const loops: { readonly name: string; other: boolean }[] = [];
  const path = (name: string): string => {
    if (/^(?:["\d]|true$|false$)/.test(name)) return name;
    if (name === 'forloop.counter') return '(next @index)';
    if (name === 'forloop.counter0') return '@index';
    if (name.startsWith('forloop.')) return `@${name.slice('forloop.'.length)}`;
    const [first = ''] = name.split('.');
    return loops.some((loop) => loop.name === first) ? name : '../'.repeat(loops.length) + name;
  };
  const filtered = (text: string): string => {
    const [first = '', ...rest] = text.trim().split('|');
    return rest.reduce((input, filter) => {
      const [name = '', given] = filter.split(/:(.*)/s);
      if (name === 'safe') return input;
      return `(${name} ${input}${given === undefined ? '' : ` ${path(given)}`})`;
    }, path(first));
  };
  const comparison = (text: string): string => {
    const [, left, operator, right] = /^(.*?) (==|!=|>|<|>=) (.*)$/.exec(text) ?? [];
    if (left === undefined || right === undefined) return filtered(text);
    return `(${operatorNames.get(operator ?? '')} ${filtered(left)} ${filtered(right)})`;
  };
  const condition = (text: string): string => {
    const parts = text.split(' and ').map((part) => {
      const negated = part.startsWith('not ');
      const test = comparison(negated ? part.slice('not '.length) : part);
      return negated ? `(not ${test})` : test;
    });
    return parts.reduceRight((right, left) => `(and ${left} ${right})`);
  };
  const output = (text: string): string => {
    const code = filtered(text);
    const plain = code.startsWith('(') ? code.slice(1, -1) : code;
    return text.endsWith('|safe') ? `{{{${plain}}}}` : `{{${plain}}}`;
  };
  const tag = (text: string): string => {
    const [word = ''] = text.split(' ');
    const rest = text.slice(word.length).trim();
    switch (word) {
      case 'for': {
        const [name = '', list = ''] = rest.split(' in ');
        const opened = `{{#each ${filtered(list)} as |${name}|}}`;
        loops.push({ name, other: false });
        return opened;
      }
      case 'empty': {
        const loop = loops.pop();
        if (loop !== undefined) loops.push({ ...loop, other: true });
        return '{{else}}';
      }
      case 'endfor':
        loops.pop();
        return '{{/each}}';
      case 'if':
        return `{{#if ${condition(rest)}}}`;
      case 'elif':
        return `{{else if ${condition(rest)}}}`;
      case 'else':
        return '{{else}}';
      case 'endif':
        return '{{/if}}';
      case 'include': {
        const [, name = '', given = ''] = /^"(\w+)"(?: with (.*))?$/.exec(rest) ?? [];
        return `{{> ${name}${bindings(given)
          .map(([to, from]) => ` ${to}=${path(from)}`)
          .join('')}}}`;
      }
      default:
        throw new Error(`no handlebars for the tag ${text}`);
    }
  };
  return source
    .replace(difference, '$1|minus:$2')
    .replace(/\{% (.*?) %\}|\{\{ (.*?) \}\}/g, (_, tagText?: string, value?: string) =>
      tagText === undefined ? output(value ?? '') : tag(tagText),
    );
}

const operatorNames = new Map([
  ['==', 'eq'],
  ['!=', 'ne'],
  ['>', 'gt'],
  ['<', 'lt'],
  ['>=', 'gte'],
]);

// ------------------------------------------------------------------------------ JavaScript in templates

function toEta(source: string): string {
  return source.replace(/include\('(\w+)'/g, "include('@$1'");
}

function toEjs(source: string): string {
  return source
    .replace(
      /<%~ include\('(\w+)', (.*?)\) %>/g,
      '<%- it.render.$1({ ...$2, fn: it.fn, render: it.render }) %>',
    )
    .replaceAll('{ ...{ ', '{ ')
    .replaceAll(' }, fn: it.fn, render', ', fn: it.fn, render')
    .replaceAll('fn: it.fn, fn: it.fn', 'fn: it.fn')
    .replaceAll('<%~', '<%-');
}

function toEdge(source: string): string {
  return source
    .replace(
      /<% for \(let (\w+) = 0; \1 < ([\w.]+)\.length; \1\+\+\) \{ const (\w+) = \2\[\1\]; %>/g,
      '\n@each(($3, $1) in $2)~\n',
    )
    .replace(/<% for \(const (\w+) of (.*?)\) \{ %>/g, '\n@each($1 in $2)~\n')
    .replace(/<% if \((.*?)\) \{ %>/g, '\n@if($1)~\n')
    .replace(/<% \} else if \((.*?)\) \{ %>/g, '\n@elseif($1)~\n')
    .replaceAll('<% } else { %>', '\n@else~\n')
    .replaceAll('<% } %>', '\n@end~\n')
    .replace(/<% let (\w+) = (.*?); %>/g, '\n@let($1 = $2)~\n')
    .replace(/<% (\w+) = (.*?); %>/g, '\n@assign($1 = $2)~\n')
    .replace(/<%~ include\('(\w+)', (.*?)\) %>/g, "\n@!component('$1', $2)~\n")
    .replace(/<%= (.*?) %>/g, '{{ $1 }}')
    .replace(/<%[~-] (.*?) %>/g, '{{{ $1 }}}')
    .replace(/\bit\./g, '')
    .replace(/\n{2,}/g, '\n');
}
