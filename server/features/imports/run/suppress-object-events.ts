import type { Change } from '../../../changes/changes.ts';

/** The same change, which tells nobody about single objects: an import is told as a whole. */
export function suppressObjectEvents(change: Change): Change {
  return {
    tx: change.tx,
    actor: change.actor,
    now: change.now,
    journal: change.journal,
    decision: change.decision,
    markDecided: () => change.markDecided(),
    record: () => {},
    inspect: (texts, use) => change.inspect(texts, use),
    report: (texts) => change.report(texts),
    writeUnversioned: (work) => change.writeUnversioned(work),
    rehearse: (work, decision) => change.rehearse((inner) => work(suppressObjectEvents(inner)), decision),
    attempt: (work, decision) => change.attempt((inner) => work(suppressObjectEvents(inner)), decision),
    announce: (announcement) => change.announce(announcement),
    after: (task) => change.after(task),
  };
}
