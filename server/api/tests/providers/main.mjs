// Providers for tests, driven over a port of its own: each test makes a world of all of them and steers it.
//
//   POST /worlds {site}                            a new one of each, for a site at this origin: their addresses and the world's id
//   POST /worlds/ID {provider, person?, fault?}    who is at the browser, and what goes wrong
//   GET  /worlds/ID                                what the providers have seen
//
// Prints one line to stdout: the address of this port. The process ends with its parent.
import { createServer } from 'node:http';
import { json } from 'node:stream/consumers';
import { World } from './world.mjs';

const worlds = new Map();

async function answer(request) {
  const id = /^\/worlds(?:\/(\w+))?$/.exec(request.url);
  if (!id) return undefined;
  if (!id[1]) {
    const world = await World.start((await json(request)).site);
    worlds.set(world.id, world);
    return { id: world.id, ...world.addresses };
  }
  const world = worlds.get(id[1]);
  if (request.method === 'POST') await world.steer(await json(request));
  return world.seen;
}

const control = createServer(async (request, response) => {
  try {
    const body = await answer(request);
    response.writeHead(body ? 200 : 404, { 'content-type': 'application/json' }).end(JSON.stringify(body ?? null));
  } catch (error) {
    response.writeHead(500).end(String(error.stack));
  }
});
control.listen(0, '127.0.0.1', () => {
  console.log(JSON.stringify({ control: `http://127.0.0.1:${control.address().port}` }));
});
process.stdin.resume().on('end', () => process.exit());
