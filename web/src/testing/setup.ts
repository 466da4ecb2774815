import '@testing-library/jest-dom/vitest';
import { cleanup, configure } from '@testing-library/react';
import { afterEach, vi } from 'vitest';

// A loaded machine takes longer to load what is loaded later; what comes is the same.
configure({ asyncUtilTimeout: 5_000 });

// jsdom lays nothing out.
Element.prototype.scrollIntoView = vi.fn<() => void>();

afterEach(() => {
  cleanup();
  localStorage.clear();
  sessionStorage.clear();
});
