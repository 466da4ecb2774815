type Handlers<Events> = { [Name in keyof Events]?: (event: Events[Name]) => void };

/** Listens to events until the function that it returns is called. */
export function listen(target: Window, handlers: Handlers<WindowEventMap>): () => void;
export function listen(target: Document, handlers: Handlers<DocumentEventMap>): () => void;
export function listen(target: EventTarget, handlers: Record<string, unknown>): () => void {
  const stop = new AbortController();
  for (const [name, handler] of Object.entries(handlers)) target.addEventListener(name, handler as EventListener, { signal: stop.signal });
  return () => stop.abort();
}
