import { BaseSequencer, type TestSpecification } from 'vitest/node';

/** Projects in the order of the time that their longest file takes; those that are not named have short files only. */
const projects = ['upgrades', 'browser', 'conformance', 'nodes', 'faults', 'server'];
/** Files that take longer than their size tells, most of it waiting. */
const longer =
  /\/(?:nodes[-\w]*|restored-database|slow-reader|lost-lock|memory|outbox-nodes|proxies)\.test\.ts$/;

/** Long files begin first, so that at the end of a run no worker is alone with one. Projects stay together. */
export class LongestFirst extends BaseSequencer {
  override async sort(files: TestSpecification[]): Promise<TestSpecification[]> {
    const sorted = await super.sort(files);
    return sorted.sort((left, right) => rankOf(left) - rankOf(right));
  }
}

function rankOf({ project, moduleId }: TestSpecification): number {
  const place = projects.indexOf(project.name);
  return 2 * (place === -1 ? projects.length : place) + (longer.test(moduleId) ? 0 : 1);
}
