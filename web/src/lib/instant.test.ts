import { expect, test } from 'vitest';
import { instantText, spokenInstant, utcTime, zones } from './instant';

const text = (day: string, time: string, zone: string) => {
  const found = instantText({ day, time, zone });
  return 'text' in found ? found.text : found.fault;
};

test.each([
  ['2026-12-31', '24:00', 'UTC', '2026-12-31T24:00:00Z'],
  ['2026-12-31', '24:00', 'Europe/Berlin', '2026-12-31T24:00:00+01:00'],
  ['2026-07-01', '9:05', 'Europe/Berlin', '2026-07-01T09:05:00+02:00'],
  ['2026-12-31', '23:59:59', '-03:30', '2026-12-31T23:59:59-03:30'],
  ['2026-12-31', '00:00', 'Asia/Kathmandu', '2026-12-31T00:00:00+05:45'],
  ['2026-12-31', '00:00', 'Pacific/Kiritimati', '2026-12-31T00:00:00+14:00'],
  ['2026-12-31', '12:00', 'Europe/London', '2026-12-31T12:00:00Z'],
  ['2026-12-31', '12:00', 'America/New_York', '2026-12-31T12:00:00-05:00'],
])('%s %s in %s is %s', (day, time, zone, wanted) => expect(text(day, time, zone)).toBe(wanted));

test('a time that clocks skip is refused, and one that comes twice asks which one', () => {
  // In Berlin clocks go from 02:00 to 03:00 on March 29, 2026, and from 03:00 to 02:00 on October 25.
  expect(text('2026-03-29', '02:30', 'Europe/Berlin')).toMatch(/^Clocks in Europe\/Berlin skip this time/);
  expect(text('2026-03-29', '03:00', 'Europe/Berlin')).toBe('2026-03-29T03:00:00+02:00');
  expect(text('2026-03-29', '01:59', 'Europe/Berlin')).toBe('2026-03-29T01:59:00+01:00');
  expect(text('2026-10-25', '02:30', 'Europe/Berlin')).toMatch(/comes twice .* UTC\+02:00 for the first, UTC\+01:00 for the second/);
  expect(text('2026-10-25', '02:30', '+01:00')).toBe('2026-10-25T02:30:00+01:00');
  expect(text('2026-10-25', '03:00', 'Europe/Berlin')).toBe('2026-10-25T03:00:00+01:00');
  // Midnight itself is skipped in Santiago: 24:00 of the day before does not exist either.
  expect(text('2026-09-05', '24:00', 'America/Santiago')).toMatch(/skip this time/);
});

test.each([
  ['', '24:00', 'UTC', 'Choose a day.'],
  ['2026-13-01', '24:00', 'UTC', 'Choose a day.'],
  ['2026-12-31', '', 'UTC', 'Type hours and minutes, from 00:00 to 24:00.'],
  ['2026-12-31', '24:01', 'UTC', 'Type hours and minutes, from 00:00 to 24:00.'],
  ['2026-12-31', '12:60', 'UTC', 'Type hours and minutes, from 00:00 to 24:00.'],
  ['2026-12-31', '24:00', '', 'Choose the time zone: without it a time is not an instant.'],
])('%s %s %s: %s', (day, time, zone, fault) => expect(text(day, time, zone)).toBe(fault));

test('every zone of the list gives an instant', () => {
  const all = zones().map(([value]) => value);
  expect(all[0]).toBe('UTC');
  expect(new Set(all).size).toBe(all.length);
  expect(all).toEqual(expect.arrayContaining(['Europe/Berlin', '+01:00', '-12:00', '+14:00', '+05:30']));
  for (const zone of all) expect(text('2026-06-15', '12:00', zone)).toMatch(/^2026-06-15T12:00:00(Z|[+-]\d\d:\d\d)$/);
});

test('an instant is written with its zone', () => {
  expect(spokenInstant('2026-12-31T24:00:00+01:00')).toBe('2026-12-31 24:00 UTC+01:00');
  expect(spokenInstant('2026-12-31T23:59:59Z')).toBe('2026-12-31 23:59:59 UTC');
  expect(utcTime(1_798_758_000)).toBe('2026-12-31 23:00:00 UTC');
});
