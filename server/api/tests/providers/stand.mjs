// One provider: the authorization server of the npm package oidc-provider at the paths of the real one, with a person who
// agrees at once, and around it what can go wrong.
import { generateKeyPairSync, randomBytes } from 'node:crypto';
import { once } from 'node:events';
import { createServer } from 'node:http';
import { text } from 'node:stream/consumers';
import { Provider, interactionPolicy } from 'oidc-provider';

export const CLIENT = { client_id: 'the-client', client_secret: 'the-secret of + the client' };

const { privateKey } = generateKeyPairSync('rsa', { modulusLength: 2048 });
const jwks = { keys: [{ ...privateKey.export({ format: 'jwk' }), use: 'sig', alg: 'RS256' }] };

/** Keeps no session at the provider: the next user of the same browser may be another person. */
function alwaysAsk() {
  const policy = interactionPolicy.base();
  const asked = ({ oidc }) => !oidc.result?.login;
  policy.get('login').checks.add(new interactionPolicy.Check('always', 'who is it?', asked));
  return policy;
}

/** Unusable responses, by name. */
const FAULTS = {
  'server error': (response) => response.writeHead(503, { 'content-type': 'text/html' }).end('<h1>Over capacity</h1>'),
  garbage: (response) => response.writeHead(200, { 'content-type': 'application/json' }).end('<!doctype html><p>Hello'),
  'another shape': (response) => response.writeHead(200, { 'content-type': 'application/json' }).end('{"error_count":0}'),
  huge: (response) => response.writeHead(200, { 'content-type': 'application/json' }).end(`{"a":"${'a'.repeat(300_000)}"}`),
  'cut off': (response) => response.writeHead(200, { 'content-length': '1000' }).write('{"', () => response.destroy()),
  // The status, headers and body that the test gives.
  said: (response, { status, headers, body }) => {
    response.writeHead(status, { 'content-type': 'application/json', ...headers }).end(JSON.stringify(body));
  },
  // No response until the client gives up.
  slow: () => {},
};

export class Stand {
  /** The account that signs in: its members in the provider's own format, or null for a user who declines. */
  person = null;
  #people = new Map();
  #fault = null;
  #model;
  #note;
  #server;
  #provider;

  static async start(model, redirect, note) {
    const stand = new Stand();
    stand.#model = model;
    stand.#note = note;
    stand.#server = createServer((request, response) => stand.#serve(request, response));
    stand.#server.listen(0, '127.0.0.1');
    await once(stand.#server, 'listening');
    stand.origin = `http://127.0.0.1:${stand.#server.address().port}`;
    stand.#provider = new Provider(stand.origin, {
      clients: [
        {
          ...CLIENT,
          redirect_uris: [redirect],
          grant_types: ['authorization_code'],
          response_types: ['code'],
          token_endpoint_auth_method: model.clientAuth,
        },
      ],
      scopes: model.scopes,
      claims: model.claims ?? {},
      routes: {
        authorization: model.paths.authorize,
        token: model.paths.token,
        ...(model.userinfo && { userinfo: model.paths.person }),
      },
      // A code stays good when the same person comes again in another tab.
      expiresWithSession: () => false,
      pkce: { required: () => true },
      features: { devInteractions: { enabled: false }, userinfo: { enabled: Boolean(model.userinfo) } },
      interactions: { policy: alwaysAsk(), url: (_, interaction) => `/interaction/${interaction.uid}` },
      cookies: { keys: [randomBytes(16).toString('hex')] },
      findAccount: (_, id) => stand.#account(id),
      jwks,
    });
    stand.#provider.on('server_error', (_, error) => note({ failed: String(error.stack) }));
    stand.#provider.use((context, next) => stand.#around(context, next));
    return stand;
  }

  /** What goes wrong from now on: {endpoint, kind}, 'down', or null for nothing. */
  async go(fault) {
    this.#fault = fault;
    if (fault === 'down') {
      this.#server.close();
      this.#server.closeAllConnections();
    }
  }

  #account(id) {
    const person = this.#people.get(id);
    return person && { accountId: id, claims: () => ({ sub: id, ...this.#model.claimsOf?.(person) }) };
  }

  async #serve(request, response) {
    const path = new URL(request.url, this.origin).pathname;
    const endpoint = Object.keys(this.#model.paths).find((name) => this.#model.paths[name] === path);
    if (endpoint && this.#fault?.endpoint === endpoint) {
      response.on('close', () => this.#note({ endpoint, gave_up: !response.writableFinished }));
      FAULTS[this.#fault.kind](response, this.#fault);
    } else if (path.startsWith('/interaction/')) {
      await this.#consent(request, response);
    } else {
      this.#provider.callback()(request, response);
    }
  }

  /** The person has an account and agrees, without being asked; or refuses. */
  async #consent(request, response) {
    const { person } = this;
    if (!person) {
      const refusal = { error: 'access_denied', error_description: 'The person <b>refused</b>' };
      return this.#provider.interactionFinished(request, response, refusal);
    }
    const accountId = String(this.#model.idOf(person));
    this.#people.set(accountId, person);
    const { params } = await this.#provider.interactionDetails(request, response);
    const grant = new this.#provider.Grant({ accountId, clientId: params.client_id });
    grant.addOIDCScope(params.scope);
    const grantId = await grant.save();
    return this.#provider.interactionFinished(request, response, { login: { accountId }, consent: { grantId } });
  }

  /** What this provider does differently from the package. */
  async #around(context, next) {
    const { paths } = this.#model;
    const endpoint = Object.keys(paths).find((name) => paths[name] === context.path);
    if (endpoint) await this.#look(endpoint, context);
    const answer = this.#model.answers?.[endpoint];
    if (answer) {
      const person = await this.#bearer(context);
      [context.status, context.body] = answer(person, context);
      return;
    }
    await next();
    if (endpoint === 'token') this.#model.token?.(context);
  }

  /** Whose access token came along, when it is good for the scopes of this provider. */
  async #bearer(context) {
    const [, value] = /^Bearer (.+)$/.exec(context.get('authorization')) ?? [];
    const token = value && (await this.#provider.AccessToken.find(value));
    return token && this.#model.scopes.every((scope) => token.scopes.has(scope)) ? this.#people.get(token.accountId) : null;
  }

  async #look(endpoint, context) {
    const form = context.method === 'POST' ? await text(context.req) : '';
    // oidc-provider takes a body that was already read from here.
    if (form) context.req.body = form;
    const basic = /^Basic /.test(context.get('authorization'));
    const body = new URLSearchParams(form);
    this.#note({
      endpoint,
      method: context.method,
      query: { ...context.query },
      client_auth: basic ? 'basic' : body.has('client_secret') ? 'body' : 'none',
      form: Object.fromEntries(body),
      user_agent: context.get('user-agent'),
    });
  }
}
