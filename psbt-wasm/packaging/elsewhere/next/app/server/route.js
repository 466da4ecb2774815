import { answers } from '../../answers.js';

export async function POST(request) {
  return new Response(await answers(new Uint8Array(await request.arrayBuffer())));
}
