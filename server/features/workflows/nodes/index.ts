import { collectionNode } from './collection.ts';
import { customNode } from './custom.ts';
import { debugNode } from './debug.ts';
import { delayNode } from './delay.ts';
import { eventNode } from './event.ts';
import { extdbNode } from './extdb.ts';
import { functionNode } from './function.ts';
import { httpInNode } from './http-in.ts';
import { httpRequestNode } from './http-request.ts';
import { httpResponseNode } from './http-response.ts';
import { injectNode } from './inject.ts';
import { joinNode } from './join.ts';
import { mailNode } from './mail.ts';
import type { NodeType } from './node-type.ts';
import { switchNode } from './switch.ts';

/** All types of nodes by their name (Data, Automation and Operations, "Workflow"). */
export const nodeTypes: ReadonlyMap<string, NodeType> = new Map([
  ['inject', injectNode],
  ['http-in', httpInNode],
  ['event', eventNode],
  ['function', functionNode],
  ['switch', switchNode],
  ['http-request', httpRequestNode],
  ['collection', collectionNode],
  ['extdb', extdbNode],
  ['delay', delayNode],
  ['join', joinNode],
  ['mail', mailNode],
  ['http-response', httpResponseNode],
  ['debug', debugNode],
  ['custom', customNode],
]);
