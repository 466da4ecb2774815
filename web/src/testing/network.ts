import { vi } from 'vitest';

interface Reply {
  status?: number;
  body?: unknown;
  /** Instead of JSON. */
  text?: string;
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
  vi.stubGlobal('fetch', async (...asked: Parameters<typeof fetch>) => {
    const request = new Request(...asked);
    const sent = await request.text();
    const call: Call = {
      method: request.method,
      url: new URL(request.url),
      headers: request.headers,
      body: sent === '' ? undefined : JSON.parse(sent),
    };
    calls.push(call);
    const answer = reply(call);
    if (answer instanceof Error) throw answer;
    const { status = 200, body, text, headers } = answer;
    return new Response(text ?? (body === undefined ? null : JSON.stringify(body)), { status, headers: headers ?? {} });
  });
  return calls;
}
