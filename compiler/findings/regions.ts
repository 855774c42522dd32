/** Finds regions that editors cannot fill as meant: a name that is taken, a wrong tag, a place that repeats. */
import { collectRegions, type RegionProblem } from '../regions.ts';
import type { CheckedTemplate, FindingCode } from './report.ts';

export function reportRegions({ template, facts, others, world, report }: CheckedTemplate): void {
  const isShownByBlocks = world.isBlockType === true;
  const isComponent = world.isPage !== true && facts.slots.length > 0;
  const found = collectRegions(template, facts, others, (problem, offset, name, reason) => {
    report(offset, codes[problem], () => ({ reason: reason ?? reasons[problem](name), params: { name } }));
  });
  if (!isShownByBlocks && !isComponent) return;
  for (const { name, offset } of found)
    report(offset, 'template.regionInvalid', () => ({ reason: reasons.invalid(name), params: { name } }));
}

const codes: Readonly<Record<RegionProblem, FindingCode>> = {
  taken: 'template.regionTaken',
  invalid: 'template.regionInvalid',
  repeated: 'template.regionRepeated',
};

const reasons: Readonly<Record<RegionProblem, (name: string) => string>> = {
  taken: (name) => `a second region "${name}": names of regions are unique in a page`,
  invalid: (name) =>
    `the region "${name}" cannot stand in a component, block type or macro: these have parameters`,
  repeated: (name) =>
    `the region "${name}" stands in a loop or computed include, but a page has its words only once`,
};
