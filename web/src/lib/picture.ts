/** The start of every picture's address. Any other would make the reader's browser talk to somebody else's host. */
const OWN = '/api/storage/';

/** A picture of our own origin, by what its address says after its start; null for none and for any other. */
export function ownPicture(address: string | null): string | null {
  return address?.startsWith(OWN) ? address.slice(OWN.length) : null;
}

/** The address of such a picture, 96 pixels square. Addresses carry the picture's version, so they have a query already. */
export function smallPicture(picture: string): string {
  return `${OWN}${picture}&width=96&height=96&format=webp`;
}

/** The address of such a picture as the server stores it, at most 400 pixels on a side. */
export function wholePicture(picture: string): string {
  return OWN + picture;
}
