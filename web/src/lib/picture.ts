/** The prefix of every picture. Other addresses would make the browser contact another host. */
const OWN = '/api/storage/';

/** The address of a picture on our origin without the prefix; null for other addresses. */
export function ownPicture(address: string | null): string | null {
  return address?.startsWith(OWN) ? address.slice(OWN.length) : null;
}

/** The picture at 96 × 96 pixels. Its address already has a query, with the version. */
export function smallPicture(picture: string): string {
  return `${OWN}${picture}&width=96&height=96&format=webp`;
}

/** The picture as the server stores it, at most 400 pixels wide and high. */
export function wholePicture(picture: string): string {
  return OWN + picture;
}
