import { answers } from './answers.js';

self.onmessage = async ({ data }) => self.postMessage(await answers(data));
