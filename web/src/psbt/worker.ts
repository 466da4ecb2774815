import { answer, type WorkerRequest } from './read';

declare const self: DedicatedWorkerGlobalScope;

self.addEventListener('message', async ({ data }: MessageEvent<WorkerRequest>) => {
  self.postMessage(await answer(data));
});
