import { expect, test, vi } from 'vitest';
import { storedText } from './storage';

test('storage that is closed to the page gives null and loses what is written', () => {
  vi.stubGlobal('window', {
    get localStorage() {
      throw new DOMException('The operation is insecure.', 'SecurityError');
    },
  });
  const text = storedText('localStorage', 'theme');
  text.set('dark');
  text.remove();
  expect(text.get()).toBeNull();
});
