import type { ReadSet } from '../runtime/content/dependency-recorder.ts';
import type { OutsideAnswer, OutsideRequest } from '../runtime/content/source-data.ts';
import type { RenderedPage, RenderFailure } from '../runtime/tasks/messages/delivery.ts';
import type { JsonResponseCache } from './api/json-response-cache.ts';
import type { OverlaidReads } from './api/parameters/overlaid-reads.ts';
import type { PublicObjects } from './api/public-object-refusals.ts';
import type { Route } from './api/route.ts';
import type { Clock } from './base/clock.ts';
import type { Log } from './base/log.ts';
import type { Secrets } from './base/secrets.ts';
import type { StreamInThread } from './base/thread-stream.ts';
import type { Changes } from './changes/changes.ts';
import type { CommitCheck } from './changes/commit-check.ts';
import type { NodeState } from './changes/commit-coordinator.ts';
import type { ContentVersion } from './changes/content-version.ts';
import type { EventOutbox } from './changes/event-outbox.ts';
import type { Follower } from './changes/followers.ts';
import type { Outlet } from './changes/outlets.ts';
import type { TextAnalysis } from './changes/text-analysis.ts';
import type { BuildInfo } from './config/build-info.ts';
import type { Config } from './config/config.ts';
import type { AttachedTable, Kind } from './content/kinds/kind.ts';
import type { ReferenceBacklog } from './content/kinds/reference-backlog.ts';
import type { KindRegistry } from './content/kinds/registry.ts';
import type { ReservedName } from './content/sites/reserved-paths.ts';
import type { ActivityStore, StatisticsStore } from './db/activity.ts';
import type { ContentDb, ContentSnapshots } from './db/tables.ts';
import type { Outgoing } from './http/outgoing/client.ts';
import type { OwnRequests } from './http/outgoing/own-requests.ts';
import type { PublicHandler } from './http/public-exchange.ts';
import type { SharedResponses } from './http/shared-responses.ts';
import type { ViewEvent, ViewEventBuffer } from './http/view-event-buffer.ts';
import type { Pool } from './processes/pool.ts';
import type { CodeRunner } from './processes/sandbox/model.ts';

/** Objects that all features share. The server has one of each. */
export interface SharedServices {
  readonly config: Config;
  readonly build: BuildInfo;
  readonly clock: Clock;
  /** See `roughClock`. */
  readonly roughClock: Clock;
  /** Milliseconds that never go back, even when the system clock is set back. */
  readonly monotonic: Clock;
  readonly log: Log;
  /** Reads committed content. All writes of content go through `changes`. */
  readonly reader: ContentDb;
  /** For long reads of content. */
  readonly snapshots: ContentSnapshots;
  /** Data that visits produce; see `Databases`. */
  readonly activity: ActivityStore;
  readonly statistics: StatisticsStore;
  readonly changes: Changes;
  /** What must go out after changes. */
  readonly outbox: EventOutbox;
  /** All kinds; they are known when all features have contributed theirs. */
  readonly registry: KindRegistry;
  readonly backlog: ReferenceBacklog;
  readonly version: ContentVersion;
  /** Serialised responses that depend on content only. */
  readonly answers: JsonResponseCache;
  readonly pool: Pool;
  /** For tasks that take long and that nobody waits for; they keep no render waiting. */
  readonly background: Pool;
  readonly texts: TextAnalysis;
  /** Runs the code of function and custom nodes. */
  readonly sandbox: CodeRunner;
  /** Runs code of ours in a thread. */
  readonly streamInThread: StreamInThread;
  /** The client for all requests to other hosts. */
  readonly outgoing: Outgoing;
  /** Knows the requests that this instance has sent itself. */
  readonly ownRequests: OwnRequests;
  /** Encrypts secrets that are stored. */
  readonly secrets: Secrets;
  /** For answers that threads of the front may give on their own. */
  readonly sharing: SharedResponses | undefined;
  /** Views of pages, for whoever counts them. */
  readonly views: ViewEventBuffer;
  /** State of this node among others; undefined for an instance on one machine. */
  readonly nodeState: (() => NodeState) | undefined;
  /** What people call another node that serves now; undefined if there is none. */
  readonly findOtherNode: () => Promise<string | undefined>;
  /** Whether this node does now what only one may do, such as schedules. Undefined for an instance on one machine. */
  readonly isLeader: (() => boolean) | undefined;
  /**
   * Claims for this node what one node may do once; see `Claims`. Undefined for an instance on one machine.
   */
  readonly claim: ((name: string) => Promise<boolean>) | undefined;
  /** Tells features of visits. */
  readonly visits: VisitListener;
  /** The figures of all features, when all are created. */
  readonly figures: () => readonly Figure[];
}

/** Hears of requests of visitors that were not answered from the cache. */
export interface VisitListener {
  /** The answer was the 404 page, even if that failed. Path and referer as sent; no referer is empty. */
  missed(siteId: number, path: string, referer: string): void;
  redirected(siteId: number, redirectId: number): void;
  downloaded(download: Download): void;
  /** A page was rendered for a visitor, or could not be. */
  rendered(render: VisitorRender): void;
}

/** What a render for a visitor has shown; the page may be the 404 page. */
export interface VisitorRender {
  readonly of: RenderedPage;
  /** As sent; empty for the 404 page. */
  readonly query: string;
  readonly host: string;
  readonly reads: ReadSet;
  readonly error: RenderFailure | undefined;
  /** Whether it failed behind a call of a source or workflow, which no check reaches. */
  readonly hasAsked: boolean;
}

/** A download; its path is that of the file, its website that of the host. */
export type Download = Omit<ViewEvent, 'siteId' | 'status'>;

/** A figure for `/metrics`. It is read when somebody asks. */
export interface Figure {
  readonly type: 'gauge' | 'counter';
  readonly name: string;
  readonly help: string;
  readonly labels?: readonly string[];
  read(): number | readonly (readonly [labels: Readonly<Record<string, string>>, value: number])[];
}

/** A part of the product: its endpoints, its public addresses, its work after a commit and at shutdown. */
export interface Feature {
  /** Kinds of objects; their endpoints come from the declaration. */
  readonly kinds?: readonly Kind[];
  /** Endpoints in addition to those of its kinds. */
  readonly routes?: readonly Route[];
  /** Which of its objects everyone may read; decides what refusals about them say. */
  readonly publicObjects?: readonly PublicObjects[];
  /** What its groups of endpoints are about, by the first segment of their paths; kinds tell it themselves. */
  readonly about?: Readonly<Record<string, string>>;
  /** Addresses outside the API that the feature answers on every website. */
  readonly addresses?: { readonly [Name in ReservedName]?: PublicHandler };
  /** Tables that a bundle carries beside those of kinds. */
  readonly attachedTables?: readonly AttachedTable[];
  /** What it does after commits, of this node and of others. */
  readonly followers?: readonly Follower[];
  /** Answers requests of its sort by pages, such as what a REST source has; undefined for all others. */
  outside?(request: OutsideRequest): Promise<OutsideAnswer> | undefined;
  readonly visits?: Partial<VisitListener>;
  readonly figures?: readonly Figure[];
  /** What it sends to others after changes. */
  readonly outlets?: readonly Outlet[];
  /** Answers requests with `?change_set=`. One feature has it. */
  readonly overlaidReads?: OverlaidReads;
  /** Looks at changes before they are committed, where the caller wants it. One feature has it. */
  readonly commitCheck?: CommitCheck;
  /** Writes buffered data and ends background work. Called once, when no request is running any more. */
  close?(): Promise<void>;
}
