/** The start of every picture's address. Any other would make the reader's browser talk to somebody else's host. */
const OWN = '/api/storage/';

/** A picture of our own origin, by what its address says after its start; null for none and for any other. */
export function ownPicture(address: string | null): string | null {
  return address?.startsWith(OWN) ? address.slice(OWN.length) : null;
}

/** The address of such a picture at this many pixels. Addresses carry the picture's version, so they have a query already. */
export function pictureAddress(picture: string, side: number): string {
  return `${OWN}${picture}&width=${side}&height=${side}&format=webp`;
}
