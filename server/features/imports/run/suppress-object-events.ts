import type { Change } from '../../../changes/changes.ts';

/** The same change, which tells nobody about single objects: an import is told as a whole. */
export function suppressObjectEvents(change: Change): Change {
  return {
    tx: change.tx,
    actor: change.actor,
    now: change.now,
    journal: change.journal,
    record: () => {},
    inspect: (texts, use) => change.inspect(texts, use),
    report: (texts) => change.report(texts),
    writeUnversioned: (work) => change.writeUnversioned(work),
    rehearse: (work) => change.rehearse((inner) => work(suppressObjectEvents(inner))),
    attempt: (work) => change.attempt((inner) => work(suppressObjectEvents(inner))),
    announce: (announcement) => change.announce(announcement),
    after: (task) => change.after(task),
  };
}
