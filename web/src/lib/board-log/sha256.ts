/** SHA-256 by the browser, which has it on HTTPS and on this computer, like the Ed25519 of signatures. */
export async function sha256(bytes: Uint8Array<ArrayBuffer>): Promise<Uint8Array<ArrayBuffer>> {
  return new Uint8Array(await crypto.subtle.digest('SHA-256', bytes));
}
