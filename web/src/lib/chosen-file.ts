import { storedText } from './storage';

/** The text of the chosen file in this tab (`kept-file.ts`). Signing out removes it. */
export const chosenFile = storedText('sessionStorage', 'chosen-file');
