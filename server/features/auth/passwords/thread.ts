/** What a thread runs that estimates one password. */
import { type StreamedTask, sendParts } from '../../../base/thread-stream.ts';
import { type EstimateTask, findWeakness } from './estimate.ts';

export default function estimateInThread({ input, port }: StreamedTask<EstimateTask>): Promise<void> {
  return sendParts(port, estimateOne(input));
}

async function* estimateOne(task: EstimateTask): AsyncGenerator<{ readonly weakness: string }> {
  yield { weakness: findWeakness(task) ?? '' };
}
