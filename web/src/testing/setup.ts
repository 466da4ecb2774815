import '@testing-library/jest-dom/vitest';
import { cleanup } from '@testing-library/react';
import { afterEach, vi } from 'vitest';

// jsdom lays nothing out.
Element.prototype.scrollIntoView = vi.fn<() => void>();

// It knows dialogs, and not their methods.
function showModal(this: HTMLDialogElement): void {
  this.open = true;
}
function close(this: HTMLDialogElement): void {
  this.open = false;
}
Object.assign(HTMLDialogElement.prototype, { showModal, close });

afterEach(() => {
  cleanup();
  localStorage.clear();
  sessionStorage.clear();
});
