import { answers } from './answers.js';

export default {
  async fetch(request) {
    return new Response(await answers(new Uint8Array(await request.arrayBuffer())));
  },
};
