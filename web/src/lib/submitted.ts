import type { FormEvent } from 'react';

/** For a form that this page handles itself. */
export const submitted = (work: () => void) => (event: FormEvent) => {
  event.preventDefault();
  work();
};
