import { groupTitles, type Option, options } from './options.ts';

/** The list of options for `-help`, grouped by what they are for. */
export function helpText(): string {
  const groups = Object.entries(groupTitles).flatMap(([group, title]) => [
    '',
    `${title}:`,
    ...options.filter((option) => option.group === group).map(lineOf),
  ]);
  return [
    'Usage: incipit [options]',
    ...groups,
    '',
    'Every option can be set as IC_<NAME> in the environment.',
  ].join('\n');
}

function lineOf(option: Option): string {
  const usage = option.flag ? `-${option.name}` : `-${option.name} ${option.value}`;
  const fallback = option.flag || option.default === '' ? '' : ` (default ${option.default})`;
  return `  ${usage.padEnd(28)}${option.help}${fallback}`;
}
