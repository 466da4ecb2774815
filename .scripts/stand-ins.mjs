// stand-ins.mjs PORT: a source of the bitcoin price, and a payment provider at which nobody ever pays, for a server that is asked
// about everything.
import { randomUUID } from 'node:crypto';
import { createServer } from 'node:http';

const checkouts = new Map();

function made([kind, sub, id, action]) {
  if (kind !== 'checkout' || sub !== 'sessions') return { id: `${kind}_${randomUUID()}`, object: kind };
  if (action === 'expire') Object.assign(checkouts.get(id), { status: 'expired', url: null });
  if (id) return checkouts.get(id);
  const session = { id: `cs_${randomUUID()}`, status: 'open', url: 'https://checkout.stripe.com/c/pay/one', subscription: null };
  checkouts.set(session.id, session);
  return session;
}

function found(parts) {
  if (parts[0] === 'subscriptions') return { object: 'list', data: [], has_more: false };
  return checkouts.get(parts.at(-1));
}

createServer((request, response) => {
  const { pathname } = new URL(request.url, 'http://127.0.0.1');
  const parts = pathname.split('/').slice(2);
  const price = pathname === '/price' ? { USD: 84_000 } : null;
  const answer = price ?? (request.method === 'POST' ? made(parts) : found(parts));
  request.resume();
  response.writeHead(answer ? 200 : 404, { 'content-type': 'application/json' });
  response.end(JSON.stringify(answer ?? { error: { type: 'invalid_request_error', code: 'resource_missing' } }));
}).listen(Number(process.argv[2]), '127.0.0.1');
