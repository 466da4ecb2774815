// Providers that belong to one test.
import { randomUUID } from 'node:crypto';
import { Stand } from './stand.mjs';
import { github } from './github.mjs';
import { google } from './google.mjs';
import { x } from './x.mjs';

const MODELS = { twitter: x, google, github };

export class World {
  id = randomUUID().replaceAll('-', '');
  /** Every request that reached a provider, in order. */
  seen = [];
  #stands = {};

  /** A world whose apps send people back to this site. */
  static async start(site) {
    const world = new World();
    for (const [name, model] of Object.entries(MODELS)) {
      const note = (what) => world.seen.push({ provider: name, ...what });
      world.#stands[name] = await Stand.start(model, `${site}/api/auth/v1/callback/${name}`, note);
    }
    return world;
  }

  get addresses() {
    return Object.fromEntries(Object.entries(this.#stands).map(([name, stand]) => [name, stand.origin]));
  }

  async steer({ provider, person, fault }) {
    const stand = this.#stands[provider];
    if (person !== undefined) stand.person = person;
    if (fault !== undefined) await stand.go(fault);
  }
}
