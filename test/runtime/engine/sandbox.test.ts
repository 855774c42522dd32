/**
 * Anyone may write a template, and anyone may send its data. Every render must end soon, with text or with a template
 * error, and leave the program unchanged.
 */
import { afterEach, describe, expect, test, vi } from 'vitest';
import { TemplateError, type TemplateFunction } from '../../../runtime/engine.ts';
import { chargeWork } from '../../../runtime/values/effort.ts';
import type { Attack } from './attacks/attack.ts';
import { attackFunctions, attackSuites } from './attacks/index.ts';
import { resourceContext } from './attacks/resources.ts';
import { engineOf, renderOnce } from './shared.ts';

/** The time limit of one attack. Each takes far less than a second unless the engine hangs. */
const patienceMs = 10_000;

describe.each(Object.entries(attackSuites))('%s', (_, attacks) => {
  test.each(Object.entries(attacks))(
    '%s',
    async (_name, attack) => {
      expect(await outcomeOf(attack)).toBe(attack.outcome);
    },
    patienceMs,
  );
});

describe('a render of more than ten seconds ends', () => {
  const keys = Object.fromEntries(Array.from({ length: 5_000 }, (_, index) => [`k${index}`, index]));
  const slow: Readonly<Record<string, string>> = {
    'in loops': '{% for a in thousand %}{% for b in "12345" %}{% endfor %}{% endfor %}',
    'in includes': '{% for a in thousand %}{% include "one" %}{% include "one" %}{% endfor %}',
    'in operators on long texts': '{% if "y" in megabyte %}{% endif %}',
    'in loops over long texts without rounds': '{% for x in megabyte|slice:":200000" %}{% endfor %}',
    'in filters of long texts': '{{ megabyte|lower|length }}',
    'in arguments of filters': '{{ "2024-05-15"|date:megabyte|length }}',
    'in the next function': '{{ wait() }}',
    'in views of a large map': '{{ keys.items }}',
    'in views of a large map by index': '{{ keys["items"] }}',
    'in tests of maps':
      '{% if keys %}{% endif %}{% if keys %}{% endif %}{% if keys %}{% endif %}{% if keys %}{% endif %}{% if keys %}{% endif %}',
    'in defaults for maps': '{{ keys|default:1|default_if_none:1|yesno }}'.repeat(3),
    'in joined texts': '{{ megabyte ~ megabyte }}',
    'in printed lists': '{{ [[long, long], [long, long]] ~ "" }}{{ [long] ~ "" }}'.repeat(40),
    'in the first call of a template': '{% include "one" %}',
  };

  test.each(Object.entries(slow))('%s', async (_, template) => {
    let timeMs = 0;
    vi.spyOn(performance, 'now').mockImplementation(() => timeMs);
    const wait: TemplateFunction = {
      call: () => {
        timeMs += 10_001;
        return '';
      },
    };
    const context = { ...resourceContext, keys };
    const render = renderOnce(
      `{{ wait() }}${template}`,
      context,
      { one: '' },
      { functions: new Map([['wait', wait]]) },
    );
    await expect(render).rejects.toThrow('rendering took more than 10 s');
  });

  test('is counted from the given start of the whole work', () => {
    vi.spyOn(performance, 'now').mockReturnValue(20_000);
    const functions = new Map<string, TemplateFunction>([['now', { call: () => 'late' }]]);
    const engine = engineOf({ page: '{{ now() }}' }, { functions });
    expect(engine.render('page', {}, { startedMs: 10_000 })).toBe('late');
    expect(() => engine.render('page', {}, { startedMs: 9_999 })).toThrow('rendering took more than 10 s');
  });
});

afterEach(() => {
  vi.restoreAllMocks();
  const fresh: Readonly<Record<string, unknown>> = {};
  expect(['x', 'k', 'named', 'constructor.x'].filter((name) => name in fresh)).toEqual([]);
  expect(Object.keys(Object.prototype)).toEqual([]);
});

async function outcomeOf({ template, templates, context }: Attack): Promise<string> {
  try {
    return await renderOnce(template, { ...resourceContext, ...context }, templates, {
      functions: attackFunctions,
    });
  } catch (error) {
    if (!(error instanceof TemplateError)) throw error;
    const { template: name, line, column, reason } = error;
    return `error: ${name}:${line}:${column}: ${reason}`;
  }
}

test('work before a render does not count for that render', () => {
  chargeWork(60 * 2 ** 20);
  const list = Array.from({ length: 2_000_000 }, () => 0);
  expect(engineOf({}).renderSource('{{ list }}', 'page', { list })).toHaveLength(6_000_000);
});
