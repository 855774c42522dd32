import { type StartTimer, startTimer } from '../../base/timers.ts';
import type { Feature, SharedServices } from '../../feature.ts';
import { presenceRoutes } from './routes.ts';
import { PresenceService } from './service.ts';

export interface PresenceFeature extends Feature {
  readonly presence: PresenceService;
}

/** Who has which object open, for the others who look at it. */
export async function presenceFeature(
  parts: SharedServices,
  later: StartTimer = startTimer,
): Promise<PresenceFeature> {
  const presence = new PresenceService(parts, later);
  await presence.refresh();
  return {
    presence,
    about: { presence: 'Who has which object open.' },
    routes: presenceRoutes(presence),
    followers: [presence],
    close: () => presence.close(),
  };
}
