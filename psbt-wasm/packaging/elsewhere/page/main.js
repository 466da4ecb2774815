import { answers } from './answers.js';

window.answers = (base64) => answers(Uint8Array.from(atob(base64), (character) => character.charCodeAt(0)));
