import { vi } from 'vitest';

interface Reply {
  status?: number;
  body?: unknown;
  headers?: Record<string, string>;
}

export interface Call {
  method: string;
  url: URL;
  headers: Headers;
  body: unknown;
}

/** Replaces the network by one function; returns the calls that were made. */
export function stubNetwork(reply: (call: Call) => Reply | Error): Call[] {
  const calls: Call[] = [];
  vi.stubGlobal('fetch', async (input: string, init: RequestInit = {}) => {
    const call: Call = {
      method: init.method ?? 'GET',
      url: new URL(input, 'http://localhost'),
      headers: new Headers(init.headers),
      body: typeof init.body === 'string' ? JSON.parse(init.body) : undefined,
    };
    calls.push(call);
    const answer = reply(call);
    if (answer instanceof Error) throw answer;
    const { status = 200, body, headers } = answer;
    return new Response(body === undefined ? null : JSON.stringify(body), { status, headers: headers ?? {} });
  });
  return calls;
}
