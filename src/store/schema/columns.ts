import type { ColumnType } from 'kysely';

/** A `Date` comes out; a `Date` or Unix ms goes in. */
export type Moment = Date | number;
export type Time = ColumnType<Date, Moment, Moment>;
export type OptionalTime = ColumnType<Date | null, Moment | null | undefined, Moment | null>;
export type DefaultTime = ColumnType<Date, Moment | undefined, Moment>;
