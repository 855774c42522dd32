import { randomInt } from 'node:crypto';
import { type StartTimer, startTimer } from '../../base/timers.ts';
import { reactToDeleted } from '../../changes/followers.ts';
import type { ContentDb } from '../../db/tables.ts';
import type { Feature, SharedServices } from '../../feature.ts';
import type { CodeRunner } from '../../processes/sandbox/model.ts';
import type { CollectionEntries } from '../collections/entries.ts';
import { ActiveWorkflows } from './active.ts';
import type { FlowNodeDefinitions } from './custom-nodes/model.ts';
import { Engine } from './engine.ts';
import { EntryEvents } from './events.ts';
import { HttpInputs } from './inputs/handler.ts';
import { namesUsing, type RunFacts, type WorkflowKind, workflowKind } from './kind.ts';
import type { NodeServices } from './node-services.ts';
import { callDatabase, parseArgs } from './nodes/code.ts';
import type { ExternalDatabases, MailSender, WorkflowSecrets } from './parts.ts';
import { workflowRoutes } from './routes.ts';
import { MessageMemory } from './run/memory.ts';
import { RunScheduler } from './run/run-scheduler.ts';
import { TimeLimits } from './run/time-limits.ts';
import { RunLog } from './runs/log.ts';
import { type ScheduledStart, Schedules } from './schedules.ts';
import { WorkflowService } from './service.ts';
import { SharedStarts } from './shared-starts.ts';
import { SitemapSources } from './sitemap-sources.ts';
import { TemplateCalls } from './templates.ts';
import { WorkflowValues } from './values/service.ts';

type WorkflowParts = Pick<
  SharedServices,
  | 'reader'
  | 'changes'
  | 'activity'
  | 'clock'
  | 'monotonic'
  | 'log'
  | 'outgoing'
  | 'ownRequests'
  | 'isLeader'
  | 'claim'
  | 'nodeState'
>;

/** How long a call of a database may take when code is tried, in milliseconds. */
const trialMs = 30_000;

/** What workflows get from other features. */
export interface WorkflowOptions {
  readonly code: CodeRunner;
  readonly databases: ExternalDatabases;
  readonly mail: MailSender;
  readonly secrets: WorkflowSecrets;
  readonly definitions: FlowNodeDefinitions;
  readonly entries: CollectionEntries;
  readonly later?: StartTimer | undefined;
}

export interface WorkflowsFeature extends Feature {
  readonly kind: WorkflowKind;
  /** Names of the workflows that use a custom node. */
  usersOf(db: ContentDb, key: string): Promise<string[]>;
  /** Answers `idb.*` of code that is tried outside of a workflow. @param args JSON text of the list of arguments */
  callDatabase(name: string, args: string): Promise<string>;
}

/** Workflows (Data, Automation and Operations, "Workflows"). */
export async function workflowsFeature(
  parts: WorkflowParts,
  options: WorkflowOptions,
): Promise<WorkflowsFeature> {
  const { reader, changes, activity, clock, monotonic, log, outgoing, ownRequests, nodeState } = parts;
  const { code, databases, mail, secrets, definitions, entries, later = startTimer } = options;
  const values = new WorkflowValues({ reader, changes });
  const services: NodeServices = {
    ...{ code, databases, mail, secrets, definitions, outgoing, entries, values, ownRequests },
  };
  const tools = {
    clock,
    monotonic,
    later,
    secrets,
    memory: new MessageMemory(),
    scheduler: new RunScheduler(monotonic),
    limits: new TimeLimits(later, monotonic),
  };
  const runs = await RunLog.open({
    activity,
    clock,
    log,
    ...(nodeState === undefined ? {} : { idOf: idByTime }),
  });
  const engine = new Engine(tools, runs);
  const run = (start: ScheduledStart): void => service.runScheduled(start);
  const { claim, isLeader } = parts;
  const shared =
    claim === undefined || isLeader === undefined
      ? undefined
      : new SharedStarts({ clock, later, log, isLeader, claim, run });
  const schedules = new Schedules({
    clock,
    later,
    run: shared === undefined ? run : (start, plannedAt) => shared.add(start, plannedAt),
  });
  const active = new ActiveWorkflows({
    reader,
    services,
    log,
    schedule(starts) {
      schedules.set(starts);
      shared?.keepOnly(starts);
    },
  });
  const service = new WorkflowService({ reader, services, engine, active, runs });
  const events = new EntryEvents(active, engine, log);
  const inputs = new HttpInputs({ active, engine, isOwn: (id) => ownRequests.has(id) });
  const factsOf = async (id: number): Promise<RunFacts> => {
    await active.ready();
    return { ...runs.lastOf(id), next_run: schedules.nextOf(id) };
  };
  const templates = new TemplateCalls(active, engine);
  const sitemaps = new SitemapSources({ calls: templates, databases, clock });
  await active.ready();
  const forgetRuns = (id: number) => void engine.cancelOf(id).then(() => runs.forget(id));
  const kind = workflowKind({ definitions, factsOf, hasCollection: entries.isThere, forgetRuns });
  return {
    kind,
    usersOf: namesUsing,
    callDatabase: (name, args) =>
      callDatabase(databases, name.slice('idb.'.length), parseArgs(args), AbortSignal.timeout(trialMs)),
    outside(request) {
      if ('workflow' in request) return templates.answer(request);
      return 'sitemapSource' in request ? sitemaps.answer(request) : undefined;
    },
    kinds: [kind],
    about: {
      flows: 'HTTP inputs of workflows.',
      'workflow-node-types': 'What editors have to know of the nodes of workflows.',
    },
    routes: workflowRoutes({ service, runs, values, clock, inputs }),
    followers: [
      { of: ['workflow'], refresh: () => active.reload() },
      reactToDeleted(['workflow'], ({ id, isKept }) =>
        isKept === true ? void engine.cancelOf(id) : forgetRuns(id),
      ),
      { of: ['workflow_last_runs'], refresh: () => runs.reload() },
    ],
    outlets: [events],
    async close() {
      schedules.close();
      await shared?.close();
      events.close();
      await engine.close();
      await runs.flush();
    },
  };
}

/** IDs that no two nodes give: the time in milliseconds, and ten random bits. */
function idByTime(least: number): number {
  return Math.max(least, Date.now() * 1024 + randomInt(1024));
}
