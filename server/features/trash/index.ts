import { type StartTimer, startTimer } from '../../base/timers.ts';
import type { Feature, SharedServices } from '../../feature.ts';
import { trashRoutes } from './routes.ts';
import { Trash } from './service.ts';
import { TrashSweeper } from './trash-sweeper.ts';

/** Deleted objects, until they are restored or their time is over (Beyond, "Trash"). */
export function trashFeature(parts: SharedServices, later: StartTimer = startTimer): Feature {
  const trash = new Trash(parts);
  const { isLeader = () => true, log } = parts;
  const sweeper = new TrashSweeper({ trash, later, log, isLeader });
  sweeper.start();
  return {
    about: { trash: 'Deleted objects, which can be restored.' },
    routes: trashRoutes(trash),
    // The limits of the trash are settings.
    followers: [{ of: ['trash', 'settings'], react: () => sweeper.look() }],
    close: () => sweeper.close(),
  };
}
