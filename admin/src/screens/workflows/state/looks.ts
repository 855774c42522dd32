/** How types of nodes look and are named. A type that the admin does not know has a plain look and its own name. */
import { findText, t } from '../../../base/i18n/index.ts';
import type { FlowNode } from '../../../content/flow.ts';
import type { IconName } from '../../../ui/icons/icons.ts';

const icons: Readonly<Record<string, IconName>> = {
  inject: 'play',
  'http-in': 'globe-simple',
  event: 'lightning',
  function: 'code',
  switch: 'git-branch',
  'http-request': 'arrow-square-out',
  collection: 'table',
  extdb: 'database',
  delay: 'timer',
  join: 'arrows-merge',
  mail: 'envelope-simple',
  'http-response': 'arrow-u-up-left',
  debug: 'bug',
  custom: 'puzzle-piece',
};

export function chooseIcon(type: string): IconName {
  return icons[type] ?? 'puzzle-piece';
}

export function typeName(type: string): string {
  return findText(`workflows.types.${type}.name`) ?? type;
}

export function typeHelp(type: string): string {
  return findText(`workflows.types.${type}.help`) ?? '';
}

/** The name of a node, else that of its type. */
export function nodeName({ name, type }: Pick<FlowNode, 'name' | 'type'>): string {
  return name.trim() === '' ? typeName(type) : name;
}

/** What a node does, in a few words: its most telling settings. */
export function formatSummary({ type, config }: FlowNode): string {
  const parts = (telling[type] ?? []).map((name) => shown(config[name])).filter((part) => part !== '');
  return parts.join(' ').replaceAll(/\s+/g, ' ').slice(0, 60);
}

const telling: Readonly<Record<string, readonly string[]>> = {
  inject: ['cron', 'payload'],
  'http-in': ['method', 'path'],
  event: ['collection'],
  switch: ['property'],
  'http-request': ['method', 'url'],
  collection: ['action', 'collection'],
  extdb: ['action', 'table'],
  delay: ['seconds'],
  join: ['mode'],
  mail: ['to'],
  'http-response': ['status'],
  debug: ['property'],
  custom: ['node'],
};

function shown(value: unknown): string {
  return typeof value === 'string' || typeof value === 'number' ? String(value) : '';
}

/** Name of an output: the rule of a switch, else its number. */
export function outputName({ type, config }: FlowNode, out: number): string {
  const list = type === 'switch' ? config['rules'] : config['outputs'];
  const element: unknown = Array.isArray(list) ? list[out] : undefined;
  if (typeof element === 'string' && element !== '') return element;
  if (type !== 'switch' || typeof element !== 'object' || element === null) return String(out + 1);
  const op = String(Reflect.get(element, 'op'));
  const name = findText(`workflows.settings.options.op.${op}`) ?? op;
  const value = Reflect.get(element, 'value');
  return value === undefined || value === '' ? name : `${name} ${shown(value)}`;
}

/** A duration, in the unit that fits. */
export function durationText(ms: number): string {
  if (ms < 1000) return t('workflows.ms', { value: ms });
  return t('workflows.seconds', {
    value: (ms / 1000).toLocaleString(undefined, { maximumFractionDigits: 1 }),
  });
}
