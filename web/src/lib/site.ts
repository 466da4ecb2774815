/** Whether this is the build for any static host: the pages that check and make proofs, without a board (`npm run build:verify`). */
export const STATIC = import.meta.env.MODE === 'static';

/** The folder of the static build, as seen from the page that is open. */
const root = () => document.documentElement.dataset['root'] ?? '/';

/** The address of one of these pages. */
export const pageAddress = (path: '/verify' | '/prove' | '/prove/ask'): string => (STATIC ? `${root()}${path.slice(1)}/` : path);
