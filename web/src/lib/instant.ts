/** A local day and time with a named zone, as one text with an offset. The package reads that text. */

const MINUTE = 60_000;
const HOUR = 60 * MINUTE;
const DAY = 24 * HOUR;

/** What a form has: a day (`2026-12-31`), a time (`24:00`), and a zone: UTC, an offset or a name of the IANA time zone database. */
export interface LocalTime {
  day: string;
  time: string;
  zone: string;
}

/** The text with its offset, or what is wrong with a field. */
export type InstantText = { text: string } | { field: keyof LocalTime; fault: string };

/** Whole hours from UTC, and the other offsets that countries use today. */
const OFFSETS = [...Array.from({ length: 27 }, (_, at) => (at - 12) * 60), -570, -210, 210, 270, 330, 345, 390, 525, 570, 765]
  .filter((minutes) => minutes !== 0)
  .toSorted((a, b) => a - b);

/** The zones of a list: UTC, the one of this computer, all names, all offsets. */
export function zones(): [value: string, words: string][] {
  const own = new Intl.DateTimeFormat().resolvedOptions().timeZone;
  const names = Intl.supportedValuesOf('timeZone').filter((name) => name.includes('/') && name !== own);
  const here: [string, string][] = own.includes('/') ? [[own, `${own} (this computer)`]] : [];
  return [['UTC', 'UTC'], ...here, ...names.map((name): [string, string] => [name, name]), ...OFFSETS.map((minutes): [string, string] => [offsetText(minutes), `UTC${offsetText(minutes)}`])];
}

/** The instant in which a local time falls. A time that the clocks skip, or that comes twice, is refused. */
export function instantText({ day, time, zone }: LocalTime): InstantText {
  const midnight = Date.parse(`${day}T00:00:00Z`);
  if (!/^\d{4}-\d{2}-\d{2}$/.test(day) || Number.isNaN(midnight)) return { field: 'day', fault: 'Choose a day.' };
  const [, hours = '', minutes = '', seconds = '00'] = /^(\d{1,2}):(\d{2})(?::(\d{2}))?$/.exec(time.trim()) ?? [];
  const sinceMidnight = (Number(hours) * 60 + Number(minutes)) * MINUTE + Number(seconds) * 1000;
  if (hours === '' || Number(minutes) > 59 || Number(seconds) > 59 || sinceMidnight > DAY) return { field: 'time', fault: 'Type hours and minutes, from 00:00 to 24:00.' };
  if (zone === '') return { field: 'zone', fault: 'Choose the time zone: without it a time is not an instant.' };
  const offsets = offsetsAt(midnight + sinceMidnight, zone);
  const [offset, second] = offsets;
  if (offset === undefined) return { field: 'time', fault: `Clocks in ${zone} skip this time on that day. Choose another time, or UTC.` };
  if (second !== undefined) return { field: 'zone', fault: `This time comes twice in ${zone} on that day. Choose UTC${offsetText(offset)} for the first, UTC${offsetText(second)} for the second.` };
  return { text: `${day}T${hours.padStart(2, '0')}:${minutes}:${seconds}${offset === 0 ? 'Z' : offsetText(offset)}` };
}

/** The offsets, in minutes, with which a zone's clocks show a local time: one, none when they skip it, two when it comes twice, the first one first. */
function offsetsAt(local: number, zone: string): number[] {
  const fixed = /^([+-])(\d{2}):(\d{2})$/.exec(zone);
  if (zone === 'UTC') return [0];
  if (fixed) return [minutesOf(fixed)];
  const near = [-DAY, 0, DAY].map((shift) => offsetOf(zone, local + shift));
  // The larger offset is the earlier instant.
  return [...new Set(near)].filter((minutes) => offsetOf(zone, local - minutes * MINUTE) === minutes).toSorted((a, b) => b - a);
}

/** The offset of a named zone at an instant, in minutes. */
function offsetOf(zone: string, instant: number): number {
  const parts = new Intl.DateTimeFormat('en-US', { timeZone: zone, timeZoneName: 'longOffset' }).formatToParts(instant);
  const name = parts.find(({ type }) => type === 'timeZoneName')?.value ?? '';
  const offset = /^GMT([+-])(\d{2}):(\d{2})/.exec(name);
  return offset ? minutesOf(offset) : 0;
}

const minutesOf = ([, sign, hours, minutes]: RegExpExecArray) => (sign === '-' ? -1 : 1) * (Number(hours) * 60 + Number(minutes));

const two = (value: number) => String(value).padStart(2, '0');

function offsetText(minutes: number): string {
  const size = Math.abs(minutes);
  return `${minutes < 0 ? '-' : '+'}${two(Math.floor(size / 60))}:${two(size % 60)}`;
}

/** An instant of the package's form for people: `2026-12-31 24:00 UTC+01:00`. */
export function spokenInstant(text: string): string {
  const [, day, time = '', zone = ''] = /^(.{10})T(.*?)(Z|[+-]\d{2}:\d{2})$/.exec(text) ?? [];
  return `${day} ${time.replace(/:00$/, '')} UTC${zone === 'Z' ? '' : zone}`;
}

/** Unix seconds in UTC, to the second: `2026-12-31 23:00:00 UTC`. */
export function utcTime(seconds: number): string {
  return `${new Date(seconds * 1000).toISOString().slice(0, 19).replace('T', ' ')} UTC`;
}
