/** RFC 3339 in UTC, of a date or Unix ms. */
export function rfc3339(time: Date | number): string {
  return new Date(time).toISOString();
}

export function rfc3339OrNull(time: Date | number | null | undefined): string | null {
  return time === null || time === undefined ? null : rfc3339(time);
}
