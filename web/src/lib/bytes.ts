/** Bytes as base64, in slices: `String.fromCharCode` takes no arbitrarily long argument list. */
export function toBase64(bytes: Uint8Array): string {
  const SLICE = 0x8000;
  let text = '';
  for (let at = 0; at < bytes.length; at += SLICE) text += String.fromCharCode(...bytes.subarray(at, at + SLICE));
  return btoa(text);
}

/** Base64 as bytes. */
export function fromBase64(text: string): Uint8Array<ArrayBuffer> {
  return Uint8Array.from(atob(text), (character) => character.charCodeAt(0));
}
