import type { HttpCase } from '../case.ts';
import {
  answerCases,
  connectionCases,
  expectationCases,
  pipelineCases,
  upgradeCases,
} from './connections.ts';
import { chunkCases, codingCases, lengthCases, oddFramingCases } from './framing.ts';
import { headerCases, hostCases } from './headers.ts';
import { lineCases, methodCases, targetCases, versionCases } from './request-line.ts';

export const caseGroups: readonly (readonly [name: string, cases: readonly HttpCase[]])[] = [
  ['methods', methodCases],
  ['targets', targetCases],
  ['versions', versionCases],
  ['lines', lineCases],
  ['Host', hostCases],
  ['headers', headerCases],
  ['lengths', lengthCases],
  ['transfer codings', codingCases],
  ['chunks', chunkCases],
  ['odd framing', oddFramingCases],
  ['connections', connectionCases],
  ['pipelines', pipelineCases],
  ['expectations', expectationCases],
  ['upgrades', upgradeCases],
  ['answers', answerCases],
];
