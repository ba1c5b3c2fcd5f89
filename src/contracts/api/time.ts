import { z } from 'zod';

/** RFC 3339 in UTC, with `Z` and milliseconds: every time in the API is one. Durations are numbers of ms. */
export const timeSchema = z.iso.datetime().meta({ description: 'RFC 3339, UTC', example: '2026-11-30T10:45:00.000Z' });
